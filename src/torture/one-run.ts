import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WireFailure, type WireResponse } from '../contract/wire.ts'
import { drawFrom } from '../domain/drawing.ts'
import { openPrivateSandbox, type PrivateSandbox } from '../sandbox/server/private-sandbox.ts'
import { type FalseDelivery, openSuccessAddress, sendFalseLoanApproved } from '../sandbox/service/deliveries/post.ts'
import { isAccepted } from '../sandbox/store/deliveries.ts'
import { DELIVERY, EVERY, PAGE_VISIT } from '../sandbox/store/fault-effect.ts'
import { readBooks } from '../sandbox/store/payments.ts'
import { acceptsForgeries, deliveryFacts, type Facts, faultReached, isSold, provenLoans } from './facts.ts'
import {
  type Forgery,
  isLasting,
  isLate,
  isLie,
  isObscure,
  isSamePlace,
  isSilent,
  isWithoutEvent,
  type Place,
  placeName,
  type Torture,
} from './fault-table.ts'
import { findLeaks, readLeftFiles } from './leaks.ts'
import { createObserver, untilSecondCall } from './observer.ts'
import type { Run } from './plan.ts'
import type { Ran } from './program.ts'
import {
  deliveriesOf,
  look,
  ordersNow,
  paidElsewhere,
  type RunSetting,
  runCommand,
  runSettle,
  type Scenario,
} from './scenario.ts'
import { createShopServer, freePort, type ShopServer } from './shop-server.ts'

/** How many customers the payment page sent back to the shop, and how many of them followed. */
export interface Customers {
  sentBack: number
  returned: number
}

export interface Outcome {
  facts: Facts
  /** Undefined if the run does not follow them, or the page does not decide for them. */
  customers: Customers | undefined
  /** Whether the shop listed an unpaid order when a customer opened the payment page. Only the run without a fault looks. */
  listsOpenOrders: boolean
  places: readonly Place[]
  /** Whether the fault of the run happened, and the shop was there to notice it. True for the run without a fault. */
  happened: boolean
  /** What happened at the service, in its order. */
  timeline: readonly Happening[]
  ran: Ran
  /** Undefined without `--settle`. */
  settled: Ran | undefined
  /** Undefined if the torture starts no server. */
  served: Pick<Ran, 'stdout' | 'stderr'> | undefined
  /**
   * The ids of the paid orders that the shop lists when BNPL_RUN_DIR names an empty folder, read before and after the run. A set that is
   * not needed is empty.
   */
  elsewhere: { before: ReadonlySet<string>; after: ReadonlySet<string> }
}

/** Used when the shop's server did not start. The command is not run then. */
const NOT_RUN: Ran = { code: 0, hung: false, ms: 0, stdout: '', stderr: '' }

const START_MS = 60_000

/** The waits between attempts are short, so that a shop that refuses a delivery gets it again while the command still runs. */
const RETRY_STEPS_MS = [250, 500, 1_000, 2_000, 4_000]

/** Each run waits for deliveries two times, at most this long: before the customer is sent back to the shop, and after the command. */
const DELIVERED_MS = 5_000

const LOOK_MS = 50

/** The first verification of an order waits this long for a second one. A right shop waits longer for its answer. */
const SECOND_MS = 2_000

/** Without --orders, a shop is taken to use the answer to its verification within this time. */
const ANSWER_USED_MS = 100

/**
 * Runs the shop once, with a new sandbox and a new folder, and with at most one fault.
 * @param sharesOrders whether the shop lists the orders of one run in other runs too; undefined if this run must find that out
 * @param isSecond whether the fault is at a further call about a transaction, which the event and the customer together may cause
 */
