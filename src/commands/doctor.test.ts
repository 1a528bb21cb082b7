import { expect, test } from 'vitest'
import { contextOf, machineOfTest } from '../../test/kit/command-context.ts'
import { fakeClock, type RunOptions } from '../../test/kit/harness.ts'
import { type Transport, WireFailure } from '../contract/wire.ts'
import { Interrupted } from '../errors.ts'
import { examine, serviceChecks } from './doctor.ts'

const START = Date.parse('2026-03-01T12:00:00Z')
const ENV = { BNPL_BASE_URL: 'https://api.example.com/v1', BNPL_API_KEY: 'sk-canary-1234567890' }

const answering =
  (headers: Record<string, string> = {}): Transport =>
  async () => ({ status: 404, headers, body: new Uint8Array() })

const failing =
  (...given: ConstructorParameters<typeof WireFailure>): Transport =>
  async () => {
    throw new WireFailure(...given)
  }

/** The checks of the network, and the requests that they made. */
async function examined(transport: Transport, run: RunOptions = {}) {
  const asked: Parameters<Transport>[0][] = []
  const { world } = machineOfTest().world({
    env: ENV,
    clock: fakeClock(START),
    ...run,
    transport: (request) => {
      asked.push(request)
      return transport(request)
    },
  })
  const context = contextOf(world)
  const checks = await examine(context, serviceChecks(context, await context.settings()))
  return { checks: Object.fromEntries(checks.map(({ name, ms: _, ...check }) => [name, check])), asked }
}

test('any answer passes the check “reachable”, which sends no key and only the origin of the address', async () => {
  const { checks, asked } = await examined(answering())
  expect(checks).toEqual({
    reachable: { status: 'ok', detail: 'api.example.com answers' },
    'key is accepted': expect.objectContaining({ status: 'warn', detail: expect.stringContaining('404') }),
  })
  // The second one is the read with the key, at the address that the key is for.
  expect(asked.map(({ url }) => url)).toEqual([
    'https://api.example.com/',
    'https://api.example.com/v1/partner/webhook',
  ])
  expect(asked[0]).toMatchObject({ method: 'GET', url: 'https://api.example.com/', headers: {}, timeoutMs: 1000 })
})

test('without an address there is no check and no request', async () => {
  const { checks, asked } = await examined(answering(), { env: {} })
  expect({ checks, asked }).toEqual({ checks: {}, asked: [] })
})

test.each([
  ['the same', 0, 'ok', 'agrees with the service'],
  ['just within a minute', 59_000, 'ok', 'agrees with the service'],
  ['a minute ahead', 60_000, 'warn', '1m ahead of the service'],
  ['two hours behind', -7_200_000, 'warn', '2h behind the service'],
])('the clock of this machine is compared with the answer: %s', async (_, off, status, detail) => {
  const { checks } = await examined(answering({ date: new Date(START - off).toUTCString() }))
  expect(checks.clock).toMatchObject({ status, detail })
  expect('hint' in (checks.clock ?? {})).toBe(status === 'warn')
})

test('an invalid Date header gives no check of the clock', async () => {
  expect((await examined(answering({ date: 'yesterday' }))).checks.clock).toBeUndefined()
})

test.each([
  ['refused', false, 'Check the port, and that the service is up.'],
  ['dns', false, 'Check the address and the DNS.'],
  ['reset', true, 'Try again. If it fails again, ask the operator of the service.'],
  ['timeout', true, 'Try again. If it fails again, ask the operator of the service.'],
  ['garbled', true, 'Try again. If it fails again, ask the operator of the service.'],
] as const)('no answer (%s) fails with what to do', async (kind, sent, hint) => {
  const { checks } = await examined(failing(kind, sent, 'told by the system'))
  expect(checks.reachable).toMatchObject({ status: 'fail', hint })
  expect(checks.reachable?.detail).toMatch(/^api\.example\.com: /)
  expect(checks.clock).toBeUndefined()
})

test('the detail of a time-out contains the message of the time-out', async () => {
  const { checks } = await examined(failing('timeout', false, 'no answer within 1s'))
  expect(checks.reachable?.detail).toBe('api.example.com: no answer within 1s')
})

test('an answer that is too large passes the check “reachable”', async () => {
  const { checks } = await examined(failing('too-large', true, 'larger than 1 MB'))
  expect(checks.reachable).toEqual({ status: 'ok', detail: 'api.example.com answers' })
})

test('the payment page is requested at its own origin, but not again if the service has the same origin', async () => {
  const other = await examined(answering(), { env: { ...ENV, BNPL_PAYMENT_URL: 'https://pay.example.com/pay' } })
  expect(other.asked.map(({ url }) => url)).toEqual([
    'https://api.example.com/',
    'https://api.example.com/v1/partner/webhook',
    'https://pay.example.com/',
  ])
  expect(other.checks['payment page']).toEqual({ status: 'ok', detail: 'pay.example.com answers' })
  const same = await examined(failing('timeout', false, 'no answer within 1s'), {
    env: { ...ENV, BNPL_PAYMENT_URL: 'https://api.example.com/pay' },
  })
  expect(same.asked).toHaveLength(1)
  expect(same.checks['payment page']).toMatchObject({ status: 'fail' })
})

test('a proxy of the environment is named, its password masked', async () => {
  const env = { ...ENV, HTTPS_PROXY: 'http://user:hunter2@proxy.example.com:3128' }
  const { checks } = await examined(answering(), { env })
  expect(checks.proxy?.detail).toMatch(/^HTTPS_PROXY http:\/\/.*proxy\.example\.com:3128/)
  expect(JSON.stringify(checks)).not.toContain('hunter2')
})

test('an interruption is not a failed check: it ends the command', async () => {
  const stopped = new Interrupted(130)
  const interrupted = examined(failing('aborted', false, 'aborted'), { signal: AbortSignal.abort(stopped) })
  await expect(interrupted).rejects.toBe(stopped)
})

test('a fault in the program is not a failed check', async () => {
  const fault = new TypeError('a fault of the test')
  await expect(examined(() => Promise.reject(fault))).rejects.toBe(fault)
})

test('the sandbox needs no network', async () => {
  const { world } = machineOfTest().world({ transport: () => expect.fail('nothing is asked') })
  const context = contextOf(world, { profile: 'sandbox' })
  const checks = await examine(context, serviceChecks(context, await context.settings()))
  expect(checks).toMatchObject([
    { name: 'sandbox', status: 'ok', detail: 'embedded in this process, so no server needs to run' },
    { name: 'key is accepted', status: 'ok', detail: 'accepted (0 webhook destinations found)' },
  ])
})
