// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the changes are pieces of source text

import type { InvariantName } from '../../src/torture/invariants.ts'

/** A mistake in an example's shop: texts of its source, and the texts that replace them. */
export interface Mutant {
  name: string
  /** The file with the mistake; the shop if left out. */
  file?: 'test.ts'
  changes: readonly (readonly [from: string, to: string])[]
  /** The invariant that the mistake breaks. */
  breaks: InvariantName
  /** Arguments of `sandbox torture` with which the mistake is found. */
  run: string
}

const EVALUATE = "await callOnce('/partner/pre-loan-request/bnpl', { ...common, idNumber: asked.rut })"
const ON_RETURN = "if (page === 'return') await check(order)"
const ON_EVENT = 'if (order) await check(order)'
const ON_WEBHOOK = "if (what === 'POST /webhooks') return receive(request, response, body)"
const UNSIGNED = 'if (!isSigned(body, request)) return answer(response, 401)'
const OPENED = "if (move.run('open', order.id, 'new').changes !== 1) return drop()"
const PAID_ONCE = "if (move.run('paid', id, 'open').changes === 1) ship.run(id)"
const IS_OPEN = "if (order.state !== 'open') return true"
const NO_LOAN = 'if (answer?.status === 404) return true'
const SETTLED = 'process.exitCode = (await settle()) ? 0 : 1'
const ASKS_AGAIN = 'if (answer?.status !== 429 || attempt === ATTEMPTS) return answer'
const DROPPED = "move.run('dropped', order.id, 'new')"
const UNCLEAR = '  return false\n}\n\n/** Marks an order as paid'
const HAS_OPTIONS = 'if (!Array.isArray(evaluated?.data?.installmentOptions)) return drop()'
const VERIFIES = '  // A verification changes nothing at the service, so it may be repeated.'

