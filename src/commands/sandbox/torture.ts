import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { formatDuration } from '../../domain/clock.ts'
import { BnplError, codeOf, usage } from '../../errors.ts'
import type { JUnitCase } from '../../terminal/junit.ts'
import { countOf } from '../../terminal/numbers.ts'
import { startProgress } from '../../terminal/progress.ts'
import { measureFor, wrapWords } from '../../terminal/wrap.ts'
import { visible } from '../../text/visible.ts'
import type { Part } from '../../torture/fault-table.ts'
import type { Finding } from '../../torture/findings.ts'
import type { Pace } from '../../torture/pool.ts'
import type { Shop } from '../../torture/scenario.ts'
import type { Case, TortureReport } from '../../torture/torture.ts'
import { type Command, type Define, examples, type OptionsOf, offer } from '../command.ts'
import { refuseDryRun } from '../global-options.ts'
import { readCount, readDuration } from '../option-values.ts'
import { reportPlace, writeJUnit, writeReport } from '../report-file.ts'
import { addServiceOptions, noteService, readServiceOption } from '../service-option.ts'
import { privateEnvironment, withoutAccount } from './serve-here.ts'

/** The words that `--only` accepts. */
const PARTS: readonly Part[] = ['calls', 'webhooks', 'page', 'clock', 'refund']

const addTortureOptions = (command: Command) =>
  addServiceOptions(command, 'be this service')
    .argument('<command...>', 'the command and its arguments, after --; the command must make at least one payment')
    .option('--orders <command>', 'a shell command that prints the orders of the shop as NDJSON')
    .option(
      '--settle <command>',
      'a shell command that runs the shop’s own reconciliation. bnpl runs the reconciliation after the command, and then lists the orders again',
    )
    .option(
      '--restart <command>',
      'a shell command that starts the server of the shop, so that bnpl can kill and restart the server',
    )
    .option(
      '--customer',
      'let the payment page pay or reject by itself, depending on the test customer, so that a test needs no browser',
    )
    .option('--only <parts>', `try only the faults of these parts: ${PARTS.join(',')} (default: all)`)
    .option(
      '--seed <n>',
      'a number that decides which faults are tried with --limit, and which ids the sandboxes create',
      '1',
    )
    .option('--limit <n>', 'try only this many faults: each fault once, then at other places; --seed decides the order')
    .option(
      '--jobs <n>',
      'make this many runs at the same time (default: one for each processor, and more while the processors are idle)',
    )
    .option(
      '--time-limit <duration>',
      'time limit for the command; the same limit applies to --settle and to --orders (default: derived from the run without a fault)',
    )
    .option('--run <id>', 'repeat only the run with this id, such as cut-after@evaluate.1; each finding shows its id')
    .option('--repeat <n>', 'make each run with a fault this many times, to find mistakes that depend on chance', '1')
    .option(
      '--accept <file>',
      'leave out the known findings in this file: on each line, the id of a run and an invariant',
    )
    .option('--junit <file>', 'also write the runs as a JUnit report')
    .option('--report <file>', 'also write the report as an HTML page that needs no other file')
    .option('--badge <file>', 'also write the result as an SVG image for a README')

type TortureOptions = OptionsOf<ReturnType<typeof addTortureOptions>>

export const define: Define = (command, act) => {
  addTortureOptions(command).action(act(run))
  command.addHelpText('after', `\n${INVARIANT_HELP}`)
  offer(command, '--only', PARTS)
  examples(command, [
    [
      'try every fault; the shop reads the path of its database from SHOP_DATA',
      `bnpl sandbox torture --customer --orders "SHOP_DATA=\\$BNPL_RUN_DIR/shop.db node orders.js" -- sh -c "SHOP_DATA=\\$BNPL_RUN_DIR/shop.db npm test"`,
    ],
    [
      'in CI: try only 50 of the faults, and run the shop’s reconciliation',
      'bnpl sandbox torture --customer --orders "node orders.js" --settle "node settle.js" --limit 50 --junit torture.xml -- npm test',
    ],
    [
      'also kill the server of the shop, and start it again',
      `bnpl sandbox torture --orders "node orders.js" --restart "PORT=\\$BNPL_RUN_PORT npm start" -- npm test`,
    ],
    ['repeat the run of one finding', 'bnpl sandbox torture --run cut-after@evaluate.1 -- npm test'],
  ])
}

