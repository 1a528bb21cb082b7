import { formatAmount, formatTime } from '../../terminal/format.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import { measureFor, wrap } from '../../terminal/wrap.ts'
import { visible } from '../../text/visible.ts'
import { type Define, examples } from '../command.ts'
import { readCount } from '../option-values.ts'
import { type Memory, memoryId, recall, whenOf } from './memory.ts'
import { defineHistoryRm } from './rm.ts'
import { defineHistoryShow } from './show.ts'

/** `bnpl history`: the transactions and reports that commands on this machine have handled. */
export const define: Define = (command, act) => {
  defineList(
    command.command('list', { isDefault: true }).description('list transactions and reports, the newest first'),
    act,
  )
  defineHistoryShow(command.command('show').alias('get').description('show one of them'), act)
  defineHistoryRm(command.command('rm').description('remove one of them, or all'), act)
}

/** `history list`: prints the newest transactions and reports. */
const defineList: Define = (command, act) => {
  command.option('--limit <n>', 'print at most this many', '50').action(
    act(async (context, options) => {
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
          `The history${whose} is empty. Begin a payment with bnpl evaluate, or try one: bnpl walkthrough -p sandbox`,
        )
      } else if (found.length > limit) {
        context.output.note(`These are the newest ${limit}. Print more with --limit N.`)
      }
    }),
  )
  examples(command, [
    ['the newest of one account', 'bnpl history list -p acme --limit 10'],
    ['the last transaction, for a script', 'bnpl history list --json | jq -r "map(.externalTrxId // empty)[0]"'],
  ])
}

/** A table. Ids must stay whole so that they can be copied: if one does not fit, each id is on a separate line below its row. */
async function table(memories: Memory[], width: number, bold: (text: string) => string): Promise<string> {
  const [when, ...others] = COLUMNS
  const beside = await renderTable<Memory>(memories, [when, { title: 'Id', value: memoryId }, ...others], {
    width,
    bold,
  })
  const ids = memories.map((memory) => visible(memoryId(memory)))
  if (ids.every((id) => beside.includes(id))) return beside
  const [head, ...rows] = (await renderTable<Memory>(memories, COLUMNS, { width, bold })).split('\n')
  const measure = await measureFor(ids)
  return [head, ...rows.flatMap((row, i) => [row, `  ${wrap(ids[i] ?? '', width - 2, '  ', measure)}`])].join('\n')
}

const amount = (memory: Memory) =>
  memory.kind === 'report' || memory.amount === null ? '' : formatAmount(memory.amount)

const plan = (memory: Memory) =>
  memory.kind === 'report' || memory.installments === null ? '' : `${memory.installments}×`

const state = (memory: Memory) =>
  memory.kind === 'report' ? `report, ${Math.ceil(memory.bytes / 1000)} kB` : (memory.loanState ?? '')

const COLUMNS: readonly [Column<Memory>, ...Column<Memory>[]] = [
  { title: 'When', value: (memory) => formatTime(whenOf(memory)).slice(0, -3) },
  { title: 'Profile', value: (memory) => memory.profile, shrinks: true },
  { title: 'Amount', value: amount, align: 'right' },
  { title: 'Plan', value: plan, align: 'right' },
  { title: 'State', value: state },
]