/** Mistakes in examples/typescript. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'sends every call again when no answer came',
    changes: [
      [ASKS_AGAIN, 'if ((answer !== undefined && answer.status !== 429) || attempt === ATTEMPTS) return answer'],
      ['await sleep(answer.retryAfterMs)', 'await sleep(answer?.retryAfterMs ?? 10)'],
    ],
    breaks: 'second-evaluation',
    run: 'cut-after@evaluate.1',
  },
  {
    name: 'sends the evaluation once more when its answer cannot be read',
    changes: [[EVALUATE, `(${EVALUATE}) ?? (${EVALUATE})`]],
    breaks: 'second-evaluation',
    run: 'half-body@evaluate.1',
  },
  {
    name: 'lets the customer pay again when it cannot tell',
    file: 'test.ts',
    changes: [
      [
        'assert.equal(paid, true,',
        'if (!paid) await (await fetch(((await (await buy()).json()) as { payUrl: string }).payUrl)).text()\n  assert.equal(paid, true,',
      ],
      ['Date.now() + 5_000', 'Date.now() + 500'],
    ],
    breaks: 'second-loan',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'believes the return',
    changes: [[ON_RETURN, "if (page === 'return') pay(order)"]],
    breaks: 'paid-without-loan',
    run: 'cancelled@page.1',
  },
  {
    name: 'believes the return of a rejected customer',
    changes: [[ON_RETURN, "if (page === 'return') pay(order)"]],
    breaks: 'paid-without-loan',
    run: 'rejected@page.1',
  },
  {
    name: 'takes “no loan” for paid',
    changes: [[NO_LOAN, 'if (answer?.status === 404) return pay(order), true']],
    breaks: 'paid-without-loan',
    run: 'cancelled@page.1',
  },
  {
    name: 'fulfils before it verifies',
    changes: [[VERIFIES, '  pay(order)']],
    breaks: 'fulfilled-before-loan',
    run: 'orders-read@verifyLoan.1',
  },
  {
    name: 'fulfils when it cannot tell',
    changes: [[UNCLEAR, '  pay(order)\n  return true\n}\n\n/** Marks an order as paid']],
    breaks: 'state-not-compared',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'ships for every return',
    changes: [
      ['orderId text primary key references orders', 'orderId text references orders'],
      [IS_OPEN, "if (order.state !== 'open' && order.state !== 'paid') return true"],
      [PAID_ONCE, "move.run('paid', id, 'open')\n    ship.run(id)"],
    ],
    breaks: 'fulfilled-twice',
    run: 'return-twice@page.1',
  },
  {
    name: 'verifies the signature of the parsed JSON',
    changes: [['.update(Buffer.concat(signed))', '.update(JSON.stringify(JSON.parse(body.toString())))']],
    breaks: 'refused-delivery',
    run: 'no-return@page.1',
  },
  {
    name: 'verifies the signature in another encoding',
    changes: [[".digest('hex')", ".digest('base64')"]],
    breaks: 'refused-delivery',
    run: 'no-return@page.1',
  },
  {
    name: 'has no page for webhooks',
    changes: [[ON_WEBHOOK, '']],
    breaks: 'refused-delivery',
    run: 'no-return@page.1',
  },
  {
    name: 'sends webhooks to another page',
    changes: [
      [ON_WEBHOOK, "if (what === 'POST /webhooks') return void response.writeHead(302, { location: '/' }).end()"],
    ],
    breaks: 'refused-delivery',
    run: 'no-return@page.1',
  },
  {
    name: 'believes every event, whatever its signature',
    changes: [
      [UNSIGNED, ''],
      [ON_EVENT, 'if (order) pay(order)'],
    ],
    breaks: 'paid-without-loan',
    run: 'forged@page.1',
  },
  {
    name: 'does not compare the amount',
    changes: [['loan.loanAmount === order.amount && ', '']],
    breaks: 'amount-not-compared',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'does not look at the state',
    changes: [[" && loan.state === 'ACTIVE'", '']],
    breaks: 'state-not-compared',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'does not look whose loan it is',
    changes: [['loan?.externalTrxId === order.id && ', 'loan && ']],
    breaks: 'transaction-not-compared',
    run: 'other-transaction@verifyLoan.1',
  },
  {
    name: 'takes every 200 for paid',
    changes: [
      [
        "loan?.externalTrxId === order.id && loan.loanAmount === order.amount && loan.state === 'ACTIVE'",
        'answer?.status === 200',
      ],
    ],
    breaks: 'state-not-compared',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'has no reconciliation',
    changes: [[SETTLED, 'process.exitCode = 0']],
    breaks: 'loan-without-order',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'has a reconciliation that fails',
    changes: [[SETTLED, `process.exitCode = db.prepare("select id from orders where state = 'open'").get() ? 1 : 0`]],
    breaks: 'loan-without-order',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'notes that an order may be paid only when the customer is back',
    changes: [
      [OPENED, ''],
      [
        ON_RETURN,
        "if (page === 'return' && move.run('open', order.id, 'new')) await check({ ...order, state: 'open' })",
      ],
    ],
    breaks: 'loan-without-order',
    run: 'no-return@page.1',
  },
  {
    name: 'drops the order when the verification fails',
    changes: [[NO_LOAN, "if (answer?.status !== 200) return move.run('dropped', order.id, 'open'), true"]],
    breaks: 'loan-without-order',
    run: 'server-error@verifyLoan.1',
  },
  {
    name: 'marks as paid and ships later, but never does',
    changes: [[PAID_ONCE, "move.run('paid', id, 'open')"]],
    breaks: 'paid-not-fulfilled',
    run: 'none',
  },
  {
    name: 'asks without end',
    changes: [
      ['attempt <= ATTEMPTS', 'attempt > 0'],
      ['if (attempt < ATTEMPTS) await sleep(answer?.retryAfterMs || 100 * attempt)', 'await sleep(100)'],
    ],
    breaks: 'hang',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'writes the key into its log when something fails',
    changes: [['  log(`order ${order.id}: no answer', "  log(`${env('BNPL_API_KEY')} ${order.id}: no answer"]],
    breaks: 'leak',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'writes the customer’s id into its log when something fails',
    changes: [[DROPPED, `${DROPPED}\n    log(asked.rut)`]],
    breaks: 'leak',
    run: 'server-error@evaluate.1',
  },
  {
    name: 'keeps the key in its database',
    changes: [
      [
        'insertOrder.run(order.id, order.amount, Date.now())',
        "insertOrder.run(order.id, order.amount, Date.now())\n  noteEvent.run(env('BNPL_API_KEY'))",
      ],
    ],
    breaks: 'leak',
    run: 'none',
  },
  {
    name: 'prints the secret of its webhooks',
    changes: [
      [
        '  process.stdout.write(`${shopUrl}\\n`)',
        "  log(env('BNPL_WEBHOOK_SECRET'))\n  process.stdout.write(`${shopUrl}\\n`)",
      ],
    ],
    breaks: 'leak',
    run: 'none',
  },
  {
    name: 'refuses answers with fields that it does not know',
    changes: [[HAS_OPTIONS, `if (Object.keys(evaluated?.data ?? {}).length !== 2) return drop()\n  ${HAS_OPTIONS}`]],
    breaks: 'ends-otherwise',
    run: 'unknown-fields@evaluate.1',
  },
  {
    name: 'relies on the order of the fields',
    changes: [[HAS_OPTIONS, 'if (!Array.isArray(Object.values(evaluated?.data ?? {})[1])) return drop()']],
    breaks: 'ends-otherwise',
    run: 'reordered-fields@evaluate.1',
  },
  {
    name: 'learns of payments by webhook alone',
    changes: [[ON_RETURN, '']],
    breaks: 'ends-otherwise',
    run: 'never@delivery.1',
  },
  {
    name: 'prints something else than its orders',
    changes: [
      [
        "else if (what === 'orders') printOrders()",
        "else if (what === 'orders') log('no orders')\nelse if (what === 'all') printOrders()",
      ],
    ],
    breaks: 'loan-without-order',
    run: 'none',
  },
  {
    name: 'waits for the payment without end',
    file: 'test.ts',
    changes: [['Date.now() < end && !paid', '!paid']],
    breaks: 'hang',
    run: 'cancelled@page.1',
  },
  {
    name: 'writes every customer’s id into its log',
    changes: [[EVALUATE, `(log(asked.rut), ${EVALUATE})`]],
    breaks: 'leak',
    run: 'none',
  },
  {
    name: 'cannot list an order that was dropped',
    changes: [
      [
        'function printOrders(): void {',
        `function printOrders(): void {\n  if (db.prepare("select id from orders where state = 'dropped'").get()) fail('odd')`,
      ],
    ],
    breaks: 'orders-unreadable',
    run: 'server-error@evaluate.1',
  },
  {
    name: 'closes open orders as paid in its reconciliation',
    changes: [[SETTLED, `db.exec("update orders set state = 'paid' where state = 'open'")`]],
    breaks: 'paid-without-loan',
    run: 'cancelled@page.1',
  },
  {
    name: 'ships every paid order again in its reconciliation',
    changes: [
      ['orderId text primary key references orders', 'orderId text references orders'],
      [SETTLED, `db.exec("insert into shipments select id from orders where state = 'paid'")`],
    ],
    breaks: 'fulfilled-twice',
    run: 'late@delivery.1',
  },
  {
    name: 'takes a cancelled loan for a loan',
    changes: [["loan.state === 'ACTIVE'", "['ACTIVE', 'CANCELLED'].includes(loan.state)"]],
    breaks: 'state-not-compared',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'accepts a smaller loan',
    changes: [['loan.loanAmount === order.amount', 'loan.loanAmount <= order.amount']],
    breaks: 'amount-not-compared',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'compares the end of the transaction’s id',
    changes: [['loan?.externalTrxId === order.id', 'loan?.externalTrxId.endsWith(order.id)']],
    breaks: 'transaction-not-compared',
    run: 'other-transaction@verifyLoan.1',
  },
  {
    name: 'takes a verification that fails every time for “no loan”',
    changes: [[UNCLEAR, "  move.run('dropped', order.id, 'open')\n  return true\n}\n\n/** Marks an order as paid"]],
    breaks: 'loan-without-order',
    run: 'outage@verifyLoan.1',
  },
  {
    name: 'closes orders that its reconciliation cannot verify',
    changes: [
      [SETTLED, `{ if (!(await settle())) db.exec("update orders set state = 'dropped' where state = 'open'") }`],
    ],
    breaks: 'loan-without-order',
    run: 'settle-outage@page.1',
  },
  {
    name: 'pays orders that its reconciliation cannot verify',
    changes: [
      [
        'for (const order of open) all = (await check(order)) && all',
        'for (const order of open) if (!(await check(order))) pay(order)',
      ],
    ],
    breaks: 'fulfilled-before-loan',
    run: 'settle-unreadable@page.1',
  },
  {
    name: 'has a reconciliation that always succeeds',
    changes: [[SETTLED, 'await settle()']],
    breaks: 'loan-without-order',
    run: 'settle-error@page.1',
  },
  {
    name: 'does not compare the amount in its reconciliation',
    changes: [['loan.loanAmount === order.amount && ', "(what === 'settle' || loan.loanAmount === order.amount) && "]],
    breaks: 'amount-not-compared',
    run: 'settle-amount@page.1',
  },
  {
    name: 'does not look whose loan it is in its reconciliation',
    changes: [
      ['loan?.externalTrxId === order.id && ', "loan && (what === 'settle' || loan.externalTrxId === order.id) && "],
    ],
    breaks: 'transaction-not-compared',
    run: 'settle-transaction@page.1',
  },
  ...[500, 502, 503, 504].map(
    (status): Mutant => ({
      name: `takes ${status} for “not done”, and sends the call again`,
      changes: [
        [
          'if (answer.status >= 500) return undefined',
          `if (answer.status >= 500 && answer.status !== ${status}) return undefined`,
        ],
        [
          ASKS_AGAIN,
          `if ((answer?.status !== 429 && answer?.status !== ${status}) || attempt === ATTEMPTS) return answer`,
        ],
      ],
      breaks: 'second-evaluation',
      run: `done-${status}@evaluate.1`,
    }),
  ),
  {
    name: 'starts the widget again when no answer came',
    changes: [
      [
        "await callOnce('/partner/widget/start', { ...common, email: asked.email })",
        "(await callOnce('/partner/widget/start', { ...common, email: asked.email })) ?? (await callOnce('/partner/widget/start', { ...common, email: asked.email }))",
      ],
    ],
    breaks: 'second-evaluation',
    run: 'done-500@startWidget.1',
  },
  {
    name: 'has no time limit of its own',
    changes: [['      signal: AbortSignal.timeout(TIMEOUT_MS),\n', '']],
    breaks: 'hang',
    run: 'no-answer@evaluate.1',
  },
  {
    name: 'waits for as long as the service asks',
    changes: [
      [
        "Math.min(TIMEOUT_MS, Number(answer.headers.get('retry-after') ?? 0) * 1000)",
        "Number(answer.headers.get('retry-after') ?? 0) * 1000",
      ],
    ],
    breaks: 'hang',
    run: 'retry-after-hour@evaluate.1',
  },
  {
    name: 'accepts forged events, and verifies each loan',
    changes: [[UNSIGNED, '']],
    breaks: 'accepted-forgery',
    run: 'wrong-signature@delivery.1',
  },
  {
    name: 'has no secret',
    changes: [["env('BNPL_WEBHOOK_SECRET')", "''"]],
    breaks: 'accepted-forgery',
    run: 'forged-empty-key@page.1',
  },
  {
    name: 'has the word “undefined” for a secret',
    changes: [["env('BNPL_WEBHOOK_SECRET')", '`${undefined}`']],
    breaks: 'accepted-forgery',
    run: 'forged-undefined@page.1',
  },
  {
    name: 'has no secret after the answer to its registration was lost',
    changes: [["env('BNPL_WEBHOOK_SECRET')", "''"]],
    breaks: 'accepted-forgery',
    run: 'secret-lost@registerWebhook.1',
  },
  {
    name: 'accepts an event with any token in place of a signature',
    changes: [[UNSIGNED, `if (!request.headers['service-webhook-secret'])\n    ${UNSIGNED}`]],
    breaks: 'accepted-forgery',
    run: 'forged-scheme@page.1',
  },
  {
    name: 'pays the open order, whatever the event is about',
    changes: [
      [
        'const order = isNew ? orderOf(event.data?.externalTrxId) : undefined\n  if (order) await check(order)',
        `const order = db.prepare("select id, amount, state from orders where state = 'open'").get() as Order | undefined\n  if (order) pay(order)`,
      ],
    ],
    breaks: 'paid-without-loan',
    run: 'event-of-another@page.1',
  },
  {
    name: 'ships to whoever opens the success address',
    changes: [[ON_RETURN, "if (page === 'return') pay(order)"]],
    breaks: 'paid-without-loan',
    run: 'opened-unpaid@page.1',
  },
  {
    name: 'answers 500 to an event that it has already received',
    changes: [['  answer(response, 200)\n', '  answer(response, isNew ? 200 : 500)\n']],
    breaks: 'refused-duplicate',
    run: 'twice@delivery.1',
  },
]
