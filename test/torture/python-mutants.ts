import type { Mutant } from './mutants.ts'

const ON_RETURN = 'if page == "return":\n            check(db, order)'
const ON_EVENT = 'if is_new and order:\n            check(db, order)'
const UNSIGNED = 'if not is_signed(body, self.headers):'
const LOAN = '(loan.get("externalTrxId"), loan.get("loanAmount"), loan.get("state")) == (order_id, amount, "ACTIVE")'
const NO_LOAN = 'if status == 404:\n            return True'
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
    changes: [[NO_LOAN, 'if status == 404:\n            return pay(db, order_id)']],
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
    changes: [['    # A verification changes nothing at the service, so it may be repeated.', '    pay(db, order_id)']],
    breaks: 'fulfilled-before-loan',
    run: 'orders-read@verifyLoan.1',
  },
  {
    name: 'fulfils when it cannot tell',
    changes: [['    return False\n\n\ndef pay', '    return pay(db, order_id)\n\n\ndef pay']],
    breaks: 'state-not-compared',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'does not compare the amount',
    changes: [[LOAN, '(loan.get("externalTrxId"), loan.get("state")) == (order_id, "ACTIVE")']],
    breaks: 'amount-not-compared',
    run: 'other-amount@verifyLoan.1',
  },
  {
    name: 'does not look at the state',
    changes: [[LOAN, '(loan.get("externalTrxId"), loan.get("loanAmount")) == (order_id, amount)']],
    breaks: 'state-not-compared',
    run: 'other-state@verifyLoan.1',
  },
  {
    name: 'does not look whose loan it is',
    changes: [[LOAN, '(loan.get("loanAmount"), loan.get("state")) == (amount, "ACTIVE")']],
    breaks: 'transaction-not-compared',
    run: 'other-transaction@verifyLoan.1',
  },
  {
    name: 'ships for every return',
    changes: [
      ['orderId text primary key references orders', 'orderId text references orders'],
      ['if state != "open":', 'if state not in ("open", "paid"):'],
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
      [NO_LOAN, 'if status != 200:\n            move(db, order_id, "open", "dropped")\n            return True'],
    ],
    breaks: 'loan-without-order',
    run: 'server-error@verifyLoan.1',
  },
  {
    name: 'writes the key into its log when something fails',
    changes: [['print(f"order {order_id}: no answer', "print(env['BNPL_API_KEY'], f\"order {order_id}: no answer"]],
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
]
