import { formatAmount, formatTime } from '../../terminal/format.ts'
import { renderTable } from '../../terminal/table.ts'
import { type Define, examples } from '../command.ts'
import { readCount } from '../count-option.ts'
import { idOf, type Memory, recall, whenOf } from './memory.ts'

/** `history list`: the transactions and reports that commands on this machine were about. */
export const defineList: Define = (command, act) => {
  command.option('--limit <n>', 'how many at most', '50').action(
    act<{ limit: string }, []>(async (context, options) => {
      const limit = readCount('--limit', options.limit)
      const { profile } = context.options
      const found = await recall(context, limit + 1)
      const shown = found.slice(0, limit)
      const { style } = context.output
      await context.output.result(shown, () =>
        shown.length === 0 ? '' : table(shown, context.output.width, style.bold),
      )
      if (shown.length === 0) {
        const whose = profile === undefined ? '' : ` of ${profile}`
        context.output.note(
          `Nothing${whose} yet. A payment begins with bnpl evaluate; to try one: bnpl walkthrough -p sandbox`,
        )
      } else if (found.length > limit) {
        context.output.note(`There is more than these ${limit}; see --limit.`)
      }
    }),
  )
  examples(command, [
    ['the newest of one account', 'bnpl history list -p acme --limit 10'],
    ['the last transaction, for a script', 'bnpl history list --json | jq -r "map(.externalTrxId // empty)[0]"'],
  ])
}

function table(memories: Memory[], width: number, bold: (text: string) => string): Promise<string> {
  return renderTable<Memory>(
    memories,
    [
      { title: 'When', value: (memory) => formatTime(whenOf(memory)).slice(0, -3) },
      { title: 'Id', value: idOf },
      { title: 'Profile', value: (memory) => memory.profile, shrinks: true },
      { title: 'Amount', value: amount, align: 'right' },
      { title: 'Plan', value: plan, align: 'right' },
      { title: 'State', value: state },
    ],
    { width, bold },
  )
}

const amount = (memory: Memory) =>
  memory.kind === 'report' || memory.amount === null ? '' : formatAmount(memory.amount)

const plan = (memory: Memory) =>
  memory.kind === 'report' || memory.installments === null ? '' : `${memory.installments}×`

const state = (memory: Memory) =>
  memory.kind === 'report' ? `report, ${Math.ceil(memory.bytes / 1000)} kB` : (memory.loanState ?? '')
