import { formatTime } from '../../terminal/format.ts'
import type { Numbers } from '../../terminal/numbers.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import { measureFor, wrap } from '../../terminal/wrap.ts'
import { visible } from '../../text/visible.ts'
import { type Command, type Define, examples, type OptionsOf } from '../command.ts'
import { readCount, readSince } from '../option-values.ts'
import { type Memory, memoryId, recall, type Wanted, whenOf } from './memory.ts'
import { defineHistoryRm } from './rm.ts'
import { defineHistoryShow } from './show.ts'

/** `bnpl history`: the transactions and reports that commands on this machine have handled. */
export const define: Define = (command, act) => {
  defineList(
    command.command('list', { isDefault: true }).description('list transactions and reports, the newest first'),
    act,
  )
  defineHistoryShow(command.command('show').alias('get').description('show one record'), act)
  defineHistoryRm(command.command('rm').description('remove one record, or all'), act)
}

const addListOptions = (command: Command) =>
  command
    .option('--search <text>', 'list only records whose id contains this text')
    .option(
      '--state <state>',
      'list only transactions whose loan had this state at the last verification (`none`: without a loan)',
    )
    .option('--since <time>', 'list only records that changed since this date, or within this duration, such as 7d')
    .option('--limit <n>', 'list at most this many records', '50')

type ListOptions = OptionsOf<ReturnType<typeof addListOptions>>

function filtersOf({ search, state, since }: ListOptions, now: number): Omit<Wanted, 'limit'> {
  return {
    contains: search,
    loanState: state?.toLowerCase() === 'none' ? '' : state,
    since: since === undefined ? undefined : new Date(Math.max(0, readSince('--since', since, now))).toISOString(),
  }
}

const defineList: Define = (command, act) => {
  addListOptions(command).action(
    act(async (context, options) => {
      const limit = readCount('--limit', options.limit)
      const { profile } = context.options
      const filters = filtersOf(options, context.clock.now())
      const found = await recall(context, { ...filters, limit: limit + 1 })
      const shown = found.slice(0, limit)
      const { style } = context.output
      await context.output.result(shown, () =>
        shown.length === 0 ? '' : table(shown, context.numbers, context.output.width, style.bold),
      )
      if (shown.length === 0 && Object.values(filters).some((each) => each !== undefined)) {
        context.output.note('No record of the history matches.')
      } else if (shown.length === 0) {
        const whose = profile === undefined ? '' : ` of ${profile}`
        context.output.note(
          `The history${whose} is empty. Begin a payment with bnpl evaluate, or try one: bnpl walkthrough -p sandbox`,
        )
      } else if (found.length > limit) {
        context.output.note(`These are the newest ${limit} records. Print more records with --limit N.`)
      }
    }),
  )
  examples(command, [
    ['the newest records of one account', 'bnpl history list -p acme --limit 10'],
    ['transactions of this week without a verified loan', 'bnpl history list --state none --since 7d'],
    ['the orders of one day, by a part of their id', 'bnpl history list --search 2026-03-01'],
    ['the last transaction, for a script', 'bnpl history list --json | jq -r "map(.externalTrxId // empty)[0]"'],
  ])
}

/** Ids are never cut, so that they can be copied. If an id does not fit, each id is on a separate line below its row. */
async function table(
  memories: Memory[],
  numbers: Numbers,
  width: number,
  bold: (text: string) => string,
): Promise<string> {
  const columns = columnsOf(numbers)
  const [when, ...others] = columns
  const beside = await renderTable<Memory>(memories, [when, { title: 'Id', value: memoryId }, ...others], {
    width,
    bold,
  })
  const ids = memories.map((memory) => visible(memoryId(memory)))
  if (ids.every((id) => beside.includes(id))) return beside
  const [head, ...rows] = (await renderTable<Memory>(memories, columns, { width, bold })).split('\n')
  const measure = await measureFor(ids)
  return [head, ...rows.flatMap((row, i) => [row, `  ${wrap(ids[i] ?? '', width - 2, '  ', measure)}`])].join('\n')
}

const plan = (memory: Memory) =>
  memory.kind === 'report' || memory.installments === null ? '' : `${memory.installments}×`

const state = (memory: Memory) =>
  memory.kind === 'report' ? `report, ${Math.ceil(memory.bytes / 1000)} kB` : (memory.loanState ?? '')

const columnsOf = (numbers: Numbers): readonly [Column<Memory>, ...Column<Memory>[]] => [
  { title: 'When', value: (memory) => formatTime(whenOf(memory)).slice(0, -3) },
  { title: 'Profile', value: (memory) => memory.profile, shrinks: true },
  {
    title: 'Amount',
    value: (memory) => (memory.kind === 'report' || memory.amount === null ? '' : numbers.amount(memory.amount)),
    align: 'right',
  },
  { title: 'Plan', value: plan, align: 'right' },
  { title: 'State', value: state },
]
