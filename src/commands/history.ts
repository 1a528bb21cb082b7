import type { Context } from '../context.ts'
import { BnplError, usage } from '../errors.ts'
import type { ReportRecord, TransactionRecord } from '../history/history.ts'
import { countOf, formatBytes, formatTime, type Numbers } from '../terminal/numbers.ts'
import { type Column, renderFields, renderWithWhole, tableOn } from '../terminal/table.ts'
import { type Command, type Define, examples, type OptionsOf } from './command.ts'
import { agree, nextCommand, refuseDryRun } from './global-options.ts'
import { readCount, readIdentifier, readSince } from './option-values.ts'

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
      await context.output.result(
        shown,
        () => (shown.length === 0 ? '' : renderMemories(shown, context.numbers, tableOn(context.output))),
        FIELDS,
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
  { title: 'State', isText: true, value: state },
]

type Memory = ({ kind: 'transaction' } & TransactionRecord) | ({ kind: 'report' } & ReportRecord)

const FIELDS: readonly (keyof (TransactionRecord & ReportRecord) | 'kind')[] = [
  'kind',
  'profile',
  'externalTrxId',
  'amount',
  'entityId',
  'preApproveId',
  'installments',
  'loanRequestId',
  'tokenExpiresAt',
  'loanState',
  'verifiedAt',
  'createdAt',
  'updatedAt',
  'bytes',
  'sha256',
  'renderedAt',
  'fetchedAt',
]

/** Returns the id of a record: the merchant's transaction id, or the pre-approval id of a report. */
function memoryId(memory: Memory): string {
  return memory.kind === 'report' ? memory.preApproveId : memory.externalTrxId
}

/** Returns the time when a record was last changed, ISO 8601. */
function whenOf(memory: Memory): string {
  return memory.kind === 'report' ? memory.fetchedAt : memory.updatedAt
}

/** A query for records. A field that is left out does not limit the result. */
interface Wanted {
  limit: number
  id?: string
  contains?: string | undefined
  since?: string | undefined
  /** The loan's state; an empty text finds transactions without a loan. A query with this field finds no reports. */
  loanState?: string | undefined
}

/** Reads records, the newest first. With `--profile`, reads only the records of that profile. */
async function recall(context: Context, { id, loanState, ...wanted }: Wanted): Promise<Memory[]> {
  const { limit } = wanted
  const history = await context.history()
  const query = { ...wanted, profile: context.options.profile }
  const transactions = await history.list({ ...query, externalTrxId: id, loanState })
  const reports = loanState === undefined ? await history.listReports({ ...query, preApproveId: id }) : []
  return [
    ...transactions.map((record) => ({ kind: 'transaction', ...record }) as const),
    ...reports.map((record) => ({ kind: 'report', ...record }) as const),
  ]
    .sort((a, b) => Date.parse(whenOf(b)) - Date.parse(whenOf(a)))
    .slice(0, limit)
}

/** Reads the record of an id. Throws `not-found` for an unknown id, and `usage` for an empty one, and when several profiles have it. */
async function recallOne(context: Context, id: string): Promise<Memory> {
  const { profile } = context.options
  const text = readIdentifier('TRX', id)
  const exact = await recall(context, { limit: 10, id })
  // An earlier version stored an id with the blanks at its ends.
  const [found, ...others] = exact.length > 0 ? exact : await recall(context, { limit: 10, id: text })
  if (found === undefined) {
    throw new BnplError(
      'not-found',
      `${id} is not in the history of this machine${profile ? ` under profile ${profile}` : ''}`,
      {
        code: 'NOT_REMEMBERED',
        hint: `See the history: ${nextCommand(context, 'bnpl history')}. Or ask the service: ${nextCommand(context, 'bnpl verify', [id])}`,
      },
    )
  }
  if (others.length === 0) return found
  const profiles = [found, ...others].map((each) => each.profile).join(', ')
  throw usage(`${id} is in the history of several profiles: ${profiles}`, 'Choose a profile with -p NAME.', 'AMBIGUOUS')
}

