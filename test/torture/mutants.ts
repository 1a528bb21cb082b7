// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the changes are pieces of source text

import type { InvariantName } from '../../src/torture/invariants.ts'

/** A mistake in an example's shop: texts of its source, and the texts that replace them. */
export interface Mutant {
  name: string
  /** The file with the mistake; the shop if left out. */
  file?: 'test.ts' | 'test.py' | 'test.php'
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
const NO_LOAN = "if (answer?.status === 404) return 'none'"
const SETTLED = 'process.exitCode = (await settle()) ? 0 : 1'
const ASKS_AGAIN = 'if (answer?.status !== 429 || attempt === ATTEMPTS) return answer'
const DROPPED = "move.run('dropped', order.id, 'new')"
const CHECKS = "  const state = await verify(order, ['ACTIVE'])\n"
const IS_ACTIVE = "if (state === 'ACTIVE') pay(order)"
const IS_SETTLED = "return state === 'ACTIVE' || state === 'none'"
const HAS_AMOUNT = ' && loan.loanAmount === order.amount'
const AGREES = 'if (loan?.externalTrxId === order.id && loan.loanAmount === order.amount) state = loan.state'
const HAS_OPTIONS = 'if (!Array.isArray(evaluated?.data?.installmentOptions)) return drop()'
const SENDS_CANCEL = 'const isRefused = await sendCancellation(order)'
const AFTER = "const after = await verify(order, ['CANCELLED'])"
const SENDS_ONCE = 'await client.cancelLoan(id, { signal: AbortSignal.timeout(2 * TIMEOUT_MS) })'
const IS_REFUNDING =
  "if (order.state === 'refunding') return (await verify(order, ['CANCELLED'])) === 'CANCELLED' && noteRefund(order)"
const NOTES_REFUND = "if (after === 'CANCELLED') return noteRefund(order)"

/** Mistakes in the refund of examples/typescript. They are found if the test of the shop refunds the order. */
const REFUND_MUTANTS: readonly Mutant[] = [
  {
    name: 'marks an order as refunded before the cancellation is sent',
    changes: [[SENDS_CANCEL, `noteRefund(order)\n  ${SENDS_CANCEL}`]],
    breaks: 'refunded-without-cancel',
    run: 'orders-read@cancelLoan.1',
  },
  {
    name: 'marks an order as refunded, whatever the answer to the cancellation',
    changes: [[NOTES_REFUND, 'return noteRefund(order)']],
    breaks: 'refunded-without-cancel',
    run: 'server-error@cancelLoan.1',
  },
  {
    name: 'marks an order as refunded although the service refuses the cancellation',
    changes: [[AFTER, "const after = isRefused ? 'CANCELLED' : await verify(order, ['CANCELLED'])"]],
    breaks: 'refunded-without-cancel',
    run: 'months-pass@cancelLoan.1',
  },
  {
    name: 'takes a verification that fails after the cancellation for “cancelled”',
    changes: [[AFTER, "const after = (await verify(order, ['CANCELLED'])) ?? 'CANCELLED'"]],
    breaks: 'refunded-without-cancel',
    run: 'outage@cancelLoan.1',
  },
  {
    name: 'closes a refund in its reconciliation, whatever the state of the loan',
    changes: [[IS_REFUNDING, "if (order.state === 'refunding') return noteRefund(order)"]],
    breaks: 'refunded-without-cancel',
    run: 'cut-before@cancelLoan.1',
  },
  {
    name: 'sends the cancellation again when no answer came',
    changes: [[SENDS_ONCE, `await client.cancelLoan(id).catch(() => client.cancelLoan(id))`]],
    breaks: 'second-cancellation',
    run: 'cut-after@cancelLoan.1',
  },
  {
    name: 'sends the cancellation again after 500',
    changes: [[SENDS_ONCE, `await client.cancelLoan(id).catch(() => client.cancelLoan(id))`]],
    breaks: 'second-cancellation',
    run: 'done-500@cancelLoan.1',
  },
  {
    name: 'takes a cancellation without an answer for “not cancelled”',
    changes: [
      [
        "return error instanceof BnplError && ['auth', 'not-found', 'rate-limited', 'refused'].includes(error.kind)",
        'return error instanceof BnplError',
      ],
      [AFTER, "const after = isRefused ? 'ACTIVE' : await verify(order, ['CANCELLED'])"],
    ],
    breaks: 'cancelled-still-paid',
    run: 'cut-after@cancelLoan.1',
  },
  {
    name: 'takes a verification that fails after the cancellation for “not cancelled”',
    changes: [['if (after === before && isRefused)', "if (after !== 'CANCELLED')"]],
    breaks: 'cancelled-still-paid',
    run: 'outage-after@cancelLoan.1',
  },
  {
    name: 'does not look at unclear refunds in its reconciliation',
    changes: [["where state in ('open', 'refunding')", "where state = 'open'"]],
    breaks: 'cancelled-still-paid',
    run: 'outage-after@cancelLoan.1',
  },
  {
    name: 'does not store that it is cancelling a loan',
    changes: [["update orders set state = 'refunding', cancelSentAt", 'update orders set cancelSentAt']],
    breaks: 'cancelled-still-paid',
    run: 'outage-after@cancelLoan.1',
  },
  {
    name: 'ships an order again when its event arrives after the refund',
    changes: [
      ['orderId text primary key references orders', 'orderId text references orders'],
      [ON_EVENT, "if (order?.state === 'open') await check(order)\n  else if (order) ship.run(order.id)"],
    ],
    breaks: 'fulfilled-twice',
    run: 'event-after-cancel@cancelLoan.1',
  },
  {
    name: 'ships in its reconciliation what is not shipped yet, also if it was refunded meanwhile',
    changes: [
      [PAID_ONCE, "move.run('paid', id, 'open')"],
      [SETTLED, "{ await settle(); db.exec('insert or ignore into shipments select id from orders') }"],
    ],
    breaks: 'fulfilled-after-cancel',
    run: 'unknown-fields@cancelLoan.1',
  },
  {
    name: 'waits for the answer to a cancellation without end',
    changes: [
      ['    timeoutMs: TIMEOUT_MS,\n', '    timeoutMs: 3_600_000,\n'],
      [SENDS_ONCE, 'await client.cancelLoan(id)'],
    ],
    breaks: 'hang',
    run: 'no-answer@cancelLoan.1',
  },
]

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
    name: 'evaluates the customer again with a new transaction when no answer came',
    changes: [
      [
        EVALUATE,
        `(${EVALUATE}) ?? ((common.externalTrxId += '-again'), db.prepare('update orders set id = ? where id = ?').run(common.externalTrxId, order.id), (order.id = common.externalTrxId), ${EVALUATE})`,
      ],
    ],
    breaks: 'evaluated-again',
    run: 'cut-after@evaluate.1',
  },
  {
    name: 'lists the price that the customer sent, and not the price of the loan',
    changes: [
      ['      fulfilled,\n', '      fulfilled,\n      amount: Number(findOrder.get(externalTrxId)?.amount) + 1000,\n'],
    ],
    breaks: 'other-amount',
    run: 'none',
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
    changes: [[NO_LOAN, "if (answer?.status === 404) return 'ACTIVE'"]],
    breaks: 'paid-without-loan',
    run: 'cancelled@page.1',
  },
  {
    name: 'fulfils before it verifies',
    changes: [[CHECKS, `  pay(order)\n${CHECKS}`]],
    breaks: 'fulfilled-before-loan',
    run: 'orders-read@verifyLoan.1',
  },
  {
    name: 'fulfils when it cannot tell',
    changes: [[IS_ACTIVE, "if (state !== 'none') pay(order)"]],
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
    changes: [[HAS_AMOUNT, '']],
    breaks: 'amount-not-compared',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'does not look at the state',
    changes: [[IS_ACTIVE, "if (state !== undefined && state !== 'none') pay(order)"]],
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
    changes: [[AGREES, "if (answer?.status === 200) state = 'ACTIVE'"]],
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
    changes: [[NO_LOAN, "if (answer?.status !== 200) return move.run('dropped', order.id, 'open'), 'none'"]],
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
    changes: [['  log(`order ${order.id}: its loan', "  log(`${env('BNPL_API_KEY')} ${order.id}: its loan"]],
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
    changes: [[IS_ACTIVE, "if (state === 'ACTIVE' || state === 'CANCELLED') pay(order)"]],
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
    changes: [[IS_SETTLED, "if (state === undefined) move.run('dropped', order.id, 'open')\n  return true"]],
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
    changes: [[HAS_AMOUNT, " && (what === 'settle' || loan.loanAmount === order.amount)"]],
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
    run: 'empty-body@startWidget.1',
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
  ...REFUND_MUTANTS,
]

