import type { Mutant } from './mutants.ts'

const ON_RETURN = 'if page == "return":\n            check(db, order)'
const ON_EVENT = 'if is_new and order:\n            check(db, order)'
const UNSIGNED = 'if not is_signed(body, self.headers):'
const LOAN = '(loan.get("externalTrxId"), loan.get("loanAmount")) == (order_id, amount)'
const CHECKS = 'state = verify(order, "ACTIVE")'
const IS_ACTIVE = 'if state == "ACTIVE":\n        pay'
const NO_LOAN = 'if status == 404:\n            return "none"'
const CANCELS = 'status, _ = call_once(f"/partner/pre-approve/{quote(order_id, safe=\'\')}/loan/cancel", {})'
const SETTLED = 'return 0 if all([check(db, order) for order in orders]) else 1'
const OPENED = 'if not move(db, order_id, "new", "open"):\n        return drop()'
const HAS_OPTIONS = 'if not isinstance(evaluated.get("installmentOptions"), list):'

/** Mistakes in examples/python. */
export const PYTHON_MUTANTS: readonly Mutant[] = [
  {
    name: 'sends every call again when no answer came',
    changes: [['if status != 429 or last:', 'if status not in (429, None) or last:']],
    breaks: 'second-evaluation',
    run: 'cut-after@evaluate.1',
  },
  {
    name: 'believes the return',
    changes: [[ON_RETURN, 'if page == "return":\n            pay(db, order_id)']],
    breaks: 'paid-without-loan',
    run: 'cancelled@page.1',
  },
  {
    name: 'takes “no loan” for paid',
    changes: [[NO_LOAN, 'if status == 404:\n            return "ACTIVE"']],
    breaks: 'paid-without-loan',
    run: 'rejected@page.1',
  },
  {
    name: 'believes every event, whatever its signature',
    changes: [
      [UNSIGNED, 'if not body:'],
      [ON_EVENT, 'if is_new and order:\n            pay(db, order[0])'],
    ],
    breaks: 'paid-without-loan',
    run: 'forged@page.1',
  },
  {
    name: 'fulfils before it verifies',
    changes: [[CHECKS, `pay(db, order[0])\n    ${CHECKS}`]],
    breaks: 'fulfilled-before-loan',
    run: 'orders-read@verifyLoan.1',
  },
  {
    name: 'fulfils when it cannot tell',
    changes: [[IS_ACTIVE, 'if state != "none":\n        pay']],
    breaks: 'state-not-compared',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'does not compare the amount',
    changes: [[LOAN, 'loan.get("externalTrxId") == order_id']],
    breaks: 'amount-not-compared',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'does not look at the state',
    changes: [[IS_ACTIVE, 'if state not in (None, "none"):\n        pay']],
    breaks: 'state-not-compared',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'does not look whose loan it is',
    changes: [[LOAN, 'loan.get("loanAmount") == amount']],
    breaks: 'transaction-not-compared',
    run: 'other-transaction@verifyLoan.1',
  },
  {
    name: 'ships for every return',
    changes: [
      ['orderId text primary key references orders', 'orderId text references orders'],
      ['if order[2] != "open":', 'if order[2] not in ("open", "paid"):'],
      ['if move(db, order_id, "open", "paid"):', 'if move(db, order_id, "open", "paid") or True:'],
    ],
    breaks: 'fulfilled-twice',
    run: 'return-twice@page.1',
  },
  {
    name: 'verifies the signature of the parsed JSON',
    changes: [['.encode(), signed, hashlib', '.encode(), json.dumps(json.loads(signed)).encode(), hashlib']],
    breaks: 'refused-delivery',
    run: 'no-return@page.1',
  },
  {
    name: 'has no page for webhooks',
    changes: [['self.path == "/webhooks"', 'self.path == "/hooks"']],
    breaks: 'refused-delivery',
    run: 'no-return@page.1',
  },
  {
    name: 'has no reconciliation',
    changes: [[SETTLED, 'return 0']],
    breaks: 'loan-without-order',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'notes that an order may be paid only when the customer is back',
    changes: [
      [OPENED, ''],
      [
        ON_RETURN,
        'if page == "return" and move(db, order_id, "new", "open"):\n            check(db, find(db, order_id))',
      ],
    ],
    breaks: 'loan-without-order',
    run: 'no-return@page.1',
  },
  {
    name: 'drops the order when the verification fails',
    changes: [
      [
        NO_LOAN,
        'if status != 200:\n            move(database(), order_id, "open", "dropped")\n            return "none"',
      ],
    ],
    breaks: 'loan-without-order',
    run: 'server-error@verifyLoan.1',
  },
  {
    name: 'writes the key into its log when something fails',
    changes: [['print(f"order {order_id}: its loan', "print(env['BNPL_API_KEY'], f\"order {order_id}: its loan"]],
    breaks: 'leak',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'writes the customer’s id into its log when something fails',
    changes: [['move(db, order_id, "new", "dropped")', 'print(asked["rut"], file=sys.stderr)']],
    breaks: 'leak',
    run: 'server-error@evaluate.1',
  },
  {
    name: 'refuses answers with fields that it does not know',
    changes: [[HAS_OPTIONS, `if len(evaluated) != 2:\n        return drop()\n    ${HAS_OPTIONS}`]],
    breaks: 'ends-otherwise',
    run: 'unknown-fields@evaluate.1',
  },
  {
    name: 'marks an order as refunded before the cancellation is sent',
    changes: [[CANCELS, `note_refund(db, order_id)\n    ${CANCELS}`]],
    breaks: 'refunded-without-cancel',
    run: 'orders-read@cancelLoan.1',
  },
  {
    name: 'sends the cancellation again when no answer came',
    changes: [[CANCELS, `${CANCELS}\n    if status is None:\n        ${CANCELS}`]],
    breaks: 'second-cancellation',
    run: 'cut-after@cancelLoan.1',
  },
  {
    name: 'takes a cancellation without a clear answer for “not cancelled”',
    changes: [
      ['after = verify(order, "CANCELLED")', 'after = verify(order, "CANCELLED") if status else "ACTIVE"'],
      ['if after == before and status is not None and status >= 400:', 'if after in (before, "ACTIVE"):'],
    ],
    breaks: 'cancelled-still-paid',
    run: 'broken-body@cancelLoan.1',
  },
  {
    name: 'does not look at unclear refunds in its reconciliation',
    changes: [["where state in ('open', 'refunding')", "where state = 'open'"]],
    breaks: 'cancelled-still-paid',
    run: 'outage-after@cancelLoan.1',
  },
]