async function run(context: Context, options: TortureOptions, words: string[]): Promise<void> {
  refuseDryRun(context)
  const seed = readSeed(options.seed)
  const limit = options.limit === undefined ? undefined : readCount('--limit', options.limit)
  const jobs = options.jobs === undefined ? undefined : readCount('--jobs', options.jobs)
  const limitMs = options.timeLimit === undefined ? undefined : readDuration('--time-limit', options.timeLimit)
  if (options.run !== undefined && limit !== undefined)
    throw usage(
      '--run and --limit cannot be used together, because --run makes only one run',
      'Remove --run or --limit.',
    )
  const only = readParts(options.only)
  const repeat = readCount('--repeat', options.repeat)
  const { BADGE, PAGE } = await reporting()
  const { cwd } = context.world
  const places = {
    junit: await reportPlace(cwd, options.junit),
    page: await reportPlace(cwd, options.report, PAGE),
    badge: await reportPlace(cwd, options.badge, BADGE),
  }
  const accepted = await readAcceptFile(cwd, options.accept)
  await runTorture(context, { words, options, seed, limit, jobs, limitMs, only, repeat, places, accepted })
}

const reporting = () => import('./torture-report.ts')

/** Reads the file of --accept. Throws `usage` if it cannot be read, or has a line that is not a finding. */
async function readAcceptFile(cwd: string, given: string | undefined): Promise<ReadonlySet<string>> {
  if (given === undefined) return new Set()
  const { readAccepted } = await import('../../torture/findings.ts')
  const text = await readFile(resolve(cwd, given), 'utf8').catch((error: unknown) => {
    throw usage(
      `the file of --accept cannot be read: ${given} (${codeOf(error)})`,
      'Create the file, with a line such as: cut-after@evaluate.1 second-evaluation',
      'ACCEPT_FILE',
    )
  })
  const accepted = readAccepted(text)
  if (typeof accepted !== 'number') return accepted
  throw usage(
    `line ${accepted} of ${given} is not a finding`,
    'Write the id of a run and an invariant, such as: cut-after@evaluate.1 second-evaluation',
    'ACCEPT_FILE',
  )
}

function readSeed(text: string): number {
  const seed = Number(text)
  if (/^\d{1,10}$/.test(text) && seed < 2 ** 32) return seed
  throw usage(`--seed “${text}” is not a seed`, 'Use a whole number from 0 to 4294967295.', 'INVALID_SEED')
}

function readParts(text: string | undefined): readonly Part[] {
  if (text === undefined) return PARTS
  const given = text.split(',').map((word) => word.trim())
  const unknown = given.find((word) => !PARTS.some((part) => part === word))
  if (unknown === undefined) return PARTS.filter((part) => given.includes(part))
  throw usage(
    `--only “${unknown}” is not a part that can have faults`,
    `Use some of: ${PARTS.join(',')}`,
    'INVALID_PART',
  )
}

interface Given {
  words: readonly string[]
  options: TortureOptions
  seed: number
  limit: number | undefined
  jobs: number | undefined
  limitMs: number | undefined
  only: readonly Part[]
  repeat: number
  places: ReportPlaces
  accepted: ReadonlySet<string>
}

/** The absolute paths of the reports to write; undefined for each that is not wanted. */
interface ReportPlaces {
  junit: string | undefined
  page: string | undefined
  badge: string | undefined
}

