import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Transport, WireFailure } from '../../src/contract/wire.ts'
import { Interrupted } from '../../src/errors.ts'
import { LAUNCHER } from '../kit/built-program.ts'
import { fakeClock, machine } from '../kit/harness.ts'
import { here } from '../kit/here.ts'
import { program } from '../kit/program.ts'

const env = {
  BNPL_API_KEY: 'sk-canary-1234567890',
  BNPL_BASE_URL: 'https://api.example.com',
  BNPL_PAYMENT_URL: 'https://pay.example.com',
  BNPL_PUBLIC_KEY: 'pk-1',
  BNPL_ENTITY_ID: 'E1',
}

/** Returns a service that answers as the specification says. `change` replaces some of its answers. */
function service(change: Record<string, unknown> = {}): Transport & { calls: string[] } {
  const calls: string[] = []
  const destinations: { id: string; url: string }[] = []
  const transport: Transport = async ({ method, url, body }) => {
    const path = new URL(url).pathname
    calls.push(`${method} ${path}`)
    const json = (status: number, value: unknown) => ({ status, headers: {}, body: Buffer.from(JSON.stringify(value)) })
    if (url.startsWith('https://pay.'))
      return { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>') }
    if (path.endsWith('/loan')) return json(404, { error: { code: 'ERR_LOAN_NOT_FOUND' } })
    if (path.endsWith('/bnpl'))
      return json(200, {
        data: change.evaluate ?? { preApproveId: 'P', installmentOptions: [{ installments: 3, amount: 1, total: 3 }] },
      })
    if (path.endsWith('/loan-request'))
      return json(200, { data: { loanRequestId: 'L', step: 'AUTHORIZATION', preApproveId: 'P' } })
    if (path.endsWith('/start'))
      return json(200, { data: change.start ?? { accepted: true, widgetToken: 'token-canary' } })
    if (method === 'POST') {
      destinations.push({ id: 'W1', url: new URLSearchParams(Buffer.from(body ?? []).toString()).get('url') ?? '' })
      return json(201, {})
    }
    if (method === 'DELETE') {
      destinations.pop()
      return json(200, { data: {} })
    }
    return json(200, { data: change.list ?? destinations })
  }
  return Object.assign(transport, { calls })
}

const statuses = (checks: { name: string; status: string }[]) =>
  Object.fromEntries(checks.map(({ name, status }) => [name, status]))

test('a service that answers as specified passes, and the run removes what it made', async () => {
  using m = machine()
  const transport = service()
  const junit = join(m.dir, 'smoke.xml')
  const ran = await m.run(`smoke --rut 11222333-9 --webhook-url https://hooks.example/x --junit ${junit} --json`, {
    env,
    transport,
  })
  expect(ran.code).toBe(0)
  expect(statuses(ran.json())).toEqual({
    'unknown transaction': 'ok',
    destinations: 'ok',
    report: 'skipped',
    evaluation: 'ok',
    selection: 'ok',
    'widget token': 'ok',
    'payment page': 'ok',
    registration: 'ok',
  })
  expect(transport.calls.at(-1)).toBe('DELETE /partner/webhook/W1')
  expect(readFileSync(junit, 'utf8')).toContain('tests="8" failures="0" errors="0" skipped="1" time=')
  expect(ran.stdout + ran.stderr).not.toContain('canary')
})

test('missing and wrongly typed fields fail with exit 10, each named; new fields are reported', async () => {
  using m = machine()
  const evaluate = {
    preApproveId: 'P',
    installmentOptions: [
      { installments: '3', total: 3.5, fee: 1 },
      { installments: 3, amount: 1, total: 3 },
    ],
  }
  const ran = await m.run('smoke --rut 11222333-9 --json', {
    env,
    transport: service({ evaluate, list: [{ id: 'W', url: 'u', colour: 'red' }] }),
  })
  expect(ran.code).toBe(10)
  const checks = ran.json() as { name: string; status: string; detail: string }[]
  const evaluation = checks.find(({ name }) => name === 'evaluation')
  const first = 'data.installmentOptions.0'
  expect(evaluation?.detail.split('; ')).toEqual([
    `${first}.installments: text, not a number`,
    `${first}.amount: missing`,
    `${first}.total: a fraction, not a whole number`,
    `new: ${first}.fee`,
  ])
  expect(checks.find(({ name }) => name === 'destinations')).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('data.0.colour'),
  })
})

