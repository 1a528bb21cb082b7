import type { Clock } from '../../domain/clock.ts'
import type { PrivateSandbox } from '../server/private-sandbox.ts'
import { readBooks } from '../store/books.ts'
import { deliveryFacts, provenLoans } from './deliveries-made.ts'
import type { Moment } from './facts.ts'
import type { Run } from './plan.ts'
import { type Ran, runProgram } from './program.ts'
import { readOrders } from './shop-orders.ts'
import type { ShopServer } from './shop-server.ts'
import type { Witness } from './witness.ts'

/** The programs of the shop, and the machine that they run on. */
export interface Shop {
  command: readonly string[]
  /** Lines for the shell. */
  orders: string | undefined
  settle: string | undefined
  /** The line that starts its server, which is killed and started again; undefined if the command starts it. */
  restart: string | undefined
  cwd: string
  /** The process that serves its sandboxes. */
  pid: number
  environment(sandbox: PrivateSandbox, own: Own): Promise<Env>
  killGroup(pid: number): void
}

type Env = Readonly<Record<string, string | undefined>>

/** What a run has for itself. */
interface Own {
  /** The folder for the files of its programs. */
  folder: string
  /** The folder for the state of bnpl. */
  stateDir: string
  /** The port of the shop's server; undefined without one. */
  port: number | undefined
}

export interface RunSetting {
  shop: Shop
  clock: Clock
  seed: number
  /** The payment page decides for the customer and leads back at once. */
  customer: boolean
  /** Time of each program, in ms. */
  limitMs: number
  signal: AbortSignal
  onFault(error: unknown): void
}

/** A run under way. */
export interface Stage {
  setting: RunSetting
  run: Run | undefined
  sandbox: PrivateSandbox
  witness: Witness
  folder: string
  /** The environment of its programs. */
  env: Env
  server: ShopServer | undefined
  /** Read while an answer waited. */
  watched: Moment[]
  unreadable: string | undefined
}

/** How often `--settle` is run until it ends with 0: the fault may meet the first run. */
const SETTLE_TRIES = 2

/** Deliveries that are read, which is all of them. */
const MANY = 1_000

/** The deliveries of the run, the oldest first. */
export const deliveriesOf = async ({ control }: PrivateSandbox) =>
  (await control('deliveries', { limit: MANY })).toReversed()

/** Runs the command. It is ended when the server that it needs does not start again. */
export const runCommand = (stage: Stage): Promise<Ran> =>
  runOf(stage, stage.setting.shop.command, stage.server === undefined ? [] : [stage.server.failed])

/** Runs a program of the shop. @param ends signals that end it, besides that of the torture */
function runOf(
  { setting, run, env }: Stage,
  command: readonly string[] | string,
  ends: readonly AbortSignal[] = [],
): Promise<Ran> {
  const { shop } = setting
  const signal = AbortSignal.any([setting.signal, ...ends])
  const { cwd, killGroup } = shop
  const limitMs = setting.limitMs + (run?.torture.delayMs ?? 0)
  return runProgram({ command, cwd, env, limitMs, signal, killGroup })
}

/** Runs `--settle`, once more if it fails. Undefined without it. */
export async function runSettle(stage: Stage): Promise<Ran | undefined> {
  const { settle: line } = stage.setting.shop
  if (line === undefined) return undefined
  let settled = await runOf(stage, line)
  for (let tries = 1; tries < SETTLE_TRIES && settled.code !== 0 && !settled.hung; tries++)
    settled = await runOf(stage, line)
  return settled
}

/** Reads the shop's orders, and what it could know at that moment; nothing without `--orders`, or when they cannot be read. */
export async function look(stage: Stage, when: string): Promise<Moment[]> {
  const { setting, sandbox, witness } = stage
  if (setting.shop.orders === undefined) return []
  const { stdout, code, hung } = await runOf(stage, setting.shop.orders)
  const read = readOrders(stdout)
  if (code !== 0 || hung || !read.ok) {
    stage.unreadable ??= hung
      ? 'it did not end in time'
      : code !== 0
        ? `it ended with ${code}`
        : read.ok
          ? ''
          : read.problem
    return []
  }
  const { loans } = await readBooks(sandbox.service.store.db)
  const deliveries = deliveryFacts(await deliveriesOf(sandbox))
  return [
    {
      when,
      orders: read.orders,
      loans: new Set(loans.map(({ externalTrxId }) => externalTrxId)),
      proven: provenLoans(witness.calls, deliveries),
    },
  ]
}