/** Runs the user's command many times, each time with a different fault of the sandbox, and shows the report. */
async function runTorture(context: Context, given: Given): Promise<void> {
  const { clock, signal, output, io } = context
  const { options, seed } = given
  const { torture } = await import('../../torture/torture.ts')
  const { lastLines } = await reporting()
  const pace = paceOf(given.jobs)
  const description = await readServiceOption(context, options)
  if (description) noteService(output, description)
  const { least, most } = pace
  const range = most > least ? `${least} to ${most}` : least
  output.note(`Seed ${seed}, ${most === 1 ? 'one run' : `${range} runs`} at a time`)
  const startedAt = clock.now()
  const progress = await startProgress(io, context.options.quiet, 'the run without a fault')
  const started = clock.monotonic()
  let first = 0
  const report = await torture({
    shop: shopOf(context, given),
    clock,
    seed,
    customer: options.customer ?? false,
    description,
    only: given.only,
    limit: given.limit,
    onlyRun: options.run,
    pace,
    repeat: given.repeat,
    accepted: given.accepted,
    limitMs: given.limitMs,
    signal,
    line: { command: given.words, options: repeated(given) },
    onError: (error) => output.warn(`a sandbox failed: ${error instanceof Error ? error.name : typeof error}`),
    onFailure: ({ stdout, stderr }) => {
      const said = lastLines(stderr.trim() === '' ? stdout : stderr)
      if (said.length > 0) output.say('The last lines of the output of the command:', ...said)
    },
    onProgress(done, all, findings) {
      const elapsed = clock.monotonic() - started
      if (done === 1) first = elapsed
      const left = done === 1 ? undefined : ((elapsed - first) / (done - 1)) * (all - done)
      const parts = [`${done}/${all} runs`, ...(left === undefined ? [] : [`${formatDuration(left)} left`])]
      progress.update([...parts, `${findings} findings`].join(' · '))
    },
  }).finally(() => progress.stop())
  await showReport(context, report, given, startedAt)
}

/** While the shop waits, this many runs for each processor may take place. */
const MOST_OF_A_PROCESSOR = 6

/** Returns how many runs take place at the same time: as many as the user wants, or as the processors bear. */
function paceOf(jobs: number | undefined): Pace {
  const least = jobs ?? availableParallelism()
  return { least, most: jobs ?? MOST_OF_A_PROCESSOR * least }
}

/** The number of environments made by this process. */
let runCount = 0

function shopOf({ world }: Context, { words, options }: Given): Shop {
  return {
    command: words,
    orders: options.orders,
    settle: options.settle,
    restart: options.restart,
    cwd: world.cwd,
    pid: world.pid,
    environment: async ({ baseUrl, paymentUrl, accounts, service }, { folder, stateDir, cacheDir, port }) => ({
      ...withoutAccount(world.env),
      ...(await privateEnvironment({ baseUrl, paymentUrl, partners: accounts, description: service.description })),
      // Each run starts the programs of the shop several times. Node starts faster if it finds the compiled code of an earlier start.
      NODE_COMPILE_CACHE: world.env.NODE_COMPILE_CACHE || cacheDir,
      BNPL_STATE_DIR: stateDir,
      BNPL_RUN_DIR: folder,
      BNPL_RUN_ID: `run_${world.pid}_${++runCount}`,
      BNPL_RUN_PORT: port === undefined ? undefined : String(port),
    }),
    killGroup: world.killGroup,
  }
}

function repeated({ options, seed }: Given): string[] {
  const { orders, settle, restart, customer, timeLimit, service, like } = options
  const named = service ?? like
  return [
    ...(customer ? ['--customer'] : []),
    ...(named === undefined ? [] : ['--service', named]),
    ...(orders === undefined ? [] : ['--orders', orders]),
    ...(settle === undefined ? [] : ['--settle', settle]),
    ...(restart === undefined ? [] : ['--restart', restart]),
    ...(timeLimit === undefined ? [] : ['--time-limit', timeLimit]),
    '--seed',
    String(seed),
  ]
}

/**
 * Shows what `bnpl sandbox torture` found. Throws `check-failed` if the tested command broke an invariant, or the reason if a
 * signal or a failure ended the runs early.
 */
