// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the changes are pieces of source text

import type { Mutant } from './mutants.ts'

const KEY_OF_SHIPMENTS = 'orderId text primary key references orders'
const IS_OPEN = "if (order.state !== 'open') return true"
const PAID_ONCE = "if (move.run('paid', id, 'open').changes === 1) ship.run(id)"
const OPENED = "if (move.run('open', order.id, 'new').changes !== 1) return drop()"
const ANSWERED = '  answer(response, 200)\n'
const ON_EVENT = 'if (order) await check(order)'
const FOUND = '(findOrder.get(id) as Order | undefined)'
const SERVES = '  const server = createServer('
const NO_LOAN = "if (answer?.status === 404) return 'none'"
const IS_SETTLED = "return state === 'ACTIVE' || state === 'none'"

/** Mistakes in examples/typescript that do harm when the shop is killed and started again. */
export const RESTART_MUTANTS: readonly Mutant[] = [
  {
    name: 'remembers in memory which orders it has shipped',
    changes: [
      [KEY_OF_SHIPMENTS, 'orderId text references orders'],
      [IS_OPEN, "if (order.state !== 'open' && order.state !== 'paid') return true"],
      [PAID_ONCE, "move.run('paid', id, 'open')\n    if (!shipped.has(id)) ship.run(id)\n    shipped.add(id)"],
      [ANSWERED, ''],
      [ON_EVENT, `${ON_EVENT}\n  answer(response, 200)`],
      ['const TIMEOUT_MS', 'const shipped = new Set<string>()\nconst TIMEOUT_MS'],
    ],
    breaks: 'fulfilled-twice',
    run: 'killed@delivery.1',
  },
  {
    name: 'writes a moment later that an order may be paid',
    changes: [
      [
        OPENED,
        `waiting.set(order.id, { ...order, state: 'open' })
  setTimeout(() => waiting.delete(order.id) && move.run('open', order.id, 'new'), 1_000)`,
      ],
      [PAID_ONCE, "if (move.run('paid', id, waiting.delete(id) ? 'new' : 'open').changes === 1) ship.run(id)"],
      [FOUND, `(waiting.get(id) ?? ${FOUND})`],
      ['const TIMEOUT_MS', 'const waiting = new Map<string, Order>()\nconst TIMEOUT_MS'],
    ],
    breaks: 'loan-without-order',
    run: 'killed@page.1',
  },
  {
    name: 'leaves a mark that it runs, and does not start where it finds one',
    changes: [
      [
        SERVES,
        `  process.getBuiltinModule('node:fs').writeFileSync(\`\${env('SHOP_DATA')}.runs\`, '', { flag: 'wx' })\n${SERVES}`,
      ],
    ],
    breaks: 'not-running',
    run: 'killed@evaluate.1',
  },
  {
    name: 'notes that it is asking for an order, and never asks again when it was killed meanwhile',
    changes: [
      ["'paid', 'dropped', 'refused'", "'asking', 'paid', 'dropped', 'refused'"],
      [IS_OPEN, "if (move.run('asking', order.id, 'open').changes !== 1) return true"],
      [PAID_ONCE, "if (move.run('paid', id, 'asking').changes === 1) ship.run(id)"],
      [NO_LOAN, "if (answer?.status === 404) return move.run('open', order.id, 'asking'), 'none'"],
      [IS_SETTLED, `move.run('open', order.id, 'asking')\n  ${IS_SETTLED}`],
    ],
    breaks: 'loan-without-order',
    run: 'killed@verifyLoan.1',
  },
  {
    name: 'makes a refunded order paid again on the next event',
    changes: [
      [
        ON_EVENT,
        `if (order?.state === 'open') await check(order)\n  else if (order) db.prepare("update orders set state = 'paid' where id = ?").run(order.id)`,
      ],
    ],
    breaks: 'cancelled-still-paid',
    run: 'event-after-cancel@cancelLoan.1',
  },
  {
    name: 'makes a refunded order paid again when its customer opens the success address',
    changes: [
      [
        "if (page === 'return') await check(order)",
        "if (page === 'return') move.run('paid', order.id, 'refunded')\n    if (page === 'return') await check(order)",
      ],
    ],
    breaks: 'cancelled-still-paid',
    run: 'event-after-cancel@cancelLoan.1',
  },
]
