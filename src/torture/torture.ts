import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BnplError, usage } from '../errors.ts'
import { DELIVERY, PAGE_VISIT } from '../sandbox/store/fault-effect.ts'
import { type Cause, causesOf } from './causes.ts'
import { isLong, isSamePlace, isSilent, type Part, type Place } from './fault-table.ts'
import { acceptedName, type CommandLine, type Finding, findingsOf, NO_FAULT, withoutEarlierOrders } from './findings.ts'
import { evaluatedAgain, type InvariantName, NEED_ORDERS } from './invariants.ts'
import { type Customers, type Happening, type Outcome, runOnce } from './one-run.ts'
import {
  isByChance,
  isFurtherCall,
  mayReach,
  planRuns,
  type Run,
  readRun,
  steadyPlaces,
  type Unsteady,
  unsteadyPlaces,
} from './plan.ts'
import { inParallel, type Pace } from './pool.ts'
import type { Ran } from './program.ts'
import type { RunSetting } from './scenario.ts'

interface TortureSetting extends Omit<RunSetting, 'limitMs' | 'cacheDir'> {
  only: readonly Part[]
  limit: number | undefined
  /** If undefined, all runs of the plan are made. */
  onlyRun: string | undefined
  pace: Pace
  /** How often each run with a fault is made, to find mistakes that depend on chance. */
  repeat: number
  /** In ms; undefined to derive the time limit from the first run. */
  limitMs: number | undefined
  line: CommandLine
  /** Findings that are known, as `acceptedName` writes them. They are left out of the report. */
  accepted: ReadonlySet<string>
  onFailure(ran: Pick<Ran, 'stdout' | 'stderr'>): void
  /** Called after each run. `done` and `all` include the run without a fault. */
  onProgress(done: number, all: number, findings: number): void
}

export interface Case {
  name: string
  ms: number
  findings: readonly Finding[]
  /** Whether the fault happened and the shop was there to notice it. True if the run has a finding, because then the shop noticed something. */
  happened: boolean
  /** What happened at the service. Empty for a run without a finding. */
  timeline: readonly Happening[]
  /** What the shop's programs wrote. Empty for a run without a finding. */
  said: string
}

export interface TortureReport {
  /** The number of runs, including the one without a fault and every repetition. */
  runs: number
  /** The number of faults that were tried. */
  tried: number
  /** The number of faults at all places together, before `--limit` is applied. */
  faults: number
  findings: readonly Finding[]
  /** The findings, grouped by what explains them. */
  causes: readonly Cause[]
  cases: readonly Case[]
  /** The number of findings that are left out, because the run without a fault broke the same invariant. */
  alike: number
  /** The ids of the runs in which the fault did not happen, or nobody was there to receive it. They count neither way. */
  notReached: readonly string[]
  /** Those of `notReached` whose fault another torture of the same shop may reach (`isByChance`). */
  missedByChance: readonly string[]
  /** Invariants that could not be checked, because the shop's orders are not known. */
  unheld: readonly InvariantName[]
  hasLoan: boolean
  /** The customers of the run without a fault; undefined if the payment page does not decide for them. */
  customers: Customers | undefined
  /** Why only the run without a fault was made: its command or `--settle` failed. */
  failedFirst: BnplError | undefined
  /** The accepted findings that were found, as lines of the file of --accept. */
  accepted: readonly string[]
  /** The ids of the runs in which a customer was evaluated again after an evaluation of unknown outcome, if this is not a finding. */
  evaluatedAgain: readonly string[]
  unsteady: readonly Unsteady[]
  /** False if a signal or a failure ended the torture before its last run. */
  isWhole: boolean
  /** The error that ended the torture before its last run. It is not thrown, so that the findings made until then are reported. */
  failure: unknown
}

const limitFor = (firstMs: number) => 10_000 + 5 * firstMs

const FIRST_LIMIT_MS = 600_000

/**
 * Runs a shop once without a fault, then once for every fault at every place that the shop reached, and judges each run.
 * @throws `usage` when the shop's programs fail without a fault and break no invariant, or list orders of an earlier run before anything was
 * found; `check-failed` when they never call the service
 */
