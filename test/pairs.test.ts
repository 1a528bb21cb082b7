import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Ended } from './kit/child-output.ts'
import { type Program, program, type Started } from './kit/program.ts'
import { FUZZING, random } from './kit/seed.ts'

/**
 * Two commands use the same file of ours, and the second starts a little later. Either both succeed, or the second is refused with a
 * message about the first. The pairs run at the same time, each on a machine of its own.
 */

/**
 * Milliseconds between the two starts. Two programs that start together compete for each file from the first to the last; `npm run fuzz`
 * also lets the second start during the start of the first, or around its first writes.
 */
const OFFSETS = FUZZING ? Array.from({ length: 20 }, () => Math.floor(150 * random())) : [0]

const env = { BNPL_WEBHOOK_SECRET: 'a-secret-of-usual-length' }

async function pair(p: Program, first: string, second: string, offset: number): Promise<[Started, Started]> {
  const one = p.start(first, env)
  await pause(offset)
  return [one, p.start(second, env)]
}

/** Returns the server that runs on and the one that ended, of two servers with the same state. */
async function oneEnds(p: Program, servers: [Started, Started], ready: string[]): Promise<[Started, Ended]> {
  const ended = await Promise.race(servers.map(async (each, i) => ({ i, how: await each.ended })))
  const other = servers[1 - ended.i] as Started
  const file = join(p.dir, ready[1 - ended.i] as string)
  while (!existsSync(file)) await pause(10)
  return [other, ended.how]
}

const stop = async ({ child, ended }: Started) => {
  child.kill('SIGTERM')
  return (await ended).code
}

test.concurrent.each(OFFSETS)(
  'two listeners, the second %d ms later: one receives, the other names its pid [row 115]',
  async (ms) => {
    await using p = program()
    const line = (name: string) => `webhooks listen --port 0 --no-print --ready-file ${name}`
    const [runs, ended] = await oneEnds(p, await pair(p, line('a.json'), line('b.json'), ms), ['a.json', 'b.json'])
    expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining(`pid ${runs.child.pid}`)])
    expect(await stop(runs)).toBe(143)
  },
)

test.concurrent.each(OFFSETS)(
  'two sandboxes on one state, the second %d ms later: one serves, the other names its pid [row 115]',
  async (ms) => {
    await using p = program()
    const line = (name: string) => `sandbox start --port 0 --json --ready-file ${name}`
    const [runs, ended] = await oneEnds(p, await pair(p, line('a.json'), line('b.json'), ms), ['a.json', 'b.json'])
    expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining(`pid ${runs.child.pid}`)])
    expect(await stop(runs)).toBe(143)
  },
)

test.concurrent.each(OFFSETS)('a listener and a prune, %d ms later: both succeed [row 115]', async (ms) => {
  await using p = program()
  const [listener, pruned] = await pair(
    p,
    'webhooks listen --port 0 --no-print --ready-file a.json',
    'webhooks events prune --json',
    ms,
  )
  const { code, stdout } = await pruned.ended
  expect([code, JSON.parse(stdout)]).toEqual([0, { pruned: 0 }])
  while (!existsSync(join(p.dir, 'a.json'))) await pause(10)
  const { url } = JSON.parse(readFileSync(join(p.dir, 'a.json'), 'utf8'))
  expect((await p.run(`webhooks trigger loan_approved --to ${url} --json`, env)).code).toBe(0)
  expect(await stop(listener)).toBe(143)
})

test.concurrent.each(OFFSETS)(
  'two changes of one profile, the second %d ms later: both are kept [row 115]',
  async (ms) => {
    await using p = program()
    writeFileSync(join(p.dir, 'key'), 'sk-1234567890', { mode: 0o600 })
    expect((await p.run('profiles add acme --base-url https://api.example.com --api-key-file key')).code).toBe(0)
    const both = await pair(p, 'profiles set entityId 7 -p acme', 'profiles set publicKey pk-1 -p acme', ms)
    for (const { ended } of both) expect(await ended).toMatchObject({ code: 0 })
    const { profiles } = JSON.parse(readFileSync(join(p.dir, 'config', 'profiles.json'), 'utf8'))
    expect(profiles.acme).toMatchObject({ entityId: '7', publicKey: 'pk-1' })
  },
)

test.concurrent.each(OFFSETS)(
  'saving a snapshot and loading another %d ms later both succeed, and the saved snapshot can be loaded [row 115]',
  async (ms) => {
    await using p = program()
    expect((await p.run('sandbox snapshot save before')).code).toBe(0)
    const both = await pair(p, 'sandbox snapshot save later --json', 'sandbox snapshot load before -y --json', ms)
    for (const { ended } of both) expect(await ended).toMatchObject({ code: 0 })
    expect((await p.run('sandbox snapshot load later -y')).code).toBe(0)
  },
)

test.concurrent('two smoke runs with the same --junit file both succeed, and the file has one complete report [row 115]', async () => {
  await using p = program()
  const both = await pair(p, 'smoke -p sandbox --junit r.xml', 'smoke -p sandbox:real-estate --junit r.xml', 0)
  for (const { ended } of both) expect(await ended).toMatchObject({ code: 0 })
  const report = readFileSync(join(p.dir, 'r.xml'), 'utf8')
  expect(report.match(/<testsuites /g)).toHaveLength(1)
  expect(report).toMatch(/^<\?xml[\s\S]*<\/testsuites>\n$/)
})

test.concurrent.each(OFFSETS)(
  'removing a transaction from the history and an evaluation %d ms later both succeed [row 115]',
  async (ms) => {
    await using p = program()
    const evaluate = (trx: string) => `evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx ${trx} --json`
    expect((await p.run(evaluate('T1'))).code).toBe(0)
    const both = await pair(p, 'history rm T1 -y --json', evaluate('T2'), ms)
    const [forgotten, evaluated] = await Promise.all(both.map(({ ended }) => ended))
    expect([forgotten?.code, evaluated?.code]).toEqual([0, 0])
    expect(evaluated?.stderr).not.toContain('could not be written')
    const { stdout } = await p.run('history list --json')
    expect(JSON.parse(stdout).map(({ externalTrxId }: { externalTrxId: string }) => externalTrxId)).toEqual(['T2'])
  },
)