/** Prints the record of one transaction or report. Throws `not-found` if the history has no such record. */
async function showRecord(context: Context, id: string): Promise<void> {
  const memory = await recallOne(context, id)
  await context.output.result(memory, () =>
    renderFields(
      fieldsOf(memory, context.numbers).map(([name, value]) => [name, value ?? '–'] as const),
      context.output,
    ),
  )
}

function fieldsOf(memory: Memory, numbers: Numbers): [name: string, value: string | null][] {
  if (memory.kind === 'report') {
    return [
      ['Report of', memory.preApproveId],
      ['Profile', memory.profile],
      ['Bytes', String(memory.bytes)],
      ['SHA-256', memory.sha256],
      ['Unchanged since', formatTime(memory.renderedAt)],
      ['Last fetched', formatTime(memory.fetchedAt)],
    ]
  }
  return [
    ['Transaction', memory.externalTrxId],
    ['Profile', memory.profile],
    ['Amount', memory.amount === null ? null : numbers.amount(memory.amount)],
    ['Entity id', memory.entityId],
    ['Pre-approval', memory.preApproveId],
    ['Installments', memory.installments === null ? null : String(memory.installments)],
    ['Loan request', memory.loanRequestId],
    ['Token valid until', time(memory.tokenExpiresAt)],
    ['Loan', memory.loanState],
    ['Verified', time(memory.verifiedAt)],
    ['First seen', time(memory.createdAt)],
    ['Last changed', time(memory.updatedAt)],
  ]
}

const time = (iso: string | null) => (iso === null ? null : formatTime(iso))

/** `history rm`: removes records from this machine. Nothing is sent to the service. */
const defineHistoryRm: Define = (command, act) => {
  command
    .argument('[trx]', 'your transaction id, or the pre-approval id of a report')
    .option('--all', 'remove all records (with -p: only those of that profile)')
    .option('--if-exists', 'succeed if the id is not in the history')
    .action(
      act(async (context, options, id) => {
        refuseDryRun(context)
        if ((id === undefined) === !options.all)
          throw usage(
            'either an id or --all is needed, and not both',
            `List the ids with: ${nextCommand(context, 'bnpl history')}`,
          )
        const forgotten =
          id === undefined ? await forgetAll(context) : await forgetOne(context, id, options.ifExists === true)
        await context.output.result({ forgotten }, () => '')
        context.output.note(`Removed from the history: ${countOf(forgotten, 'record')}.`)
      }),
    )
  examples(command, [
    ['remove one transaction', 'bnpl history rm order-1001'],
    ['remove all records of the sandbox', 'bnpl history rm --all -p sandbox --yes'],
  ])
}

async function forgetAll(context: Context): Promise<number> {
  const { profile } = context.options
  await agree(
    context,
    `Remove every transaction and report${profile ? ` of ${profile}` : ''} from the history of this machine?`,
  )
  const history = await context.history()
  const query = profile === undefined ? {} : { profile }
  return (await history.forget(query)) + (await history.forgetReports(query))
}

async function forgetOne(context: Context, id: string, ifExists: boolean): Promise<number> {
  const memory = await recallOne(context, id).catch((error: unknown) => {
    if (ifExists && error instanceof BnplError && error.kind === 'not-found') return undefined
    throw error
  })
  if (memory === undefined) return 0
  const what = memoryId(memory)
  await agree(
    context,
    memory.kind === 'report'
      ? `Remove report ${what} from the history of this machine?`
      : `Remove transaction ${what} from the history of this machine?`,
  )
  const history = await context.history()
  const { profile } = memory
  return memory.kind === 'report'
    ? history.forgetReports({ profile, preApproveId: memory.preApproveId })
    : history.forget({ profile, externalTrxId: memory.externalTrxId })
}

/** `history show ID`: prints the record of one transaction or report. */
const defineHistoryShow: Define = (command, act) => {
  command
    .argument('<trx>', 'your transaction id, or the pre-approval id of a report')
    .action(act((context, _, id) => showRecord(context, id)))
  examples(command, [
    ['the pre-approval id, for a script', 'bnpl history show order-1001 --json | jq -r .preApproveId'],
  ])
}
