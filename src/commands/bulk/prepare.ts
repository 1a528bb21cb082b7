import { type CheckedFile, checkRows } from '../../bulk/check.ts'
import { type Claims, claimFiles, openClaims } from '../../bulk/claims.ts'
import { chosenColumns, columnsInWords } from '../../bulk/columns.ts'
import type { CheckedRows } from '../../bulk/earlier-runs.ts'
import { createRowSum, type RowSum } from '../../bulk/id-hashes.ts'
import { asChecked, type CheckedInput, openInput } from '../../bulk/input.ts'
import { type Job, openJob } from '../../bulk/job.ts'
import { isFinal } from '../../bulk/outcome.ts'
import { createResultText, type ResultTextOptions } from '../../bulk/result-rows.ts'
import type { Operation, RowFile } from '../../bulk/row.ts'
import { openRows } from '../../bulk/row-file.ts'
import { createPace, type DoneRow, type Pace } from '../../bulk/send-rows.ts'
import type { ApiClient } from '../../client/client.ts'
import { DEFAULT_RETRY, type Pacing } from '../../client/retry.ts'
import type { Context } from '../../context.ts'
import { answerOf, isKnown } from '../../contract/description.ts'
import { keptFolder } from '../../disk/kept-files.ts'
import { addressPrefix } from '../../domain/addresses.ts'
import { formatDuration } from '../../domain/clock.ts'
import { usage } from '../../errors.ts'
import type { Settings } from '../../profiles/resolve.ts'
import { harmlessCell } from '../../terminal/csv.ts'
import type { Numbers } from '../../terminal/numbers.ts'
import { firstOf, harmlessJson, visible } from '../../text/visible.ts'
import { historyKey } from '../history-notes.ts'
import { prepareLongRun } from '../long-run.ts'
import { reportPlace } from '../report-file.ts'
import { type BulkOptions, type BulkPlan, readBulkOptions } from './options.ts'
import { createTally, openRunResults, type RunResults, type Tally } from './results.ts'

export interface FileCommand {
  operation: Operation
  /** Runs before the first row is sent. If it throws, nothing is sent. */
  before?(rows: number): Promise<void>
  onRows?(rows: readonly DoneRow[]): Promise<void>
  /** Runs after the result files were renamed from their temporary names, and before the exit code is decided. */
  onEnd?(tally: Tally): Promise<void>
}

/** A run over a file after every row was checked. Nothing was sent. */
interface PreparedRun {
  /** The options as they were given, also those of the command itself. */
  options: BulkOptions
  plan: BulkPlan
  command: FileCommand
  calls: Calls
  pace: Pace
  drain: AbortController
  /** Prevents other runs from using the same files; undefined for a dry run. */
  claims: Claims | undefined
  input: CheckedInput
  checked: CheckedFile
  file: RowFile
}

/** Reads the options and checks every row of the file. Sends nothing. */
export async function prepare(
  context: Context,
  from: string,
  options: BulkOptions,
  make: (calls: Calls) => FileCommand,
): Promise<PreparedRun> {
  const plan = readBulkOptions(context, from, options)
  const { world, signal } = context
  prepareLongRun(world)
  await reportPlace(world.cwd, options.junit)
  const unbound = await world.boundMemory()
  context.onClose(async () => unbound())
  const drain = new AbortController()
  const pace = await paceOf(context, plan.perSecond)
  let rows = 0
  const what = () => (command.operation.repeatable ? undefined : `send ${rows} ${command.operation.things}`)
  const calls: Calls = {
    api: sharedApi(context, pace, drain.signal, what),
    signal: drain.signal,
    resume: plan.resume,
  }
  const made = make(calls)
  const operation = asChosen(made.operation, options, plan)
  const command = { ...made, operation }
  const dir = keptFolder(world.stateDir, 'bulk')
  const { encoding } = plan
  const opened = await openInput(from, { cwd: world.cwd, spoolDir: dir, stdin: context.io.stdin, signal, encoding })
  context.onClose(opened.close)
  const claims = context.options.dryRun ? undefined : await openOurClaims(context)
  if (claims) claimFiles(claims, [plan.out, plan.failed, plan.junit])
  const checked = await checkRows(opened, operation, signal)
  const input = asChecked(opened, checked.content)
  const file = await openRows(input, operation)
  await noteColumns(context, operation, checked)
  if (checked.otherColumns === undefined && (plan.form ?? file.form) === 'csv') throw tooManyColumns(opened.name)
  if (checked.leftOut.length > 0 && !context.options.dryRun) context.output.note(leftOutNote(checked.leftOut))
  rows = checked.rows
  return { options, plan, command, calls, pace, drain, claims, input, checked, file }
}

