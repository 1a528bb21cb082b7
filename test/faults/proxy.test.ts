import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listening, listen } from '../../src/sandbox/listen.ts'
import { machine, type RunOptions, realClock } from '../harness.ts'
import { sandboxKit } from '../sandbox-kit.ts'
import { faultProxy, type Plan } from './proxy.ts'

let kit: Awaited<ReturnType<typeof sandboxKit>>
let service: Listening
beforeAll(async () => {
  kit = await sandboxKit({ allowHttp: true })
  service = await listen({ host: '127.0.0.1', port: 0, onFault: () => {} })
  service.serve(kit.sandbox.transport)
})
afterAll(async () => {
  await service.close()
  await kit[Symbol.asyncDispose]()
})

const clock = { ...realClock, sleep: async () => {} }
let serial = 0

/** Runs a command behind a proxy that treats each connection by its plan. */
async function behind(plan: (n: number) => Plan, line: (trx: string) => string, options: RunOptions = {}) {
  using m = machine()
  await using proxy = await faultProxy(service, plan)
  const env = {
    BNPL_BASE_URL: proxy.url,
    BNPL_API_KEY: kit.bnpl.apiKey,
    BNPL_PUBLIC_KEY: kit.bnpl.publicKey,
    BNPL_PAYMENT_URL: `${proxy.url}/pay`,
    BNPL_ENTITY_ID: kit.bnpl.entityId,
  }
  const trx = `P${++serial}`
  // Only where nothing comes is the time used up: there is enough of it to get the request through on a busy machine.
  const timeout = ['stall', 'drip'].includes(plan(0).kind) ? '800ms' : '50s'
  const ran = await m.run(`${line(trx)} --timeout ${timeout} --json`, { env, clock, ...options })
  return { ...ran, trx, connections: proxy.connections, forwarded: proxy.forwarded }
}

const EVALUATE = (trx: string) => `evaluate --rut 11111111-1 --amount 50000 --trx ${trx}`
const TOKEN = (trx: string) => `widget-token --trx ${trx} --amount 50000 --email ana@example.com`
const VERIFY = () => 'verify nothing'
const LIST = () => 'webhooks list'

test('without a fault, everything passes', async () => {
  expect((await behind(() => ({ kind: 'pass' }), EVALUATE)).code).toBe(0)
  expect((await behind(() => ({ kind: 'pass' }), VERIFY)).code).toBe(6)
  expect((await behind(() => ({ kind: 'pass' }), LIST)).code).toBe(0)
})

describe.each([
  ['evaluate', EVALUATE],
  ['widget-token', TOKEN],
])('%s, which may not be repeated, behind a fault', (_, line) => {
  test.each<Plan>([
    ...[1, 20, 90, 200].map((bytes): Plan => ({ kind: 'cut-request', bytes })),
    ...[0, 1, 20, 120, 200].map((bytes): Plan => ({ kind: 'cut-answer', bytes })),
    { kind: 'stall' },
    { kind: 'drip' },
    { kind: 'garble' },
  ])('%j: sent once, and its outcome is said to be unknown', async (plan) => {
    const ran = await behind(() => plan, line)
    expect([ran.code, ran.connections, ran.stdout]).toEqual([12, 1, ''])
    expect(ran.error()).toMatchObject({ kind: 'outcome-unknown', sent: true, outcome: 'unknown', attempts: 1 })
    expect(ran.stderr).not.toMatch(/\n\s+at /)
  })

  test('an answer that comes twice is read once', async () => {
    const ran = await behind(() => ({ kind: 'double' }), line)
    expect([ran.code, ran.connections]).toEqual([0, 1])
  })
})

describe.each([
  ['verify', VERIFY, 6],
  ['webhooks list', LIST, 0],
])('%s, which may be repeated, behind a fault', (_, line, right) => {
  test.each<Plan>([
    ...[0, 1, 40].map((bytes): Plan => ({ kind: 'cut-request', bytes })),
    ...[0, 1, 20, 120].map((bytes): Plan => ({ kind: 'cut-answer', bytes })),
  ])('%j once: tried again, and right in the end', async (plan) => {
    const ran = await behind((n) => (n === 0 ? plan : { kind: 'pass' }), line)
    expect(ran.code).toBe(right)
    expect(ran.connections).toBe(2)
  })

  test.each<[Plan, number]>([
    [{ kind: 'cut-request', bytes: 0 }, 9],
    [{ kind: 'cut-answer', bytes: 20 }, 9],
    [{ kind: 'stall' }, 9],
    [{ kind: 'drip' }, 9],
    [{ kind: 'garble' }, 8],
  ])('%j for ever: the right code, and no claim that it is unknown', async (plan, code) => {
    const ran = await behind(() => plan, line)
    expect([ran.code, ran.stdout]).toEqual([code, ''])
    expect(ran.error().outcome).not.toBe('unknown')
  })
})

test('webhooks add, whose answer is lost, looks first: the destination is there once, and that is success', async () => {
  const url = 'http://127.0.0.1:9/hook'
  const ran = await behind(
    (n) => (n === 1 ? { kind: 'cut-answer', bytes: 0 } : { kind: 'pass' }),
    () => `webhooks add ${url} --if-missing`,
  )
  const { data } = await kit.send('GET', '/partner/webhook')
  expect((data as { url: string }[]).filter((each) => each.url === url)).toHaveLength(1)
  expect(ran.code).toBe(0)
})
