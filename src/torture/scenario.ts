import type { ServiceDescription } from '../contract/description.ts'
import type { Clock } from '../domain/clock.ts'
import type { PrivateSandbox } from '../sandbox/server/private-sandbox.ts'
import { EVERY } from '../sandbox/store/fault-effect.ts'
import { readBooks } from '../sandbox/store/payments.ts'

import { deliveryFacts, isCancelled, isSold, type Moment, provenLoans, readOrders, type ShopOrder } from './facts.ts'

import type { Observer } from './observer.ts'
import type { Run } from './plan.ts'
import { type Ran, runProgram } from './program.ts'
import type { ShopServer } from './shop-server.ts'

export interface Shop {
  command: readonly string[]
  orders: string | undefined
  settle: string | undefined
  /** The shell command that starts the shop's server; undefined if the torture starts no server. */
  restart: string | undefined
  cwd: string
  pid: number
  environment(sandbox: PrivateSandbox, own: Own): Promise<Env>
  killGroup(pid: number): Promise<void>
}

type Env = Readonly<Record<string, string | undefined>>

interface Own {
  folder: string
  stateDir: string
  /** A folder for what programs can use again in the next run, such as the compiled code of Node. */
  cacheDir: string
  port: number | undefined
}

export interface RunSetting {
  shop: Shop
  clock: Clock
  seed: number
  customer: boolean
  description: ServiceDescription | undefined
  limitMs: number
  cacheDir: string
  signal: AbortSignal
  onError(error: unknown): void
}

export interface Scenario {
  setting: RunSetting
  run: Run | undefined
  sandbox: PrivateSandbox
  observer: Observer
  folder: string
  env: Env
  server: ShopServer | undefined
  watched: Moment[]
  /** Whether the shop accepted the event of the fault `forged`, which is not in the list of deliveries. */
  acceptedForgery: boolean
  /** Whether the shop answered that event at all, or a held one (the sort `event`), or its success address was opened. */
  reachedByForgery: boolean
  /** Whether the shop listed an unpaid order when a customer opened the payment page. */
  listsOpenOrders: boolean
  /** Resolves when the late event was sent, or when the test has ended. Undefined until a verification was answered. */
  lateEvent: Promise<void> | undefined
  /** The parameters with which the payment page was first opened. */
  opened: URLSearchParams | undefined
  /** The number of verifications during the first run of `--settle`, if the fault applies to that run. */
  spoiledVerifications: number
  /** Aborted when the test has ended, so that no call waits for its answer any longer. */
  testOver: AbortController
  unreadable: string | undefined
}

/**
 * A failed `--settle` is run a second time. The fault is removed by then, but its effects in the shop, such as the lock file of a killed
 * server, may have caused the first failure.
 */
const SETTLE_TRIES = 2

const MANY = 1_000

/** Returns the deliveries of the run, the oldest first. */
export const deliveriesOf = async ({ control }: PrivateSandbox) =>
  (await control('deliveries', { limit: MANY })).toReversed()

/** Runs the shop's command and returns how it ended. Ends it early if the shop's server was killed and does not start again. */
export const runCommand = (scenario: Scenario): Promise<Ran> =>
  runOf(scenario, scenario.setting.shop.command, scenario.server === undefined ? [] : [scenario.server.failed])

function runOf(
  { setting, run, env }: Pick<Scenario, 'setting' | 'run' | 'env'>,
  command: readonly string[] | string,
  ends: readonly AbortSignal[] = [],
): Promise<Ran> {
  const { shop } = setting
  const signal = AbortSignal.any([setting.signal, ...ends])
  const { cwd, killGroup } = shop
  const limitMs = setting.limitMs + (run?.torture.delayMs ?? 0)
  return runProgram({ command, cwd, env, limitMs, clock: setting.clock, signal, killGroup })
}

/** Runs `--settle`, and repeats it if it fails. Returns undefined without that option. */
export async function runSettle(scenario: Scenario): Promise<Ran | undefined> {
  const { settle: line } = scenario.setting.shop
  if (line === undefined) return undefined
  const isSpoiled = scenario.run?.torture.sort === 'settle'
  let settled = await (isSpoiled ? runSpoiled : runOf)(scenario, line)
  for (let tries = isSpoiled ? 0 : 1; tries < SETTLE_TRIES && settled.code !== 0 && !settled.hung; tries++)
    settled = await runOf(scenario, line)
  return settled
}

/**
 * Runs `--settle` while the service fails or gives false answers to verifications, and reads the shop's orders afterwards. What the
 * verifications answered proves no loan.
 */
async function runSpoiled(scenario: Scenario, line: string): Promise<Ran> {
  const { run, sandbox, observer, watched } = scenario
  const from = observer.calls.length
  const kind = run?.torture.kind
  await sandbox.control('faultAdd', { endpoint: kind === 'refused' ? EVERY : 'verifyLoan', kind, times: null })
  const settled = await runOf(scenario, line)
  await sandbox.control('faultClear')
  const made = observer.calls.slice(from)
  for (const call of made) call.isTrue = false
  scenario.spoiledVerifications = made.filter(({ name }) => name === 'verifyLoan').length
  watched.push(...(await look(scenario, 'after --settle had run with this fault')))
  return settled
}

/**
 * Returns the ids of the paid orders that the shop lists when BNPL_RUN_DIR names an empty folder. The shop does not store these orders in
 * the folder of a run, so later runs may list them too. Returns an empty set if the orders cannot be read, for example because the
 * database does not exist yet.
 * @param env the environment with the empty folder
 * @param orders the command of --orders
 */
export async function paidElsewhere(setting: RunSetting, env: Env, orders: string): Promise<ReadonlySet<string>> {
  const { stdout, code } = await runOf({ setting, run: undefined, env }, orders)
  const read = readOrders(stdout)
  return new Set(code === 0 && read.ok ? read.orders.filter(isSold).map(({ externalTrxId }) => externalTrxId) : [])
}

/** Returns the orders that the shop lists now, which are not checked. Undefined without `--orders`, or when they cannot be read. */
export async function ordersNow({ setting, env }: Scenario): Promise<readonly ShopOrder[] | undefined> {
  const { orders } = setting.shop
  if (orders === undefined) return undefined
  const { stdout, code } = await runOf({ setting, run: undefined, env }, orders)
  const read = readOrders(stdout)
  return code === 0 && read.ok ? read.orders : undefined
}

/**
 * Reads the shop's orders, the loans of the service, and the loans that the shop could know at that moment.
 * Returns an empty list without `--orders`, or when the orders cannot be read.
 */
export async function look(scenario: Scenario, when: string): Promise<Moment[]> {
  const { setting, sandbox, observer } = scenario
  if (setting.shop.orders === undefined) return []
  const { stdout, code, hung } = await runOf(scenario, setting.shop.orders)
  const read = readOrders(stdout)
  if (code !== 0 || hung || !read.ok) {
    const problem = read.ok || code !== 0 ? `the command of --orders ended with exit code ${code}` : read.problem
    scenario.unreadable ??= hung ? 'the command of --orders did not end within its time limit' : problem
    return []
  }
  const { loans } = readBooks(sandbox.service.store.db)
  const deliveries = deliveryFacts(await deliveriesOf(sandbox))
  return [
    {
      when,
      orders: read.orders,
      loans: new Set(loans.map(({ externalTrxId }) => externalTrxId)),
      cancelled: new Set(loans.filter(isCancelled).map(({ externalTrxId }) => externalTrxId)),
      proven: provenLoans(observer.calls, deliveries),
    },
  ]
}
