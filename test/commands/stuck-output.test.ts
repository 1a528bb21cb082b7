import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import type { SignalName } from '../../src/context.ts'
import type { Clock } from '../../src/domain/clock.ts'
import { outputFailed } from '../../src/terminal/output.ts'
import { countingService } from '../kit/counting-service.ts'
import { type Machine, machine, realClock } from '../kit/harness.ts'
import { needsProgram } from '../kit/needs.ts'
import { type Paused, startPaused } from '../kit/paused-terminal.ts'
import { deliver, deliverAll, SECRET, startListener, until } from '../receiver/listener.ts'

/** A paused terminal takes nothing, a pipe and a terminal buffer take up to 64 KiB: more than that is written in each test. */
const DELIVERIES = Array.from({ length: 400 }, (_, i) => ({ eventId: `e${i}`, data: { text: 'x'.repeat(300) } }))

const readyOf = async ({ dir }: Pick<Paused, 'dir'>) => {
  const path = join(dir, 'ready.json')
  await until(() => existsSync(path))
  return JSON.parse(readFileSync(path, 'utf8'))
}

const LISTEN = ['webhooks', 'listen', '--port', '0', '--metrics-port', '0', '--ready-file', 'ready.json']

test.each([
  ['the table', [], {}],
  ['lines, where lines cannot be redrawn', [], { TERM: 'dumb' }],
  ['NDJSON with --verbose', ['-o', 'ndjson', '--verbose'], {}],
])(
  'a listener on a terminal that is not read acknowledges, answers health checks and ends on SIGTERM: %s',
  async (_, options, env) => {
    await using terminal = await startPaused([...LISTEN, ...options], { env: { BNPL_WEBHOOK_SECRET: SECRET, ...env } })
    const { url, metricsUrl } = await readyOf(terminal)
    expect(new Set(await deliverAll({ url }, DELIVERIES))).toEqual(new Set([200]))
    // Refused deliveries write remarks to stderr, which is the same terminal.
    for (let i = 0; i < 5; i++) expect((await deliver({ url }, { signature: 'wrong' })).status).toBe(401)
    for (const path of ['healthz', 'readyz', 'metrics'])
      expect((await fetch(new URL(path, metricsUrl))).status).toBe(200)
    terminal.signal('SIGTERM')
    expect([143, -15]).toContain(await terminal.ended())
    await expect(deliver({ url })).resolves.toMatchObject({ status: 0 })
  },
)

test('when a paused terminal moves again, the listener shows the newest events, and how many lines are missing', async () => {
  await using terminal = await startPaused(LISTEN, { env: { BNPL_WEBHOOK_SECRET: SECRET } })
  const { url } = await readyOf(terminal)
  for (let i = 0; i < 3; i++)
    await deliverAll(
      { url },
      DELIVERIES.map((each) => ({ ...each, eventId: `${each.eventId}-${i}` })),
    )
  terminal.resume()
  // The last row has the number of the last event. Colours surround the time before it.
  await until(() => /\n\S+ {2}1200 /.test(terminal.shown()))
  expect(terminal.shown()).toMatch(/! \d+ lines are missing here, because the terminal was paused\./)
  terminal.signal('SIGINT')
  expect(await terminal.ended()).toBe(130)
})

const CALLS = 700

test('a proxy on a terminal that is not read passes calls on and ends on SIGTERM', async () => {
  const service = await countingService(0)
  const env = { BNPL_BASE_URL: service.baseUrl, BNPL_API_KEY: 'sk_canary_0123456789' }
  await using terminal = await startPaused(['proxy', '--port', '0', '--ready-file', 'ready.json'], { env })
  const { url } = await readyOf(terminal)
  const verify = async (i: number) => (await fetch(`${url}/partner/pre-approve/T${i}/loan`)).status
  // One after the other, each on a paused output: none may wait for the terminal for long.
  for (let i = 0; i < CALLS; i += 50) await Promise.all(Array.from({ length: 50 }, (_, j) => verify(i + j)))
  expect(service.total()).toBe(CALLS)
  terminal.signal('SIGTERM')
  expect([143, -15]).toContain(await terminal.ended())
  await service.close()
})

test('a sandbox on a terminal that is not read answers calls and ends on SIGTERM', async () => {
  const args = ['sandbox', 'start', '--port', '0', '--ephemeral', '--verbose', '--ready-file', 'ready.json']
  await using terminal = await startPaused(args)
  const { baseUrl, partners } = await readyOf(terminal)
  const headers = { authorization: `Bearer ${partners[0].apiKey}` }
  for (let i = 0; i < 400; i++)
    expect((await fetch(`${baseUrl}/partner/webhook?page=${'9'.repeat(100)}`, { headers })).status).toBeGreaterThan(0)
  terminal.signal('SIGTERM')
  expect([143, -15]).toContain(await terminal.ended())
})