test('a field that only another service publishes is reported as new, unless that service is named', async () => {
  using m = machine()
  const start = { accepted: true, widgetToken: 'token-canary', validUntil: '2026-12-01T00:00:00Z' }
  for (const [BNPL_SERVICE, status] of [
    ['specification', 'warn'],
    ['banca.me', 'ok'],
  ] as const) {
    const ran = await m.run('smoke --rut 11222333-9 --json', {
      env: { ...env, BNPL_SERVICE },
      transport: service({ start }),
    })
    const check = ran.json().find(({ name }: { name: string }) => name === 'widget token')
    expect([BNPL_SERVICE, check.status, /new: data\.validUntil/.test(check.detail)]).toEqual([
      BNPL_SERVICE,
      status,
      status === 'warn',
    ])
  }
})

test('on production no check that changes something runs without --allow-production', async () => {
  using m = machine()
  const add =
    'profiles add prod --environment production --base-url https://api.example.com --payment-url https://pay.example.com --public-key pk-1 --entity-id E1 --api-key-stdin'
  expect((await m.run(add, { stdin: 'sk-canary-1234567890' })).code).toBe(0)
  const careful = service()
  const ran = await m.run('smoke -p prod --rut 11222333-9 --webhook-url https://hooks.example/x --json', {
    transport: careful,
  })
  expect(careful.calls.every((call) => call.startsWith('GET') || call.endsWith('/loan'))).toBe(true)
  expect(statuses(ran.json())).toMatchObject({
    evaluation: 'skipped',
    selection: 'skipped',
    'widget token': 'skipped',
    registration: 'skipped',
  })
  const allowed = service()
  const second = await m.run('smoke -p prod --rut 11222333-9 --allow-production --json', { transport: allowed })
  expect(second.code).toBe(0)
  expect(allowed.calls).toContain('POST /partner/pre-loan-request/bnpl')
})

test('a refused key gives exit code 10, and the failed check shows the reason', async () => {
  using m = machine()
  const transport: Transport = async () => ({
    status: 401,
    headers: {},
    body: Buffer.from('{"error":{"code":"ERR_UNAUTHORIZED"}}'),
  })
  const ran = await m.run('smoke --rut 11222333-9 --json', { env, transport })
  expect(ran.code).toBe(10)
  expect(ran.json()[0]).toMatchObject({ status: 'fail', detail: expect.stringContaining('ERR_UNAUTHORIZED') })
})

test('after two checks without an answer in time nothing more is sent', async () => {
  using m = machine()
  const whole = service()
  const asked: string[] = []
  const lose = (paths: RegExp) =>
    m.run('smoke --rut 11222333-9 --webhook-url https://hooks.example/x --json', {
      env,
      transport: async (request) => {
        asked.push(`${request.method} ${new URL(request.url).pathname}`)
        if (paths.test(asked.at(-1) ?? '')) throw new WireFailure('timeout', true, 'no complete answer within 30000 ms')
        return whole(request)
      },
    })
  const silent = await lose(/./)
  expect(silent.code).toBe(10)
  expect(asked).toEqual([expect.stringContaining('/loan'), 'GET /partner/webhook'])
  expect(Object.values(statuses(silent.json()))).toEqual(['fail', 'fail', ...Array(6).fill('skipped')])
  // One slow check does not stop the other checks. A payment call without an answer is reported as possibly carried out.
  const slow = await lose(/POST .*\/bnpl$/)
  expect(statuses(slow.json())).toMatchObject({ evaluation: 'fail', selection: 'skipped', registration: 'ok' })
  expect(slow.stdout).toContain('the call may have been carried out')
  expect((await lose(/^GET \/$/)).json()[6].detail).toBe('no answer: no complete answer arrived in time')
})

test('Ctrl-C while the payment page does not answer exits with 130', async () => {
  using m = machine()
  const whole = service()
  const stop = new AbortController()
  const ran = await m.run('smoke --rut 11222333-9 --json', {
    env,
    signal: stop.signal,
    transport: async (request) => {
      if (!request.url.startsWith('https://pay.')) return whole(request)
      stop.abort(new Interrupted())
      throw new WireFailure('aborted', true, 'interrupted')
    },
  })
  expect(ran).toMatchObject({ code: 130, stdout: '' })
})