async function showReport(
  context: Context,
  report: TortureReport,
  { places }: Given,
  startedAt: number,
): Promise<void> {
  const { output, world, signal, options, clock } = context
  const { runs, faults, findings, notReached, customers = null } = report
  const { BADGE, badgeOf, faultInWords, PAGE, pageOf } = await reporting()
  const timestamp = new Date(startedAt).toISOString()
  if (places.junit !== undefined) {
    const cases = report.cases.map((each) => asJUnit(each, faultInWords))
    await writeJUnit(world, places.junit, 'bnpl sandbox torture', cases, timestamp, clock.now() - startedAt)
  }
  const shown = world.secrets.hideIn(report)
  if (places.page !== undefined) await writeReport(world, places.page, pageOf(shown, timestamp), PAGE)
  if (places.badge !== undefined) await writeReport(world, places.badge, badgeOf(shown), BADGE)
  const causes = report.causes.map(({ cause, fix, findings }) => ({
    cause,
    fix,
    findings: findings.map(({ id, invariant }) => ({ id, invariant })),
  }))
  // Two reports of the same shop are equal, so the JSON does not name what another torture may reach.
  const missed = notReached.filter((id) => !report.missedByChance.includes(id))
  const rows = options.output === 'json' ? { runs, faults, findings, notReached: missed, causes, customers } : findings
  await output.result(rows, () => renderReport(context, report))
  const { alike, evaluatedAgain, failedFirst, hasLoan, unheld, unsteady } = report
  if (failedFirst !== undefined) output.warn(`${failedFirst.message}. ${failedFirst.hint}`)
  if (customers !== null && customers.sentBack > 0) {
    const { sentBack, returned } = customers
    output.note(
      `In the run without a fault, ${returned} of ${countOf(sentBack, 'customer')} returned from the payment page to the shop.`,
    )
    if (returned === 0)
      output.note(
        'So the return page of the shop was not tested. Let your test follow the redirects of the payment page.',
      )
  }
  if (unheld.length > 0) output.note(`Without --orders these invariants could not be checked: ${unheld.join(', ')}.`)
  if (alike > 0)
    output.note(
      `${alike} more ${alike === 1 ? 'finding is' : 'findings are'} not shown, because the run without a fault breaks the same invariant. Correct the shop until that run has no finding.`,
    )
  if (notReached.length > 0)
    output.note(
      `${countOf(notReached.length, 'fault')} did not happen, or reached no running shop, so ${notReached.length === 1 ? 'it says' : 'they say'} nothing about it: ${notReached.join(', ')}. If the test ends before a late event arrives, start the shop’s server with --restart.`,
    )
  if (unsteady.length > 0)
    output.note(
      `The command does not always make the same number of calls, so the fault was not used in some runs: ${unsteady.map(({ place, missed, runs }) => `${place} (${missed} of ${countOf(runs, 'run')})`).join(', ')}.`,
    )
  const { accepted } = report
  if (accepted.length > 0)
    output.note(
      `${countOf(accepted.length, 'known finding')} of --accept ${accepted.length === 1 ? 'is' : 'are'} not shown: ${accepted.join(', ')}.`,
    )
  if (evaluatedAgain.length > 0)
    output.note(
      `After an evaluation of unknown outcome, the same customer was evaluated again for the same amount with a new transaction, in ${countOf(evaluatedAgain.length, 'run')}: ${evaluatedAgain.join(', ')}. This is right if your test’s customer began again. It is a mistake if the shop did it by itself.`,
    )
  if (!hasLoan && failedFirst === undefined)
    output.note('The run without a fault made no payment, so few faults could be tried.')
  if (!report.isWhole) signal.throwIfAborted()
  if (report.failure !== undefined) throw report.failure
  if (findings.length === 0) {
    if (report.tried === 0 || notReached.length < report.tried) return
    throw new BnplError('check-failed', 'no fault reached the shop, so nothing was checked', {
      code: 'NOTHING_TO_CHECK',
      hint: 'Start the shop’s server with --restart, so that it also runs after the test has ended.',
    })
  }
  const broken = new Set(findings.map(({ invariant }) => invariant))
  throw new BnplError(
    'check-failed',
    `${countOf(findings.length, 'finding')} in ${countOf(runs, 'run')}: ${[...broken].join(', ')}`,
    { code: 'INVARIANT_BROKE', hint: 'Run the command line of a finding to repeat only that run.' },
  )
}

const asJUnit = ({ name, ms, findings, happened }: Case, faultInWords: (finding: Finding) => string): JUnitCase => ({
  name,
  ms,
  ...(findings.length > 0
    ? {
        failure: [
          ...findings.slice(0, 1).map(faultInWords),
          ...findings.map(inOneLine),
          ...findings.slice(0, 1).map(({ reproduce }) => `again: ${reproduce}`),
        ].join('; '),
      }
    : !happened && { skipped: 'the fault did not reach the shop' }),
})

const inOneLine = ({ invariant, expected, seen }: Finding) => `${invariant}: ${expected}; ${seen}`

/** The last lines of the shop in the example of the worst cause. */
const SHOP_LINES = 3

/** How many ids of runs a cause shows. */
const RUNS_SHOWN = 3