test.each([
  ['results and progress on the terminal', ''],
  ['progress on the terminal, results in a file', '> results.ndjson'],
])('a run over a file waits for a terminal that is not read, and a signal still ends it: %s', async (_, after) => {
  const service = await countingService(0)
  const env = { BNPL_BASE_URL: service.baseUrl, BNPL_API_KEY: 'sk_canary_0123456789' }
  const rows = Array.from({ length: 2000 }, (_, i) => `T${i}`)
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-paused-'))
  writeFileSync(join(dir, 'orders.csv'), ['externalTrxId', ...rows, ''].join('\n'))
  await using terminal = await startPaused(['verify', '--from', 'orders.csv', '-o', 'ndjson'], { env, after, dir })
  await until(() => service.total() > 300)
  terminal.signal('SIGTERM')
  expect([143, -15]).toContain(await terminal.ended())
  await service.close()
})

test('pipes that are full before the program starts do not stop a listener', async () => {
  needsProgram('mkfifo')
  const before = 'mkfifo pipe; exec 3<>pipe; head -c 65536 /dev/zero >&3; exec >pipe 2>pipe'
  const listener = await startListener({ before })
  expect(new Set(await deliverAll(listener, DELIVERIES))).toEqual(new Set([200]))
  expect([143, 'SIGTERM']).toContain(await listener.end('SIGTERM'))
})

/** Runs a server in this process, on a disk that is full while `disk.isFull`. `torn` bytes of a text are still written then. */
async function onFullDisk(m: Machine, words: readonly string[], env: Record<string, string>) {
  const disk = { isFull: false, torn: 0 }
  // Only the waits are short. The time limits of a delivery are real.
  const clock: Clock = { ...realClock, sleep: (ms, signal) => realClock.sleep(ms / 50, signal) }
  const { world, stdout, stderr } = m.world({ env, clock })
  const { out } = world.io
  world.io.out = async (text) => {
    if (!disk.isFull) return out(text)
    if (disk.torn > 0) await out(Buffer.from(text).subarray(0, disk.torn))
    throw outputFailed(Object.assign(new Error('no room'), { code: 'ENOSPC', written: disk.torn }))
  }
  const signals: ((name: SignalName) => void)[] = []
  world.takeSignals = (take) => {
    signals.push(take)
    return () => {}
  }
  const running = runCli([...words, '--port', '0', '--json', '--ready-file', 'ready'], world)
  await until(() => existsSync(join(m.dir, 'ready')))
  const { url } = JSON.parse(readFileSync(join(m.dir, 'ready'), 'utf8'))
  const end = async () => {
    signals[0]?.('SIGTERM')
    return running
  }
  const rows = () =>
    stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { disk, url, rows, stderr, end }
}

test('a listener whose stdout is on a full disk goes on, and later prints every event at the byte where it stopped', async () => {
  using m = machine()
  const { disk, url, rows, stderr, end } = await onFullDisk(m, ['webhooks', 'listen'], { BNPL_WEBHOOK_SECRET: SECRET })
  disk.isFull = true
  disk.torn = 10
  expect((await deliver({ url }, { eventId: 'e1' })).status).toBe(200)
  await until(() => stderr().includes('events cannot be printed'))
  expect((await deliver({ url }, { eventId: 'e2' })).status).toBe(200)
  disk.isFull = false
  await until(() => stderr().includes('events are printed again, and none is missing on stdout'))
  expect((await deliver({ url }, { eventId: 'e3' })).status).toBe(200)
  await until(() => rows().length === 3)
  expect(rows().map(({ eventId }) => eventId)).toEqual(['e1', 'e2', 'e3'])
  // A listener that is to end while the disk is full ends as usual.
  disk.isFull = true
  disk.torn = 0
  expect((await deliver({ url }, { eventId: 'e4' })).status).toBe(200)
  expect(await end()).toBe(143)
  expect(stderr().match(/events cannot be printed/g)).toHaveLength(2)
})

test('a proxy whose stdout is on a full disk goes on, and says how many calls were not printed', async () => {
  using m = machine()
  const service = await countingService(0)
  const env = { BNPL_BASE_URL: service.baseUrl, BNPL_API_KEY: 'sk_canary_0123456789' }
  const { disk, url, rows, stderr, end } = await onFullDisk(m, ['proxy'], env)
  const verify = async (trx: string) => expect((await fetch(`${url}/partner/pre-approve/${trx}/loan`)).status).toBe(200)
  await verify('T1')
  await until(() => rows().length === 1)
  disk.isFull = true
  disk.torn = 10
  await verify('T2')
  await until(() => stderr().includes('calls cannot be printed'))
  disk.torn = 0
  await verify('T3')
  await new Promise(setImmediate)
  disk.isFull = false
  await verify('T4')
  await until(() => stderr().includes('could not be printed'))
  expect(await end()).toBe(143)
  expect(rows().map(({ path }) => path)).toEqual(['T1', 'T2', 'T4'].map((trx) => `/partner/pre-approve/${trx}/loan`))
  expect(stderr()).toMatch(/! 1 call could not be printed, because stdout was full or not read/)
  await service.close()
})