/** Returns the operation with what the options say about the rows. */
function asChosen(operation: Operation, options: BulkOptions, { encoding }: BulkPlan): Operation {
  const { column = [], acceptIds = false, skipTotal = false } = options
  // Another column or encoding changes what is sent for a row.
  const settings = [
    operation.settings,
    ...column.map((each) => `column ${each}`),
    ...(encoding === undefined ? [] : [encoding]),
  ]
  return {
    ...operation,
    columns: column.length === 0 ? operation.columns : chosenColumns(operation.columns, column),
    acceptIds,
    skipTotal,
    settings: settings.join(', '),
  }
}

/** Says once, before the first call, how the columns of the file are used. Throws `usage` if a column of `--column` is not in the file. */
async function noteColumns(
  { output }: Context,
  { columns }: Operation,
  { use, filled, rows, skipped, notes }: CheckedFile,
): Promise<void> {
  const absent = columns.find(({ only }, i) => only !== undefined && use.used[i]?.length === 0)
  if (absent !== undefined)
    throw usage(
      `the file has no column ${absent.only?.join(', ')}, which --column names`,
      use.unused.length === 0
        ? 'It has no other columns. Nothing was sent.'
        : `Its other columns are: ${use.unused.slice(0, 20).join(', ')}. Nothing was sent.`,
      'MISSING_COLUMN',
    )
  output.note(columnsInWords(columns, use, filled, rows))
  const lines = firstOf(skipped.map(String), 10)
  if (skipped.length === 1) output.note(`Left out as a row of totals: line ${lines}.`)
  if (skipped.length > 1) output.note(`Left out as rows of totals: lines ${lines}.`)
  for (const note of notes) output.note(note)
}

const NAMED_COLUMNS = 5

function leftOutNote(names: readonly string[]): string {
  const more = names.length > NAMED_COLUMNS ? ` and ${names.length - NAMED_COLUMNS} more` : ''
  const columns = names.slice(0, NAMED_COLUMNS).join(', ')
  return names.length === 1
    ? `The results leave out the column ${columns}, because results never contain national ids.`
    : `The results leave out the columns ${columns}${more}, because results never contain national ids.`
}

const tooManyColumns = (name: string) =>
  usage(
    `${name} has too many different fields for CSV results, in which every field is a column`,
    'Write the results as NDJSON, with -o ndjson or with --out and a name that ends in .ndjson. Nothing was sent.',
    'TOO_MANY_COLUMNS',
  )

async function openOurClaims(context: Context): Promise<Claims> {
  const { stateDir, pid, isAlive } = context.world
  const dir = keptFolder(stateDir, 'claims')
  const claims = await openClaims({ dir, pid, isAlive, notice: context.output.warn })
  context.onClose(async () => claims.release())
  return claims
}

/** A run whose ledger and results are open. */
export interface OpenRun extends PreparedRun {
  job: Job
  tally: Tally
  results: RunResults
  sum: RowSum
}

/** Opens the record of sent rows, then the result files. If this fails, the record of an earlier run is not changed. */
export async function openRun(context: Context, prepared: PreparedRun, claims: Claims): Promise<OpenRun> {
  const { plan, command, input, checked, file } = prepared
  const { operation } = command
  const { world, clock } = context
  const settings = await context.settings()
  const job = await openJob({
    dir: keptFolder(world.stateDir, 'bulk'),
    claims,
    facts: {
      command: operation.command,
      profile: runAccount(settings),
      source: input.path ?? 'stdin',
      digest: checked.content.digest,
      settings: operation.settings,
      rows: checked.rows,
      startedAt: new Date(clock.now()).toISOString(),
      pid: world.pid,
    },
    rows: checkedRows(prepared),
    repeatable: operation.repeatable,
    resume: plan.resume,
    restart: plan.restart,
    notice: context.output.warn,
  })
  try {
    const tally = createTally(checked.rows, job.known(plan.retryUnknown), isFinal)
    const text = await createResultText(plan.form ?? file.form, {
      operation,
      otherColumns: checked.otherColumns ?? [],
      cell: cellsFor(plan.csvRaw, plan.out === undefined && context.io.stdoutIsTty),
      clean: harmlessJson,
      isForExcel: plan.csvExcel,
    })
    const claim = (paths: readonly string[]) => claimFiles(claims, paths)
    const results = await openRunResults(context, { plan, file, text, operation, input: input.path, claim })
    if (job.extends !== undefined) context.output.note(extendsNote(job.extends, tally, context.numbers))
    return { ...prepared, job, tally, results, sum: createRowSum() }
  } catch (error) {
    job.discard()
    throw error
  }
}

function extendsNote(startedAt: string, { rows, known }: Tally, numbers: Numbers): string {
  const [rowsWere, are] = known === 1 ? ['1 row was', 'is'] : [`${numbers.count(known)} rows were`, 'are']
  const otherRows = rows - known === 1 ? 'the other row' : `the other ${numbers.count(rows - known)} rows`
  return `${rowsWere} sent by the run of ${startedAt} and ${are} not sent again; sending ${otherRows}`
}