const OPENS_PAGE = 'await patiently(async () => (await fetch(payUrl)).text())'
const WITHOUT_RETURN = OPENS_PAGE.replace('fetch(payUrl)', "fetch(payUrl, { redirect: 'manual' })")

/** Changes of the tests, not of the shops: the customer pays and does not return, as if she had closed the tab. This is not a mistake. */
export const NEVER_RETURNS: Readonly<Record<'typescript' | 'python' | 'php', Mutant>> = {
  typescript: {
    name: 'has a customer who never returns',
    file: 'test.ts',
    changes: [[OPENS_PAGE, WITHOUT_RETURN]],
    breaks: 'ends-otherwise',
    run: 'never@delivery.1',
  },
  python: {
    name: 'has a customer who never returns',
    file: 'test.py',
    changes: [
      ['import Request, urlopen', 'import HTTPRedirectHandler, Request, build_opener, urlopen'],
      [
        'ask(order["payUrl"])',
        'build_opener(type("Stays", (HTTPRedirectHandler,), {"redirect_request": lambda *_: None})).open(order["payUrl"])',
      ],
    ],
    breaks: 'ends-otherwise',
    run: 'never@delivery.1',
  },
  php: {
    name: 'has a customer who never returns',
    file: 'test.php',
    changes: [
      [
        "ask('GET', $placed['payUrl'])",
        "file_get_contents($placed['payUrl'], false, stream_context_create(['http' => ['follow_location' => 0, 'ignore_errors' => true]]))",
      ],
    ],
    breaks: 'ends-otherwise',
    run: 'never@delivery.1',
  },
}

/** A change of the test: one customer pays and does not return, and then another one does. This is not a mistake of the shop. */
export const ONE_OF_TWO_RETURNS: Mutant = {
  name: 'has a customer who never returns, and one who does',
  file: 'test.ts',
  changes: [
    [
      '  let placed = await patiently(buy)',
      `  let stays = await patiently(buy)
  if (stays.status === 502) stays = await buy()
  const left = (await stays.json()) as { id: string; payUrl: string }
  ${WITHOUT_RETURN.replace('payUrl', 'left.payUrl')}
  let placed = await patiently(buy)`,
    ],
    [
      '  assert.equal(paid, true,',
      `  let isLeftPaid = false
  for (const end = Date.now() + 5_000; Date.now() < end && !isLeftPaid; ) {
    isLeftPaid = (await seen(url, left.id)).paid
    if (!isLeftPaid) await sleep(50)
  }
  assert.equal(isLeftPaid, true, \`order \${left.id} is not paid\`)
  assert.equal(paid, true,`,
    ],
  ],
  breaks: 'ends-otherwise',
  run: 'never@delivery.1',
}