/** Shows the causes, the worst first. Only the first has all its details, so that the report of a bad shop fits on a screen. */
async function renderReport({ output }: Context, report: TortureReport): Promise<string> {
  const { tried, faults, findings, causes, notReached, cases } = report
  const { style, width, inLanguage } = output
  const { faultInWords, lastLines, scoreOf, timelineInWords } = await reporting()
  const found = findings.length === 0 ? 'no invariant is broken' : countOf(findings.length, 'finding')
  const told = `Tried ${tried - notReached.length} of ${countOf(faults, 'fault')}, each in its own run, after a run without a fault: ${found}`
  const measure = await measureFor([
    ...findings.flatMap(({ expected, seen }) => [visible(expected), visible(seen)]),
    ...cases.flatMap(({ said }) => lastLines(said).map((text) => visible(text))),
  ])
  const line = (title: string, text: string) =>
    `   ${style.dim(inLanguage(title).padEnd(11))}${wrapWords(inLanguage(visible(text)), width - 14, ' '.repeat(14), measure)}`
  const blocks = causes.map(({ cause, fix, findings: its }, at) => {
    const [example] = its
    const ids = [...new Set(its.map(({ id }) => id))]
    const more = ids.length > RUNS_SHOWN ? ` and ${ids.length - RUNS_SHOWN} more` : ''
    const head = [
      `${style.red('✗')}  ${style.bold(wrapWords(inLanguage(cause), width - 3, '   ', measure))}`,
      line('what to do', fix),
      line('broken', [...new Set(its.map(({ invariant }) => invariant))].join(', ')),
      line('found by', `${ids.slice(0, RUNS_SHOWN).join(', ')}${more}`),
    ]
    if (example === undefined) return head.join('\n')
    const seen = line('seen', example.seen)
    if (at > 0) return [...head, seen, line('again', `--run ${example.id}, with the other options as above`)].join('\n')
    const its1 = cases.find(({ name }) => name === example.id)
    return [
      ...head,
      line('fault', faultInWords(example)),
      line('expected', example.expected),
      seen,
      ...(its1 === undefined || its1.timeline.length === 0 ? [] : [line('calls', timelineInWords(its1.timeline))]),
      ...lastLines(its1?.said ?? '')
        .slice(-SHOP_LINES)
        .map((text, nth) => line(nth === 0 ? 'the shop' : '', text)),
      // This line is never wrapped, because users copy it.
      `   ${style.dim(inLanguage('again').padEnd(11))}${visible(example.reproduce)}`,
    ].join('\n')
  })
  return [...blocks, wrapWords(inLanguage(told), width, '', measure), scoreOf(report)].join('\n\n')
}

const INVARIANT_HELP = `The command is run once without a fault. Then it is run once for every fault of
every call, every delivery and every visit of the payment page in that run.
Every run has a new sandbox (BNPL_BASE_URL, BNPL_API_KEY and the other variables
of \`bnpl sandbox run\`) and a new folder, which BNPL_RUN_DIR names. Keep the
database of the shop in that folder, so that no run lists the orders of another
run. With --jobs 1, only one run is made at a time.

--orders prints a line of JSON for each order of the shop:
  {"externalTrxId":"A-1","paid":true,"fulfilled":1}
“fulfilled” counts how often the order was shipped. If a line contains "amount"
or "installments", the value is compared with the loan. A shop with
refunds adds "refunded":true to an order that is refunded, and then "paid"
is false. After the processes of the command have ended, --orders runs. If
--settle is given, --settle runs then, and after it --orders runs again. If
the exit code of --settle is not 0, it runs a second time. In some runs,
--orders also runs while the command is running.

--restart starts the server of the shop before the command, and waits until the
server listens on the port in BNPL_RUN_PORT. For every place where a fault is
tried, one more run kills the server there and starts it again. Without
--restart, the command must start the shop itself, and nothing kills the shop.

These rules are checked after every run. A broken rule is a finding, and the
exit code is then 10. No order is paid without a loan, and every loan has its
paid order. Nothing is fulfilled twice, or before its loan was verified. Amounts
are equal. A call whose outcome is unknown is not repeated, also not with a new
transaction whose order is the only one that the shop keeps. One purchase has
one loan. An order is refunded if its loan is cancelled, and only then. Genuine
deliveries are accepted, and forged deliveries have no effect. No key and no
national id is in the output or in a log. The server of --restart runs until it
is killed, and starts again. The command ends. After a fault that a shop can
survive, the exit code of the command is 0.`