test.each([
  ['the listing fails', 503, 10],
  ['Ctrl-C interrupts it', 'aborted', 130],
  ['the answer to the registration is lost', 'reset', 10],
] as const)('the destination of the check is removed when %s', async (_, trouble, code) => {
  using m = machine()
  const whole = service()
  const stop = new AbortController()
  let registered = false
  let troubled = 0
  const transport: Transport = async (request) => {
    if (request.signal?.aborted) throw new WireFailure('aborted', false, 'ABORTED')
    const answer = await whole(request)
    const isRegistration = request.method === 'POST' && request.url.endsWith('/partner/webhook')
    registered ||= isRegistration
    // Every attempt of the call fails. The removal afterwards does not fail.
    if (!registered || troubled === (trouble === 503 ? 3 : 1) || isRegistration !== (trouble === 'reset')) return answer
    troubled++
    if (trouble === 503) return { status: 503, headers: {}, body: Buffer.from('{}') }
    if (trouble === 'aborted') stop.abort(new Interrupted())
    throw new WireFailure(trouble, true, trouble.toUpperCase())
  }
  const ran = await m.run('smoke --webhook-url https://hooks.example/x --json', {
    env,
    transport,
    signal: stop.signal,
    clock: fakeClock(),
  })
  expect(ran.code).toBe(code)
  expect(whole.calls.at(-1)).toBe('DELETE /partner/webhook/W1')
  expect(ran.stderr).not.toContain('left behind')
})

test('a destination that cannot be removed is reported with the command that removes it', async () => {
  using m = machine()
  const whole = service()
  const transport: Transport = async (request) =>
    request.method === 'DELETE' ? { status: 403, headers: {}, body: Buffer.from('{}') } : whole(request)
  const ran = await m.run('smoke --webhook-url https://hooks.example/x --json', { env, transport })
  expect(ran.code).toBe(10)
  expect(ran.stderr).toContain('Remove the destination with: bnpl webhooks rm --url https://hooks.example/x')
})

test('smoke and walkthrough report a public key that is not allowed in an address', async () => {
  using m = machine()
  const { BNPL_API_KEY, BNPL_BASE_URL: baseUrl, BNPL_PAYMENT_URL: paymentUrl } = env
  const shop = { environment: 'beta', baseUrl, paymentUrl, publicKey: '\ud800', entityId: 'E1' }
  const file = { version: 1, default: 'shop', profiles: { shop } }
  mkdirSync(m.configDir, { mode: 0o700 })
  writeFileSync(join(m.configDir, 'profiles.json'), JSON.stringify(file), { mode: 0o600 })
  const given = { env: { BNPL_API_KEY }, transport: service() }
  const smoke = await m.run('smoke --rut 11222333-9 --json', given)
  expect([smoke.code, statuses(smoke.json())['payment page']]).toEqual([10, 'fail'])
  const walk =
    'walkthrough --rut 11222333-9 --amount 1000 --email ana@example.com --installments 3 --wait 1s --no-input'
  const { calls } = given.transport
  calls.length = 0
  const ran = await m.run(`${walk} --json`, given)
  expect([ran.code, ran.error().code, calls]).toEqual([2, 'INVALID_PUBLIC_KEY', []])
})

test('in a sandbox no check is skipped, with the profile and with the environment that sandbox run sets', async () => {
  await using p = program()
  await using shop = here()
  const seen = async (line: string, on: Pick<typeof shop, 'run'> = shop) => {
    const ran = await on.run(line)
    expect([line, ran.code]).toEqual([line, 0])
    return JSON.parse(ran.stdout).map(({ name, status }: { name: string; status: string }) => `${name}: ${status}`)
  }
  const all = [
    'unknown transaction',
    'destinations',
    'evaluation',
    'selection',
    'widget token',
    'payment page',
    'report',
    'registration',
  ]
  const ok = all.map((name) => `${name}: ok`)
  expect(await seen(`sandbox run -q -- ${process.execPath} ${LAUNCHER} smoke --json`, p)).toEqual(ok)
  for (const profile of ['sandbox', 'sandbox:real-estate', 'sandbox:no-module'])
    expect([profile, await seen(`smoke -p ${profile} --json`)]).toEqual([profile, ok])
  expect(JSON.parse((await shop.run('webhooks list -p sandbox --json')).stdout)).toEqual([])
})
