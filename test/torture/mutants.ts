import type { InvariantName } from '../../src/sandbox/torture/invariants.ts'

/** A mistake in the shop of this folder: a text of its source and what stands there instead. */
export interface Mutant {
  name: string
  changes: readonly (readonly [from: string, to: string])[]
  /** The invariant that it breaks. */
  breaks: InvariantName
  /** A run that finds it. */
  run: string
}

const EVALUATE = "call('POST', '/partner/pre-loan-request/bnpl', { ...said, idNumber: '11111111-1', entityId })"
const SELECT = "call('POST', '/partner/pre-loan-request/loan-request', chosen)"
const VERIFY = "await call('POST', `/partner/pre-approve/${id}/loan`)"
const NOT_AGAIN = 'if (mine === undefined || mine.paid) return'
const SETTLED = 'process.exitCode = (await settle()) ? 0 : 1'
const BUY = 'process.exitCode = (await buy()) ? 0 : 1'
const ON_RETURN = "await confirm(url.searchParams.get('order') ?? '')"
const ON_EVENT = 'if ((await confirm(data.externalTrxId)) !== true) return 503'
const UNSIGNED = 'if (!isSigned(body, signature)) return 401'
const SEEN = 'if (load().events.includes(eventId)) return 200'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'sends an evaluation again when no answer came',
    changes: [[EVALUATE, `${EVALUATE}.catch(() => ${EVALUATE})`]],
    breaks: 'second-evaluation',
    run: 'cut-after@evaluate.1',
  },
  {
    name: 'sends an evaluation again when the answer cannot be read',
    changes: [
      [EVALUATE, `${EVALUATE}.catch((error) => error instanceof SyntaxError ? ${EVALUATE} : Promise.reject(error))`],
    ],
    breaks: 'second-evaluation',
    run: 'half-body@evaluate.1',
  },
  {
    name: 'sends the chosen option again when no answer came',
    changes: [[SELECT, `${SELECT}.catch(() => ${SELECT})`]],
    breaks: 'second-evaluation',
    run: 'cut-before@select.1',
  },
  {
    name: 'begins the purchase again under another id after a cut on the page',
    changes: [
      ["externalTrxId: 'A-1'", 'externalTrxId: `A-${Object.keys(load().orders).length + 1}`'],
      [BUY, 'process.exitCode = (await buy()) || (await buy()) ? 0 : 1'],
      [
        'await new Promise<void>((resolve) => server.listen',
        'if (!server.listening) await new Promise<void>((resolve) => server.listen',
      ],
    ],
    breaks: 'second-loan',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'believes the return',
    changes: [[ON_RETURN, "fulfil(url.searchParams.get('order') ?? '')"]],
    breaks: 'paid-without-loan',
    run: 'cancelled@page.1',
  },
  {
    name: 'fulfils before it verifies',
    changes: [[VERIFY, `(fulfil(id), ${VERIFY})`]],
    breaks: 'fulfilled-before-loan',
    run: 'orders-read@verifyLoan.1',
  },
  {
    name: 'fulfils again for every message',
    changes: [
      [NOT_AGAIN, 'if (mine === undefined) return'],
      ['if (order.paid) return true', ''],
      [SEEN, ''],
    ],
    breaks: 'fulfilled-twice',
    run: 'twice@delivery.1',
  },
  {
    name: 'verifies the signature of the parsed JSON',
    changes: [['.update(body)', '.update(JSON.stringify(JSON.parse(body.toString())))']],
    breaks: 'refused-delivery',
    run: 'none',
  },
  {
    name: 'believes every event, whoever signed it',
    changes: [
      [UNSIGNED, ''],
      [ON_EVENT, 'fulfil(data.externalTrxId)'],
    ],
    breaks: 'paid-without-loan',
    run: 'forged@page.1',
  },
  {
    name: 'takes the amount from the event',
    changes: [
      [ON_EVENT, `${ON_EVENT}\n  change(({ orders }) => { orders[data.externalTrxId]!.amount = data.loanAmount })`],
      [SEEN, ''],
    ],
    breaks: 'other-amount',
    run: 'other-body@delivery.1',
  },
  {
    name: 'does not compare the amount',
    changes: [['loan.loanAmount === amount &&', '']],
    breaks: 'fulfilled-before-loan',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'does not look at the state',
    changes: [["loan.periods === installments &&\n  loan.state === 'ACTIVE'", 'loan.periods === installments']],
    breaks: 'fulfilled-before-loan',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'does not look whose loan it is',
    changes: [['loan.externalTrxId === externalTrxId &&', '']],
    breaks: 'fulfilled-before-loan',
    run: 'other-transaction@verifyLoan.1',
  },
  {
    name: 'has no reconciliation',
    changes: [[SETTLED, 'process.exitCode = 0']],
    breaks: 'loan-without-order',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'writes that the customer pays only when the customer is back',
    changes: [
      ["orders[externalTrxId] = { ...order, state: 'paying' }", ''],
      [
        'await fetch(`${paymentUrl}/?${query}`)',
        "await fetch(`${paymentUrl}/?${query}`)\n    change(({ orders }) => { if (orders[externalTrxId]?.paid) orders[externalTrxId]!.state = 'paying' })",
      ],
    ],
    breaks: 'loan-without-order',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'takes every failure for “not paid” and drops the order',
    changes: [
      [
        'if (status === 404) return false',
        "if (status !== 200) { change(({ orders }) => { orders[id]!.state = 'dropped' }); return false }",
      ],
      [ON_EVENT, 'await confirm(data.externalTrxId)'],
      ['if (order.paid) return true', "if (order.paid) return true\n  if (order.state === 'dropped') return false"],
    ],
    breaks: 'loan-without-order',
    run: 'server-error@verifyLoan.1',
  },
  {
    name: 'asks without end',
    changes: [['tries <= 3; tries++', 'tries > 0; tries++']],
    breaks: 'hang',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'writes the key into its log when something fails',
    changes: [["log('dropped:',", "log('dropped:', key,"]],
    breaks: 'leak',
    run: 'server-error@evaluate.1',
  },
  {
    name: 'writes the customer’s id into its log when something fails',
    changes: [["log('dropped:',", "log('dropped:', '11.111.111-1',"]],
    breaks: 'leak',
    run: 'server-error@evaluate.1',
  },
  {
    name: 'refuses answers with fields that it does not know',
    changes: [
      ["loan.state === 'ACTIVE'", "loan.state === 'ACTIVE' &&\n  !('unknownField' in loan)"],
      [ON_EVENT, 'return 200'],
    ],
    breaks: 'ends-otherwise',
    run: 'unknown-fields@verifyLoan.1',
  },
  {
    name: 'relies on the order of the fields',
    changes: [
      ["loan.state === 'ACTIVE'", "loan.state === 'ACTIVE' &&\n  Object.keys(loan)[0] === 'loanAmount'"],
      [ON_EVENT, 'return 200'],
    ],
    breaks: 'ends-otherwise',
    run: 'reordered-fields@verifyLoan.1',
  },
  {
    name: 'learns of payments by webhook alone',
    changes: [[ON_RETURN, '']],
    breaks: 'ends-otherwise',
    run: 'never@delivery.1',
  },
]