export async function torture(setting: TortureSetting): Promise<TortureReport> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'bnpl-torture-cache-'))
  try {
    return await tortureWith({ ...setting, cacheDir })
  } finally {
    await rm(cacheDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function tortureWith(options: TortureSetting & Pick<RunSetting, 'cacheDir'>): Promise<TortureReport> {
  const { signal, onProgress, line } = options
  const named = namedRuns(options)
  const first = await runOnce({ ...options, limitMs: options.limitMs ?? FIRST_LIMIT_MS }, undefined)
  signal.throwIfAborted()
  const failedFirst = checkFirst(first, options)
  const { before, after } = first.elsewhere
  const firstFacts = withoutEarlierOrders(first.facts, before)
  const sharesOrders = before.size + after.size > 0
  const places = steadyPlaces(first.places, first.facts.calls)
  const known = first.facts.calls.flatMap(({ externalTrxId }) => externalTrxId ?? [])
  const reference = { loans: first.facts.books.loans.length, listsOpenOrders: first.listsOpenOrders }
  const usedAccepted = new Set<string>()
  const isAccepted = (finding: Finding) => {
    const name = acceptedName(finding)
    const isKnown = options.accepted.has(name)
    if (isKnown) usedAccepted.add(name)
    return isKnown
  }
  // Pass no known ids of transactions, because only a second run shows which ids stay the same.
  const withoutFault = findingsOf(firstFacts, { ...reference, run: undefined }, [], line)
  const broken = withoutFault.filter((finding) => !isAccepted(finding))
  if (failedFirst !== undefined && broken.every(({ invariant }) => SAY_THE_SAME.includes(invariant))) throw failedFirst
  const everything = planRuns(places, { ...options, limit: undefined })
  for (const { id, place } of named ?? []) {
    if (!mayReach(first.places, place)) throw notReached(id)
  }
  const runs = failedFirst === undefined ? (named ?? planRuns(places, options)) : []
  const setting = { ...options, limitMs: options.limitMs ?? limitFor(first.ran.ms) }
  const cases = new Map<string, Case>()
  const reached = new Map<string, boolean>()
  const again = new Set<string>()
  let alike = 0
  let found = broken.length
  const always = new Set<InvariantName>(withoutFault.map(({ invariant }) => invariant))
  onProgress(1, runs.length * options.repeat + 1, found)
  // Begin with the runs in which the shop waits, so that the last runs are short.
  const waitingFirst = runs.toSorted((a, b) => Number(isLong(b.torture)) - Number(isLong(a.torture)))
  const planned = waitingFirst.flatMap((run) => Array.from({ length: options.repeat }, () => run))
  let madeCount = 0
  const failure = await inParallel(planned, options.pace, async (run) => {
    if (signal.aborted) return
    const started = performance.now()
    const isSecond = !isSilent(run.torture) && isFurtherCall(run, first.facts.calls)
    const outcome = await runOnce(setting, run, { sharesOrders, isSecond })
    const { facts, places: itsPlaces, elsewhere } = outcome
    // The programs of an interrupted run were killed, so the run says nothing about the shop.
    if (signal.aborted) return
    const all = findingsOf(withoutEarlierOrders(facts, elsewhere.before), { ...reference, run }, known, line)
    const unlike = all.filter(({ invariant }) => !always.has(invariant))
    alike += all.length - unlike.length
    const findings = unlike.filter((finding) => !isAccepted(finding))
    const before = cases.get(run.id)
    const happened = outcome.happened || unlike.length > 0
    const made = merged(before, caseOf(run.id, performance.now() - started, findings, { ...outcome, happened }))
    found += made.findings.length - (before?.findings.length ?? 0)
    cases.set(run.id, made)
    madeCount += 1
    const isFound = all.some(({ invariant }) => invariant === 'evaluated-again')
    if (!isFound && evaluatedAgain(facts.calls, run).length > 0) again.add(run.id)
    reached.set(run.id, (reached.get(run.id) ?? false) || isReached(run.place, itsPlaces))
    onProgress(madeCount + 1, planned.length + 1, found)
  })
  if (failure !== undefined && found === 0) throw failure
  const made = runs.flatMap(({ id }) => cases.get(id) ?? [])
  const findings = [...broken, ...made.flatMap((each) => each.findings)]
  const missed = runs.filter(({ id }) => cases.get(id)?.happened === false)
  return {
    runs: madeCount + 1,
    tried: made.length,
    faults: everything.length,
    findings,
    causes: causesOf(findings),
    cases: [caseOf(NO_FAULT, first.ran.ms, broken, first), ...made],
    alike,
    notReached: missed.map(({ id }) => id),
    missedByChance: missed.filter((run) => isByChance(run, first.facts.calls, options.shop)).map(({ id }) => id),
    unheld: options.shop.orders === undefined ? NEED_ORDERS : [],
    accepted: [...usedAccepted].toSorted(),
    hasLoan: reference.loans > 0,
    customers: first.customers,
    failedFirst,
    evaluatedAgain: runs.map(({ id }) => id).filter((id) => again.has(id)),
    unsteady: unsteadyPlaces(
      first.places,
      runs.flatMap(({ id, place }) => {
        const isReached = reached.get(id)
        return isReached === undefined ? [] : [{ place, isReached }]
      }),
    ),
    isWhole: madeCount === planned.length,
    failure,
  }
}

/** Joins the repetitions of a run. A finding that an earlier one has too is listed once. */
function merged(before: Case | undefined, now: Case): Case {
  if (before === undefined) return now
  const isNew = ({ invariant, expected }: Finding) =>
    !before.findings.some((each) => each.invariant === invariant && each.expected === expected)
  const shown = before.findings.length > 0 ? before : now
  return {
    ...shown,
    ms: before.ms + now.ms,
    findings: [...before.findings, ...now.findings.filter(isNew)],
    happened: before.happened || now.happened,
  }
}

function caseOf(name: string, ms: number, findings: readonly Finding[], outcome: Outcome): Case {
  const { happened, timeline, ran, settled, served } = outcome
  const isShown = findings.length > 0
  const said = [ran, served, settled].map((each) => each?.stderr.trimEnd() ?? '').filter((text) => text !== '')
  return { name, ms, findings, happened, timeline: isShown ? timeline : [], said: isShown ? said.join('\n') : '' }
}

function namedRuns({ onlyRun, shop }: TortureSetting): Run[] | undefined {
  if (onlyRun === undefined) return undefined
  if (onlyRun === NO_FAULT) return []
  const run = readRun(onlyRun)
  if (run === undefined)
    throw usage(
      `--run “${onlyRun}” is not the id of a run`,
      'Use an id that a finding shows, such as cut-after@evaluate.1.',
    )
  const { sort } = run.torture
  if ((sort === 'restart' || sort === 'settle') && shop[sort] === undefined) {
    const what = sort === 'restart' ? 'that starts the server of the shop' : 'of the shop’s reconciliation'
    throw usage(`--run “${onlyRun}” needs --${sort}`, `Add --${sort} with the shell command ${what}.`)
  }
  return [run]
}

const notReached = (id: string): BnplError =>
  usage(
    `--run “${id}” names a call, delivery or page visit that was not reached in the first run, which has no fault`,
    'Copy the whole command line that the finding shows.',
  )

/** Whether a run reached a place. Deliveries and page visits always count as reached, because the fault itself may prevent them. */
const isReached = (place: Place, places: readonly Place[]): boolean =>
  place.name === DELIVERY || place.name === PAGE_VISIT || places.some((each) => isSamePlace(each, place))

/** The invariants that a command breaks by failing. Alone they say no more than that it failed. */
const SAY_THE_SAME: readonly InvariantName[] = ['hang', 'orders-unreadable', 'not-running']

/**
 * Checks the run without a fault. If its command or `--settle` failed, returns why, because then the runs with faults would show nothing.
 * Throws if the run says nothing about the shop.
 */
function checkFirst(
  { ran, settled, served, facts, places }: Outcome,
  { onFailure }: Pick<TortureSetting, 'onFailure'>,
): BnplError | undefined {
  if (facts.notRunning !== undefined) {
    if (served) onFailure(served)
    throw usage(
      `the command of --restart failed in the run without a fault: ${facts.notRunning}`,
      'Make the server listen on the port in BNPL_RUN_PORT and stay in the foreground.',
      'COMMAND_FAILS',
    )
  }
  const failed = [ran, settled].find((each) => each !== undefined && (each.code !== 0 || each.hung))
  if (failed !== undefined) {
    onFailure(failed)
    return failureOfFirst(failed, failed === settled)
  }
  const { unreadable } = facts
  if (unreadable !== undefined)
    throw usage(
      `the shop’s orders could not be read in the run without a fault: ${unreadable}`,
      'Let --orders print a line of JSON for each order: {"externalTrxId":"…","paid":true,"fulfilled":1}',
      'ORDERS_UNREADABLE',
    )
  if (places.length > 0) return undefined
  throw new BnplError('check-failed', 'the command did not call the service, so there is nothing to torture', {
    code: 'NOTHING_TO_CHECK',
    hint: 'Make the command read the address and the key of the service from BNPL_BASE_URL and BNPL_API_KEY.',
  })
}

function failureOfFirst({ code, hung }: Pick<Ran, 'code' | 'hung'>, isSettle: boolean): BnplError {
  const late = isSettle
    ? 'the command of --settle did not end within its time limit'
    : 'the command did not end within its time limit'
  const ended = isSettle
    ? `the command of --settle ended with exit code ${code}`
    : `the command ended with exit code ${code}`
  const how = hung ? late : ended
  return usage(
    `in the first run, in which the sandbox causes no fault, ${how}, so the runs with faults were not started`,
    'Run the command alone, and correct it until it passes: bnpl sandbox run -- COMMAND',
    'COMMAND_FAILS',
  )
}