export async function runOnce(
  setting: RunSetting,
  run: Run | undefined,
  { sharesOrders, isSecond = false }: { sharesOrders?: boolean; isSecond?: boolean } = {},
): Promise<Outcome> {
  const { clock, seed, customer, description, onError, shop, cacheDir } = setting
  const root = await mkdtemp(join(tmpdir(), 'bnpl-torture-'))
  const folder = join(root, 'run')
  await mkdir(folder)
  let scenario: Scenario | undefined
  const followsReturns = run === undefined || isWithoutEvent(run.torture)
  const observer = createObserver(
    { customerDecides: customer, followsReturns },
    {
      now: () => scenario?.sandbox.service.clock.now() ?? 0,
      before: async (place, fields) => {
        if (scenario === undefined) return
        if (place.name === PAGE_VISIT) scenario.opened ??= fields
        if (actsAt(run, place)) await act(scenario, run, fields)
        if (run === undefined && place.name === PAGE_VISIT)
          scenario.listsOpenOrders ||= (await ordersNow(scenario))?.some((order) => !isSold(order)) ?? false
      },
      after: async (place, answer, signal) => {
        if (scenario === undefined) return answer
        if (isSecond && place.name === run?.place.name)
          await untilSecondCall(observer.calls, place, SECOND_MS, [
            scenario.testOver.signal,
            ...(signal ? [signal] : []),
          ])
        if (isAt(run, place)) await startAgain(scenario, run)
        if (isAt(run, place) && scenario.server === undefined) await deliverHeld(scenario)
        if (run !== undefined && isLate(run.torture) && place.name === 'verifyLoan')
          scenario.lateEvent ??= sendLateEvent(scenario).catch(onError)
        return isAt(run, place) ? spoiled(scenario, run.torture, answer, signal) : answer
      },
      settled: async () => {
        if (scenario !== undefined) await (run?.torture.sort === 'restart' ? allDelivered : delivered)(scenario)
      },
    },
  )
  const losesAnswer = async (id: string) => scenario !== undefined && losesItsServer(scenario, id)
  try {
    const { around } = observer
    const random = drawFrom(seed)
    const sandbox = await openPrivateSandbox({
      port: 0,
      clock,
      random,
      customer,
      description,
      around,
      losesAnswer,
      onError,
    })
    try {
      // If one of the shop's programs starts bnpl, that bnpl must use the sandbox of this run. So the environment names `stateDir`.
      const stateDir = join(root, 'state')
      await sandbox.announce(stateDir, shop.pid)
      const port = shop.restart === undefined ? undefined : await freePort(shop.pid)
      const env = await shop.environment(sandbox, { folder, stateDir, cacheDir, port })
      const server = port === undefined ? undefined : serverOf(setting, port, env)
      scenario = {
        setting,
        run,
        sandbox,
        observer,
        folder,
        env,
        server,
        watched: [],
        acceptedForgery: false,
        reachedByForgery: false,
        listsOpenOrders: false,
        lateEvent: undefined,
        opened: undefined,
        spoiledVerifications: 0,
        testOver: new AbortController(),
        unreadable: undefined,
      }
      const listed = async (isNeeded: boolean): Promise<ReadonlySet<string>> => {
        if (!isNeeded || shop.orders === undefined) return new Set()
        const empty = { folder: await mkdtemp(join(root, 'empty-')), stateDir, cacheDir, port }
        return paidElsewhere(setting, await shop.environment(sandbox, empty), shop.orders)
      }
      const before = await listed(sharesOrders !== false)
      const outcome = await perform(scenario)
      return { ...outcome, elsewhere: { before, after: await listed(sharesOrders === undefined) } }
    } finally {
      await scenario?.server?.end()
      await sandbox.close()
    }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

function serverOf({ shop, limitMs, clock, signal }: RunSetting, port: number, env: Scenario['env']): ShopServer {
  const { restart = '', cwd, killGroup } = shop
  const startMs = Math.min(limitMs, START_MS)
  return createShopServer({ line: restart, port, cwd, env, startMs, clock, signal, killGroup })
}

async function perform(scenario: Scenario): Promise<Omit<Outcome, 'elsewhere'>> {
  const { setting, run, sandbox, observer, folder, server, watched } = scenario
  const { shop } = setting
  await sandbox.control('deliverySchedule', { stepsMs: RETRY_STEPS_MS })
  await server?.start()
  await arm(sandbox, run)
  const ran = server?.problem() === undefined ? await runCommand(scenario) : NOT_RUN
  if (server !== undefined) await deliverHeld(scenario)
  await allDelivered(scenario)
  const served = await server?.end()
  await disarm(scenario)
  const ended = await look(scenario, 'after the command had ended')
  const settled = await runSettle(scenario)
  const moments = settled === undefined ? ended : [...ended, ...(await look(scenario, 'after --settle had ended'))]
  const books = readBooks(sandbox.service.store.db)
  const listed = await deliveriesOf(sandbox)
  const written = [
    { where: 'stdout', text: [ran, settled, served].map((each) => each?.stdout ?? '').join(''), isLog: true },
    { where: 'stderr', text: [ran, settled, served].map((each) => each?.stderr ?? '').join(''), isLog: true },
    ...(await readLeftFiles(folder)),
  ]
  const keys = sandbox.accounts.flatMap(({ apiKey, production }) => [apiKey, production.apiKey])
  return {
    ran,
    settled,
    served,
    customers:
      setting.customer && (run === undefined || isWithoutEvent(run.torture))
        ? { sentBack: observer.returns.length, returned: observer.returns.filter(({ isBack }) => isBack).length }
        : undefined,
    listsOpenOrders: scenario.listsOpenOrders,
    happened: hasHappened(scenario, listed),
    timeline: timelineOf(observer, listed),
    facts: {
      acceptsForged: scenario.acceptedForgery || acceptsForgeries(listed),
      books,
      calls: observer.calls,
      returned: observer.returned,
      deliveries: deliveryFacts(listed),
      moments: shop.orders === undefined ? undefined : [...watched, ...moments],
      unreadable: scenario.unreadable,
      notRunning: server?.problem(),
      ended: ran,
      settled,
      leaks: findLeaks(written, { keys, secrets: books.secrets, nationalIds: [...observer.nationalIds] }),
    },
    places: [
      ...observer.places,
      ...listed.map((_, at): Place => ({ name: DELIVERY, nth: at + 1 })),
      ...books.payments.map((_, at): Place => ({ name: PAGE_VISIT, nth: at + 1 })),
    ],
  }
}

/** Waits for the deliveries that are due. */
const delivered = ({ sandbox }: Scenario): Promise<void> => sandbox.idle(DELIVERED_MS)

/**
 * Delivers the events that a run of the sort `event` has held back, after the loan was cancelled, and opens the success address. Without a
 * server of `--restart`, this is before the cancellation is answered, because the shop may end with its test. With such a server, it is after
 * the test.
 */
async function deliverHeld(scenario: Scenario): Promise<void> {
  const { run, sandbox, observer } = scenario
  if (run?.torture.sort !== 'event' || !observer.places.some((each) => isSamePlace(each, run.place))) return
  for (const { eventId } of (await deliveriesOf(sandbox)).filter(({ state }) => state === 'lost')) {
    const sent = await sandbox.control('deliver', { eventId, all: true })
    scenario.reachedByForgery ||= sent.some(({ results }) => results.some(({ status }) => status !== null))
  }
  if (scenario.opened !== undefined) await openSuccessAddress(sandbox.service, scenario.opened)
}

/** Makes the late deliveries and the retries due, one after another, while the server of the shop still runs. */
async function allDelivered(scenario: Scenario): Promise<void> {
  const until = performance.now() + DELIVERED_MS
  await delivered(scenario)
  if (scenario.server === undefined) return
  while (performance.now() < until && (await becomeDue(scenario))) {
    await pause(LOOK_MS)
    await delivered(scenario)
  }
}

/**
 * Sends the late event while the shop's test still runs, and when the shop has used the answer to its verification, which its orders show:
 * an event that overtakes this answer is not late. If the orders never show it, the event is sent at its own time. A server of `--restart`
 * stays after the test, so its event is sent then.
 */
async function sendLateEvent(scenario: Scenario): Promise<void> {
  if (scenario.server !== undefined) return
  const isOver = () => scenario.testOver.signal.aborted
  if (scenario.setting.shop.orders === undefined) await pause(ANSWER_USED_MS)
  else while (!isOver() && !(await hasUsedAnswers(scenario))) await pause(LOOK_MS)
  if (!isOver()) await becomeDue(scenario)
}

/** Whether the shop lists every order as paid whose loan a verification has shown. Returns false if there is no such order. */
async function hasUsedAnswers(scenario: Scenario): Promise<boolean> {
  const orders = await ordersNow(scenario)
  const shown = [...provenLoans(scenario.observer.calls, [])]
  return shown.length > 0 && shown.every((id) => orders?.some((order) => order.externalTrxId === id && order.paid))
}

/** Advances the clock to the first delivery that waits. Returns false if none waits. */
async function becomeDue({ sandbox }: Scenario): Promise<boolean> {
  const dueAt = (await deliveriesOf(sandbox)).flatMap(({ nextAttemptAt }) => nextAttemptAt ?? [])
  const first = Math.min(...dueAt.map((time) => Date.parse(time)))
  if (!Number.isFinite(first)) return false
  const advanceMs = first - sandbox.service.clock.now()
  if (advanceMs > 0) await sandbox.control('clock', { advanceMs })
  return true
}

function hasHappened(
  { run, observer, reachedByForgery, spoiledVerifications }: Scenario,
  listed: Awaited<ReturnType<typeof deliveriesOf>>,
): boolean {
  if (run === undefined) return true
  const { torture, place } = run
  if (torture.sort === 'forgery' || torture.sort === 'visit' || torture.sort === 'event') return reachedByForgery
  if (torture.sort === 'settle') return spoiledVerifications > 0
  if (torture.sort === 'delivery' && torture.kind !== undefined) return faultReached(listed, torture.kind)
  if (place.name === DELIVERY) return listed.length >= place.nth
  return [...observer.places, ...observer.visits].some((each) => isSamePlace(each, place))
}

async function arm({ control }: PrivateSandbox, run: Run | undefined): Promise<void> {
  if (run === undefined) return
  const { torture, place } = run
  const times = isLasting(torture) ? null : 1
  const { retryAfter } = torture
  // The fault of the sort `settle` itself is added when `--settle` runs.
  const kind = torture.sort === 'settle' ? 'no-return' : torture.kind
  if (kind !== undefined)
    await control('faultAdd', {
      endpoint: place.name,
      kind,
      skip: place.nth - 1,
      times,
      ...(retryAfter && { retryAfter }),
    })
  if (isSilent(torture)) await control('faultAdd', { endpoint: DELIVERY, kind: 'never', times: null })
}

/** Removes the fault, and marks the answers that it falsified or made unreadable, because such an answer does not prove a loan. */
async function disarm({ sandbox, observer, run, testOver, lateEvent }: Scenario): Promise<void> {
  testOver.abort()
  // It may be running the command of --orders, which is never run twice at the same time.
  await lateEvent
  await sandbox.control('faultClear')
  if (run === undefined) return
  const { name, nth } = run.place
  const isFalse = (at: number) => (isLie(run.torture) ? at >= nth : isObscure(run.torture) && at === nth)
  for (const call of observer.calls) if (call.name === name && isFalse(call.nth)) call.isTrue = false
}

async function act(scenario: Scenario, { torture, place }: Run, fields: URLSearchParams): Promise<void> {
  const { sandbox, server, watched } = scenario
  if (torture.aheadMs !== undefined) await sandbox.control('clock', { advanceMs: torture.aheadMs })
  if (torture.sort === 'orders') {
    const isCancel = place.name === 'cancelLoan'
    const when = isCancel ? 'before the cancellation was answered' : 'before the verification was answered'
    watched.push(...(await look(scenario, when)))
  }
  // In a run that restarts the server at the payment page, the server is down while the customer pays. `startAgain` starts it afterwards.
  if (torture.sort === 'restart' && place.name === PAGE_VISIT) await server?.kill()
  if (torture.id === 'outage') await sandbox.control('faultAdd', { endpoint: EVERY, kind: 'refused', times: null })
  if (torture.sort === 'visit') scenario.reachedByForgery ||= await openSuccessAddress(sandbox.service, fields)
  for (const sent of torture.forgery === undefined ? [] : FORGERIES[torture.forgery]) {
    const answers = await sendFalseLoanApproved(sandbox.service, fields.get('widgetToken') ?? '', sent)
    scenario.acceptedForgery ||= sent.isOfAnother !== true && answers.some(({ status }) => isAccepted(status))
    scenario.reachedByForgery ||= answers.some(({ status }) => status !== null)
  }
  if (torture.sort === 'visit' || torture.sort === 'forgery')
    watched.push(...(await look(scenario, 'before the customer had paid')))
}

/** The false deliveries of each sort of forgery. */
const FORGERIES: Readonly<Record<Forgery, readonly FalseDelivery[]>> = {
  'wrong-key': [{}],
  'empty-key': [{ secret: '' }],
  undefined: [{ secret: 'undefined' }],
  'other-scheme': [{ secret: 'wrong', isOtherScheme: true }],
  'lost-secret': [{ secret: '' }, { secret: 'undefined' }],
  'of-another': [{ isOfAnother: true }],
}

/** Returns the answer of a call after the fault: another status, or none until the caller gives up or the test has ended. */
async function spoiled(
  { sandbox, testOver }: Scenario,
  { id, doneStatus }: Torture,
  answer: WireResponse,
  signal: AbortSignal | undefined,
): Promise<WireResponse> {
  if (doneStatus !== undefined)
    return { status: doneStatus, headers: { 'content-type': 'text/plain' }, body: Buffer.from('the gateway failed') }
  if (id === 'outage-after') {
    await sandbox.control('faultAdd', { endpoint: EVERY, kind: 'refused', times: null })
    throw new WireFailure('reset', true, 'the answer was lost')
  }
  if (id !== 'no-answer') return answer
  const over = AbortSignal.any([testOver.signal, ...(signal ? [signal] : [])])
  if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }))
  throw new WireFailure('reset', true, 'the answer never arrived')
}

