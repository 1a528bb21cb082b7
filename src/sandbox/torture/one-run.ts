import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../domain/clock.ts'
import { drawFrom } from '../../domain/drawing.ts'
import { openPrivateSandbox, type PrivateSandbox } from '../server/private-sandbox.ts'
import { forgeLoanApproved } from '../service/deliveries/forge.ts'
import { readBooks } from '../store/books.ts'
import { DELIVERY, PAGE_VISIT } from '../store/harm.ts'
import { deliveryFacts, provenLoans } from './deliveries-made.ts'
import type { Facts, Moment } from './facts.ts'
import { isLasting, isLie, isSilent } from './fault-table.ts'
import { findLeaks } from './leaks.ts'
import { readLeftFiles } from './left-files.ts'
import type { Place } from './place.ts'
import type { Run } from './plan.ts'
import { type Ran, runProgram } from './program.ts'
import { readOrders } from './shop-orders.ts'
import { createWitness, type Witness } from './witness.ts'

/** The programs of the shop, and the machine that they run on. */
export interface Shop {
  command: readonly string[]
  /** Lines for the shell. */
  orders: string | undefined
  settle: string | undefined
  cwd: string
  /** The process that serves its sandboxes. */
  pid: number
  /** The environment of its programs, for a sandbox and folders of their own: for their files, and for the state of bnpl. */
  environment(
    sandbox: PrivateSandbox,
    folder: string,
    stateDir: string,
  ): Promise<Readonly<Record<string, string | undefined>>>
  killGroup(pid: number): void
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

/** What a run left. */
export interface Outcome {
  facts: Facts
  /** The places that it came to, in their order. */
  places: readonly Place[]
  ran: Ran
  /** Undefined without `--settle`. */
  settled: Ran | undefined
}

/** How often `--settle` is run until it ends with 0: the fault may meet the first run. */
const SETTLE_TRIES = 2

/** The waits between attempts of a delivery, in ms: short, so that a shop that refuses for now gets it while its command still runs. */
const RETRY_STEPS_MS = [250, 500, 1_000, 2_000, 4_000]

/** How long deliveries that are due may take when the command has ended, in ms. */
const DELIVERED_MS = 5_000

/** A run under way. */
interface Stage {
  setting: RunSetting
  run: Run | undefined
  sandbox: PrivateSandbox
  witness: Witness
  folder: string
  stateDir: string
  /** Read while an answer waited. */
  watched: Moment[]
  unreadable: string | undefined
}

/** Runs the shop once, against a sandbox and a folder of its own, with a fault or with none. */
export async function runOnce(setting: RunSetting, run: Run | undefined): Promise<Outcome> {
  const { clock, seed, customer, onFault } = setting
  const root = await mkdtemp(join(tmpdir(), 'bnpl-torture-'))
  const folder = join(root, 'run')
  await mkdir(folder)
  let stage: Stage | undefined
  const before = async (place: Place, fields: URLSearchParams) => {
    if (stage && run && place.name === run.place.name && place.nth === run.place.nth) await act(stage, run, fields)
  }
  const witness = createWitness(customer, before, async () => stage?.sandbox.idle(DELIVERED_MS))
  try {
    const { around } = witness
    const sandbox = await openPrivateSandbox({ port: 0, clock, random: drawFrom(seed), customer, around, onFault })
    try {
      // With this, `bnpl … -p sandbox` and `bnpl sandbox pay` inside the command use this sandbox.
      const stateDir = join(root, 'state')
      await sandbox.announce(stateDir, setting.shop.pid)
      stage = { setting, run, sandbox, witness, folder, stateDir, watched: [], unreadable: undefined }
      return await perform(stage)
    } finally {
      await sandbox.close()
    }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function perform(stage: Stage): Promise<Outcome> {
  const { setting, run, sandbox, witness, folder, watched } = stage
  const { shop } = setting
  await sandbox.control('deliverySchedule', { stepsMs: RETRY_STEPS_MS })
  await arm(sandbox, run)
  const ran = await start(stage, shop.command)
  await sandbox.idle(DELIVERED_MS)
  await disarm(stage)
  const ended = await look(stage, 'when the command had ended')
  const settled = await settle(stage)
  const moments = settled === undefined ? ended : [...ended, ...(await look(stage, 'at the end'))]
  const books = await readBooks(sandbox.service.store.db)
  const listed = (await sandbox.control('deliveries', { limit: MANY })).toReversed()
  const written = [
    { where: 'stdout', text: ran.stdout + (settled?.stdout ?? ''), isLog: true },
    { where: 'stderr', text: ran.stderr + (settled?.stderr ?? ''), isLog: true },
    ...(await readLeftFiles(folder)),
  ]
  const keys = sandbox.accounts.flatMap(({ apiKey, production }) => [apiKey, production.apiKey])
  return {
    ran,
    settled,
    facts: {
      books,
      calls: witness.calls,
      deliveries: deliveryFacts(listed),
      moments: shop.orders === undefined ? undefined : [...watched, ...moments],
      unreadable: stage.unreadable,
      ended: ran,
      settled,
      leaks: findLeaks(written, { keys, secrets: books.secrets, nationalIds: [...witness.nationalIds] }),
    },
    places: [
      ...witness.places,
      ...listed.map((_, at): Place => ({ name: DELIVERY, nth: at + 1 })),
      ...books.payments.map((_, at): Place => ({ name: PAGE_VISIT, nth: at + 1 })),
    ],
  }
}

const MANY = 1_000

/** Arms the fault of a run. */
async function arm({ control }: PrivateSandbox, run: Run | undefined): Promise<void> {
  if (run === undefined) return
  const { torture, place } = run
  const times = isLasting(torture) ? null : 1
  const { kind } = torture
  if (kind !== undefined) await control('faultAdd', { endpoint: place.name, kind, skip: place.nth - 1, times })
  if (isSilent(torture)) await control('faultAdd', { endpoint: DELIVERY, kind: 'never', times: null })
}

/** Ends the fault when the command has ended. What it said of loans until then was not true. */
async function disarm({ sandbox, witness, run }: Stage): Promise<void> {
  await sandbox.control('faultClear')
  if (run === undefined || !isLie(run.torture)) return
  const { name, nth } = run.place
  for (const call of witness.calls) if (call.name === name && call.nth >= nth) call.isTrue = false
}

/** What the torture does itself when the shop comes to the place. */
async function act(stage: Stage, { torture }: Run, fields: URLSearchParams): Promise<void> {
  const { sandbox, watched } = stage
  if (torture.aheadMs !== undefined) await sandbox.control('clock', { advanceMs: torture.aheadMs })
  if (torture.sort === 'orders') watched.push(...(await look(stage, 'before the verification was answered')))
  if (torture.sort !== 'forgery') return
  await forgeLoanApproved(sandbox.service, fields.get('widgetToken') ?? '')
  watched.push(...(await look(stage, 'before the customer had paid')))
}

/** Runs a program of the shop. */
async function start(
  { setting, sandbox, folder, stateDir, run }: Stage,
  command: readonly string[] | string,
): Promise<Ran> {
  const { shop, signal } = setting
  const limitMs = setting.limitMs + (run?.torture.delayMs ?? 0)
  const { cwd, killGroup } = shop
  const env = await shop.environment(sandbox, folder, stateDir)
  return runProgram({ command, cwd, env, limitMs, signal, killGroup })
}

async function settle(stage: Stage): Promise<Ran | undefined> {
  const { settle: line } = stage.setting.shop
  if (line === undefined) return undefined
  let settled = await start(stage, line)
  for (let tries = 1; tries < SETTLE_TRIES && settled.code !== 0 && !settled.hung; tries++)
    settled = await start(stage, line)
  return settled
}

/** Reads the shop's orders, and what it could know at that moment; nothing without `--orders`, or when they cannot be read. */
async function look(stage: Stage, when: string): Promise<Moment[]> {
  const { setting, sandbox, witness } = stage
  if (setting.shop.orders === undefined) return []
  const { stdout, code, hung } = await start(stage, setting.shop.orders)
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
  const deliveries = deliveryFacts(await sandbox.control('deliveries', { limit: MANY }))
  return [
    {
      when,
      orders: read.orders,
      loans: new Set(loans.map(({ externalTrxId }) => externalTrxId)),
      proven: provenLoans(witness.calls, deliveries),
    },
  ]
}