function checkedRows({ command, checked, input }: PreparedRun): CheckedRows {
  const { operation } = command
  return {
    ids: operation.repeatable ? new Float64Array() : checked.ids,
    async *again() {
      const file = await openRows(input, operation)
      for await (const batch of file.batches) {
        yield batch.map((row) => file.values(row)).filter((values) => typeof values !== 'string')
      }
    },
  }
}

/**
 * Returns the account to which a run belongs. An address with a slash at its end, or in upper case, is the same account, because the calls go
 * to the same address.
 */
function runAccount(settings: Settings): string {
  return `${historyKey(settings)} ${settings.baseUrl === undefined ? '' : addressPrefix(settings.baseUrl.value)}`
}

type ToCell = ResultTextOptions['cell']

const rawCell: ToCell = (value) => {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value ?? '')
}

/** Returns the function that converts values to cells. On a terminal, control characters are always made visible. */
function cellsFor(csvRaw: boolean, isTerminal: boolean): ToCell {
  const chosen = csvRaw ? rawCell : harmlessCell
  if (!isTerminal) return chosen
  return (value) => {
    const text = chosen(value)
    return typeof text === 'string' ? visible(text) : text
  }
}

/**
 * Returns the pace of a run: that of `--rate`, otherwise the limit of the service, if its description is known to have one. Answers that say
 * how many calls are left slow every run down. A wait is noted once.
 */
async function paceOf(context: Context, perSecond: number | undefined): Promise<Pace> {
  const { clock, signal, output } = context
  const { service } = await context.settings()
  const isLimited = perSecond === undefined && isKnown(service.answers.rateLimit)
  const limit = isLimited ? answerOf(service, 'rateLimit') : undefined
  const ms = limit && (1000 * limit.burst) / limit.perSecond
  const noted = new Set<string>()
  const noteOnce = (what: string, text: string) => {
    if (!noted.has(what)) output.note(text)
    noted.add(what)
  }
  return createPace(clock, signal, perSecond, {
    window: limit && ms ? { calls: limit.burst, ms: ms + MARGIN_MS } : undefined,
    onHold(why, waitMs) {
      if (why === 'window' && limit && ms)
        noteOnce(
          why,
          `The service allows ${limit.burst} calls in ${formatDuration(ms)}, so the run makes no more. --rate sets another rate.`,
        )
      if (why === 'answer')
        noteOnce(
          why,
          `The service says that it allows no more calls for ${Math.ceil(waitMs / 1000)} s, so all calls wait.`,
        )
    },
  })
}

/** The window of a service may be counted a little later than ours, because calls take different times to arrive. */
const MARGIN_MS = 1000

export interface Calls {
  api(): Promise<ApiClient>
  /** Aborted when the calls in progress must end. */
  signal: AbortSignal
  /** Whether `--resume` or `--retry-unknown` was given. If so, results of an earlier run may already exist. */
  resume: boolean
}

/**
 * The maximum number of times that a call is sent if the answer is 429. Repeating is safe, because a 429 means that the service did
 * nothing.
 */
const LIMITED_ATTEMPTS = 20

/**
 * Returns a function that creates the client for all rows when the first row needs it. If the calls change something
 * on a production profile, the user is asked first.
 * @param what returns the action in the words of that question, such as “send 250 evaluations”. Returns undefined if
 * the calls change nothing
 */
function sharedApi(
  context: Context,
  pacing: Pacing & { pausedFor(): number },
  signal: AbortSignal,
  what: () => string | undefined,
): () => Promise<ApiClient> {
  const noteLimit = limitNotes(context)
  let client: Promise<ApiClient> | undefined
  return () => {
    client ??= context.apiFor({
      pacing,
      signal,
      retry: { ...DEFAULT_RETRY, limitedAttempts: LIMITED_ATTEMPTS },
      onWait(waitMs, why) {
        if (why === '429' && pacing.pausedFor() === 0) noteLimit(waitMs)
      },
      what: what(),
    })
    return client
  }
}

/**
 * In ms. The calls of a fast run may have to wait every second, for hours. To keep the output short, a note is printed at most once in this
 * time, except for a wait that is longer than all before.
 */
const NOTE_EVERY_MS = 60_000

/** Returns a function that notes a wait after a 429: the first one, each that is longer than those before, and one a minute. */
function limitNotes({ clock, output }: Context): (waitMs: number) => void {
  let notedAt = Number.NEGATIVE_INFINITY
  let longest = 0
  let unnoted = 0
  return (waitMs) => {
    const seconds = Math.ceil(waitMs / 1000)
    if (seconds <= longest && clock.monotonic() - notedAt < NOTE_EVERY_MS) {
      unnoted++
      return
    }
    const often =
      unnoted === 0 ? '' : `. Further waits since the last note: ${unnoted}. Use --rate to send fewer calls a second`
    output.note(`status 429 (too many requests): all calls wait ${seconds} s${often}`)
    notedAt = clock.monotonic()
    longest = Math.max(longest, seconds)
    unnoted = 0
  }
}