/** Kills and starts the shop's server. Answers that the killed server was waiting for are lost. */
async function startAgain({ server }: Scenario, { torture }: Run): Promise<void> {
  if (torture.sort !== 'restart') return
  await server?.kill()
  await server?.start()
}

/** Restarts the server if it has just answered the delivery that this run tests. Returns true if so, and the answer then counts as lost. */
async function losesItsServer(scenario: Scenario, id: string): Promise<boolean> {
  const { run, sandbox } = scenario
  if (run?.torture.sort !== 'restart' || run.place.name !== DELIVERY) return false
  const delivery = (await deliveriesOf(sandbox))[run.place.nth - 1]
  if (delivery?.deliveryId !== id || delivery.attempts.length > 0) return false
  await startAgain(scenario, run)
  return true
}

/** Whether the fault of a run acts before the request at a place. A lost secret is used for forgeries at each visit of the page. */
const actsAt = (run: Run | undefined, place: Place): run is Run =>
  run?.torture.forgery === 'lost-secret' ? place.name === PAGE_VISIT : isAt(run, place)

/** A call, a visit or a delivery of a run. */
export interface Happening {
  /** Such as `verifyLoan.1`. */
  place: string
  /** The status of the answer; 0 for none. */
  status: number
  /** Whether the shop was asked (a delivery), and not the service. */
  isDelivery: boolean
}

const LONGEST_TIMELINE = 40

function timelineOf({ steps }: Scenario['observer'], listed: Awaited<ReturnType<typeof deliveriesOf>>): Happening[] {
  const deliveries = listed.flatMap(({ attempts }, at) =>
    attempts.map((attempt) => ({
      at: Date.parse(attempt.at),
      place: placeName({ name: DELIVERY, nth: at + 1 }),
      status: attempt.status ?? 0,
      isDelivery: true,
    })),
  )
  const asked = steps.map(({ at, place, status }) => ({ at, place: placeName(place), status, isDelivery: false }))
  return [...asked, ...deliveries]
    .toSorted((a, b) => a.at - b.at)
    .slice(0, LONGEST_TIMELINE)
    .map(({ place, status, isDelivery }) => ({ place, status, isDelivery }))
}

const isAt = (run: Run | undefined, place: Place): run is Run => run !== undefined && isSamePlace(run.place, place)
