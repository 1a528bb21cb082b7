import { formatBytes, formatTime, type Numbers } from '../../terminal/numbers.ts'
import { type Column, renderWithWhole, tableOn } from '../../terminal/table.ts'
import { type Command, type Define, examples, type OptionsOf } from '../command.ts'
import { nextCommand } from '../global-options.ts'
import { readCount, readSince } from '../option-values.ts'
import { type Memory, memoryId, recall, type Wanted, whenOf } from './memory.ts'
import { showRecord } from './record.ts'
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
    .argument('[trx]', 'show the record with this id, as `bnpl history show` does')
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
    act(async (context, options, id) => {
      if (id !== undefined) return showRecord(context, id)
      const limit = readCount('--limit', options.limit)
      const { profile } = context.options
      const filters = filtersOf(options, context.clock.now())
      const found = await recall(context, { ...filters, limit: limit + 1 })
      const shown = found.slice(0, limit)
      await context.output.result(shown, () =>
        shown.length === 0 ? '' : renderMemories(shown, context.numbers, tableOn(context.output)),
      )
      if (shown.length === 0 && Object.values(filters).some((each) => each !== undefined)) {
        context.output.note('No record of the history matches.')
      } else if (shown.length === 0) {
        const whose = profile === undefined ? '' : ` of ${profile}`
        context.output.note(
          `The history${whose} is empty. Begin a payment with ${nextCommand(context, 'bnpl evaluate')}, or try one: bnpl walkthrough -p sandbox`,
        )
      } else if (found.length > limit) {
        context.output.note(`These are the newest ${limit} records. Print more records with --limit N.`)
      }
    }),
  )
  examples(command, [
    ['the newest records of one account', 'bnpl history list -p acme --limit 10'],
    ['transactions of this week without a verified loan', 'bnpl history list --state none --since 7d'],
    ['transactions whose id contains order-10', 'bnpl history list --search order-10'],
    ['the last transaction, for a script', 'bnpl history list --json | jq -r "map(.externalTrxId // empty)[0]"'],
  ])
}

const renderMemories = (memories: Memory[], numbers: Numbers, options: Parameters<typeof renderWithWhole>[3]) =>
  renderWithWhole(memories, columnsOf(numbers), { title: 'Id', value: memoryId, at: 1 }, options)

const plan = (memory: Memory) =>
  memory.kind === 'report' || memory.installments === null ? '' : `${memory.installments}×`

const state = (memory: Memory) =>
  memory.kind === 'report' ? `report, ${formatBytes(memory.bytes)}` : (memory.loanState ?? '')

const columnsOf = (numbers: Numbers): readonly Column<Memory>[] => [
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
