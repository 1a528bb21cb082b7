import { createHmac } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../src/cli.ts'
import { type Transport, WireFailure } from '../src/contract/wire.ts'
import { Interrupted } from '../src/errors.ts'
import { type BnplError, createClient } from '../src/index.ts'
import { verifyRawBody } from '../src/webhooks.ts'
import { fakeClock, type Machine, machine, type RunOptions, sharedClock } from './kit/harness.ts'
import { LOAN } from './kit/loan.ts'
import { PUBLISHED, type PublishedService, publishedService } from './kit/published-service.ts'
import { typedTerminal } from './kit/typed-terminal.ts'
import { until } from './receiver/listener.ts'

const transportOf =
  (service: PublishedService): Transport =>
  async (request) => {
    const answer = service.handle(request)
    if (typeof answer === 'string') throw new WireFailure('reset', true, 'ECONNRESET')
    return answer
  }

const ENV = {
  BNPL_API_KEY: PUBLISHED.key,
  BNPL_BASE_URL: PUBLISHED.baseUrl,
  BNPL_PAYMENT_URL: 'https://pay.banca.example',
  BNPL_PUBLIC_KEY: 'pk_published',
  BNPL_ENTITY_ID: 'ex-0000000000000001',
}

/** Returns a function that runs command lines against a service, on a clock that only waits move. */
function shop(m: Machine, service: PublishedService, name: string, more: RunOptions = {}) {
  const env = { ...ENV, BNPL_SERVICE: name, ...more.env }
  return (line: string | readonly string[], once: RunOptions = {}) =>
    m.run(line, { transport: transportOf(service), ...more, ...once, env: { ...env, ...once.env } })
}

const BOTH = ['specification', 'banca.me'] as const
const RUT = '12345678-5'

test.each(BOTH)('a payment in the published form is verified, and its dates are kept as sent (%s)', async (name) => {
  using m = machine()
  const clock = fakeClock(Date.parse('2026-03-01T22:30:00Z'))
  const service = publishedService({ now: clock.now })
  const run = shop(m, service, name, { clock })
  await run(`evaluate --rut ${RUT} --amount 250000 --trx T1`)
  const token = await run('widget-token --email ana@example.com --json')
  expect(token.json()).toEqual({
    accepted: true,
    widgetToken: 'token-of-T1',
    validUntil: clock.now() + 600_000,
    expiresAt: new Date(clock.now() + 600_000).toISOString(),
  })
  // The pages of banca.me do not mention the field, so its absence is no news.
  expect(token.stderr.includes('The answer does not say whether the session was accepted')).toBe(
    name === 'specification',
  )
  service.pay('T1', RUT)
  const verified = await run('verify T1 --json')
  expect([verified.code, verified.json().transferDate]).toEqual([0, '2026-03-01T22:30:00Z'])
  const table = await run('verify T1')
  expect(table.stdout).toMatch(/Transfer\s+2026-03-01\s/)
  expect(table.stderr).not.toContain('warning')
})

test('a loan is compared by the UTC day of its dates, in whatever form they are written', async () => {
  using m = machine()
  const clock = fakeClock(Date.parse('2026-03-01T22:30:00Z'))
  const service = publishedService({ now: clock.now })
  const run = shop(m, service, 'banca.me', { clock })
  await run('widget-token --trx T1 --amount 1000 --email ana@example.com')
  service.pay('T1', RUT)
  for (const [date, outcome] of [
    ['2026-03-01', 'ok'],
    ['2026-03-01T22:30:00Z', 'ok'],
    ['2026-03-01T19:30:00-03:00', 'ok'],
    ['2026-03-02', 'different'],
    ['2026-03-01T22:30:00-03:00', 'different'],
  ]) {
    writeFileSync(join(m.dir, 'orders.csv'), `trx,transferDate\nT1,${date}\n`)
    const ran = await run('verify --from orders.csv -o json --restart')
    expect([date, ran.json()[0].outcome]).toEqual([date, outcome])
    expect(ran.json()[0].transferDate).toBe('2026-03-01T22:30:00Z')
  }
})

test.each([
  ['with accepted', { accepted: true }, '', 'valid until'],
  ['without data around it', { wrapped: false }, 'has no `data`', ''],
  ['with neither', { wrapped: false, accepted: false }, 'does not say whether the session was accepted', ''],
])('a widget token is read from an answer %s', async (_, form, says, saysNot) => {
  using m = machine()
  const clock = fakeClock()
  const service = publishedService({ now: clock.now, ...form })
  const run = shop(m, service, 'specification', { clock })
  const ran = await run('widget-token --trx T1 --amount 1000 --email ana@example.com --json')
  expect([ran.code, ran.json()]).toEqual([0, expect.objectContaining({ accepted: true, widgetToken: 'token-of-T1' })])
  expect(ran.stderr).toContain(says)
  if (saysNot) expect(ran.stderr).not.toContain(saysNot)
  const raw = await run('widget-token --trx T2 --amount 1000 --email ana@example.com --raw')
  expect(raw.stdout.trim()).toBe('token-of-T2')
})

test.each([
  [600_000, undefined],
  [550_000, undefined],
  [1_800_000, 'which is in 30m and not in 10 minutes'],
  [120_000, 'which is in 2m and not in 10 minutes'],
  [-3_600_000, 'which is over; check the clock of this machine'],
])('expiresAt comes from validUntil, %d ms ahead, and an unusual time is a warning', async (tokenMs, says) => {
  using m = machine()
  const clock = fakeClock()
  const service = publishedService({ now: clock.now, tokenMs })
  const run = shop(m, service, 'banca.me', { clock })
  const returns = '--success-url https://shop.example/ok --error-url https://shop.example/no'
  const ran = await run(`pay-url --trx T1 --amount 1000 --email ana@example.com ${returns} --json`)
  const expected = clock.now() + (tokenMs > 0 ? tokenMs : 600_000)
  expect([ran.code, ran.json().expiresAt]).toEqual([0, new Date(expected).toISOString()])
  if (says === undefined) expect(ran.stderr).not.toContain('check the clock')
  else expect(ran.stderr).toContain(says)
  expect(ran.stderr).not.toContain('was not evaluated')
})

test.each([
  ['1772368200000', '2026-03-01T12:30:00.000Z'],
  ['1772368200', '2026-03-01T12:30:00.000Z'],
  ['"1772368200000"', '2026-03-01T12:30:00.000Z'],
  ['"2026-03-01T12:30:00Z"', '2026-03-01T12:30:00.000Z'],
  ['"soon"', '2026-03-01T12:10:00.000Z'],
  ['null', '2026-03-01T12:10:00.000Z'],
  ['12345678901234567890123', '2026-03-01T12:10:00.000Z'],
])('validUntil is read in ms, in seconds, as a text or as a date: %s', async (sent, expiresAt) => {
  using m = machine()
  const transport: Transport = async () => ({
    status: 200,
    headers: {},
    body: Buffer.from(`{"data":{"widgetToken":"t","validUntil":${sent}}}`),
  })
  const clock = fakeClock()
  const line = 'widget-token --trx T1 --amount 1000 --email ana@example.com --json'
  const ran = await m.run(line, { transport, clock, env: ENV })
  expect([ran.code, ran.json().expiresAt]).toEqual([0, expiresAt])
  expect(ran.stdout).toContain(sent === '"soon"' ? '"soon"' : sent)
})

test('the pre-approval id of the history is sent with a widget session, only to a service that knows the field', async () => {
  using m = machine()
  const service = publishedService()
  const sentIds: (string | null)[] = []
  const lastForm = () => new URLSearchParams(Buffer.from(service.sent.at(-1)?.body ?? []).toString())
  for (const name of BOTH) {
    const run = shop(m, service, name)
    const evaluated = await run(`evaluate --rut ${RUT} --amount 1000 --trx ${name} --json`)
    const { preApproveId } = evaluated.json()
    const token = `widget-token --trx ${name} --amount 1000 --email ana@example.com`
    for (const more of ['', ' --no-pre-approve-id', ` --pre-approve-id ${preApproveId}`]) {
      const before = service.sent.length
      const ran = await run(token + more)
      if (ran.code === 0)
        sentIds.push(lastForm().get('preApproveId') === preApproveId ? 'sent' : lastForm().get('preApproveId'))
      else {
        expect([ran.code, service.sent.length]).toEqual([2, before])
        expect(ran.stderr).toContain('bnpl profiles set widgetPreApproveId yes')
        sentIds.push('refused')
      }
    }
  }
  expect(sentIds).toEqual([null, null, 'refused', 'sent', null, 'sent'])
})

test.each([
  ['{"data":{"status":404,"url":"https://x/","ip":"203.0.113.77"}}', 200, 6, 'HTTP_404'],
  [
    '{"data":{"status":422,"url":"https://x/","ip":"203.0.113.77","message":"ERR_BNPL_DATA_NOT_OK"}}',
    201,
    5,
    'ERR_BNPL_DATA_NOT_OK',
  ],
  ['{"data":{"status":503,"code":"BNPL_FETCH_DATA_ERROR"}}', 200, 8, 'BNPL_FETCH_DATA_ERROR'],
  ['{"data":{"status":401}}', 200, 4, 'HTTP_401'],
  ['{"data":{"status":503,"url":"u","ip":"i"},"message":"BNPL_FETCH_DATA_ERROR"}', 503, 8, 'BNPL_FETCH_DATA_ERROR'],
  ['{"code":"BNPL_FETCH_DATA_ERROR"}', 503, 8, 'BNPL_FETCH_DATA_ERROR'],
  ['BNPL_FETCH_DATA_ERROR: no data', 503, 8, 'BNPL_FETCH_DATA_ERROR'],
])('an error of the published form is an error with its code: %s (%d)', async (body, status, code, errorCode) => {
  using m = machine()
  const transport: Transport = async () => ({ status, headers: {}, body: Buffer.from(body) })
  for (const line of ['verify T1 --json', 'api POST /partner/pre-approve/T1/loan --json']) {
    const ran = await m.run(line, { transport, clock: fakeClock(), env: ENV })
    expect([line, ran.code, ran.error().code]).toEqual([line, code, errorCode])
    expect(ran.stdout + ran.stderr).not.toContain(PUBLISHED.ip)
  }
})

test('a destination, a loan and an evaluation that have a status of their own are not errors', async () => {
  using m = machine()
  for (const [line, data] of [
    ['verify T1', { ...LOAN, installments: [] }],
    [
      'webhooks add https://shop.example/hook',
      { id: '1', url: 'https://shop.example/hook', verificationScheme: 'hmac' },
    ],
    [`evaluate --rut ${RUT} --amount 1000 --trx T1`, { preApproveId: 'p', installmentOptions: [] }],
  ] as const) {
    const body = Buffer.from(JSON.stringify({ data: { ...data, status: 404 } }))
    const ran = await m.run(`${line} --json`, { transport: async () => ({ status: 200, headers: {}, body }), env: ENV })
    expect([line, ran.code, ran.stderr]).toEqual([line, 0, ran.stderr])
  }
})

test('the address of the caller in an error is in no output and in no recording', async () => {
  using m = machine()
  const service = publishedService()
  const run = shop(m, service, 'banca.me')
  const lines = [
    'verify T1',
    'verify T1 --verbose',
    'verify T1 --json',
    'api POST /partner/pre-approve/T1/loan',
    'api GET /partner/x -i',
  ]
  for (const line of lines) {
    const ran = await run(`${line} --record calls.ndjson`)
    expect(ran.code).toBe(6)
    expect([line, ran.stdout + ran.stderr]).toEqual([line, expect.not.stringContaining(PUBLISHED.ip)])
  }
  const recorded = readFileSync(join(m.dir, 'calls.ndjson'), 'utf8')
  expect(recorded).toContain('"status":404')
  expect(recorded).not.toContain(PUBLISHED.ip)
})

test('a recording of the published form has no difference from its own description, and the right ones from the specification', async () => {
  using m = machine()
  const clock = fakeClock(Date.now())
  const service = publishedService({ now: clock.now })
  const run = shop(m, service, 'banca.me', { clock, env: { BNPL_WEBHOOK_SECRET: PUBLISHED.webhookSecret } })
  const record = '--record day.ndjson'
  await run(`evaluate --rut ${RUT} --amount 1000 --trx T1 ${record}`)
  await run(`widget-token --trx T1 --email ana@example.com ${record}`)
  await run(`verify T1 ${record}`)
  service.pay('T1')
  await run(`verify T1 ${record}`)
  await run(`webhooks add https://shop.example/hooks ${record}`)
  await run(`entities add --external-id E2 --name Shop --label shop ${record}`)
  await run(`cancel T1 --yes ${record}`)
  await received(m, run, record, [service.delivery('T1')])
  const own = await run('contract check day.ndjson --json')
  expect([own.code, own.json()]).toEqual([0, []])
  expect(own.stderr).not.toContain('These fields')
  const other = await run('contract check day.ndjson --json', { env: { BNPL_SERVICE: 'specification' } })
  expect(other.code).toBe(10)
  const seen = other.json().map(({ where, seen }: Record<string, string>) => (where === 'request path' ? seen : where))
  expect(seen).toEqual([
    'answer data.transferDate',
    'answer data.installments[].expirationDate',
    'request form preApproveId',
    'answer data.accepted',
    '/partner/entity',
    '/partner/pre-approve/…/loan/cancel',
    'delivery headers',
  ])
  expect(other.stderr).toContain('the specification does not show them: answer data.validUntil')
})

test('a published signature is valid under either header, in s or ms, in hex or base64, for listener, command and library', async () => {
  using m = machine()
  const service = publishedService()
  const run = shop(m, service, 'specification', { env: { BNPL_WEBHOOK_SECRET: PUBLISHED.webhookSecret } })
  const hmac = (text: string, encoding: 'hex' | 'base64') =>
    createHmac('sha256', PUBLISHED.webhookSecret).update(text).digest(encoding)
  const body = (eventId: string) => JSON.stringify({ eventId, data: { externalTrxId: 'T1' } })
  const deliveries = ['service-signature', 'bancame-signature'].flatMap((header) =>
    [10, 13].flatMap((digits) =>
      (['hex', 'base64'] as const).map((encoding, at) => {
        const text = body(`${header}-${digits}-${at}`)
        const t = String(Date.now()).slice(0, digits)
        return { body: text, headers: { [header]: `t=${t},signature=${hmac(`${t}.${text}`, encoding)}` } }
      }),
    ),
  )
  const text = body('forged')
  const forgeries = [
    { 'bancame-signature': `t=1700000000,signature=${hmac(text, 'hex')}` },
    { 'bancame-signature': hmac(`1700000000.${text}`, 'hex') },
    {
      'service-signature': hmac(text, 'hex'),
      'bancame-signature': `t=1700000000,signature=${hmac(`1700000000.${text}`, 'hex')}`,
    },
  ].map((headers: Record<string, string>) => ({ body: text, headers, status: 401 }))
  await received(m, run, '', [...forgeries, ...deliveries])
  for (const { body, headers, status } of [...deliveries.map((each) => ({ ...each, status: 200 })), ...forgeries]) {
    const options = { secret: PUBLISHED.webhookSecret }
    expect([headers, await verifyRawBody(Buffer.from(body), headers, options)]).toEqual([
      headers,
      status === 200 ? undefined : 'wrong',
    ])
    writeFileSync(join(m.dir, 'body.json'), body)
    const [signature = '', other] = Object.values(headers)
    if (other !== undefined) continue
    const ran = await run(['webhooks', 'verify-signature', '--body-file', 'body.json', '--signature', signature])
    expect([headers, ran.code]).toEqual([headers, status === 200 ? 0 : 10])
  }
})

test('the library reads the answers of the published service, and its errors contain no address of the caller', async () => {
  const service = publishedService()
  const paths = { 'paths.entities': '/partner/entity', 'paths.entity': '/partner/entity/{entityId}' }
  const client = createClient({
    baseUrl: PUBLISHED.baseUrl,
    apiKey: PUBLISHED.key,
    transport: transportOf(service),
    paths,
    bodies: { 'bodies.registration': 'json' },
  })
  const order = { externalTrxId: 'T1', amount: 90_000, entityId: 'ex-0000000000000001' }
  const failure = (call: Promise<unknown>): Promise<BnplError> =>
    call.then(
      () => undefined as never,
      (error) => error,
    )
  const { preApproveId } = await client.evaluate({ ...order, idNumber: RUT })
  expect(preApproveId).toMatch(/^0190f2a4-/)
  const session = await client.startWidget({ ...order, email: 'ana@example.com', preApproveId: String(preApproveId) })
  expect(session).toEqual({ accepted: true, widgetToken: 'token-of-T1', validUntil: expect.any(Number) })
  const early = await failure(client.verifyLoan('T1'))
  expect([early.kind, JSON.stringify(early)]).toEqual(['not-found', expect.not.stringContaining(PUBLISHED.ip)])
  service.pay('T1')
  service.payInstallment('T1')
  expect((await client.verifyLoan('T1')).transferDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  expect(await client.cancelLoan('T1')).toEqual({ refundAmount: 31_800 })
  expect((await client.verifyLoan('T1')).state).toBe('CANCELLED')
  expect(await failure(client.cancelLoan('T1'))).toMatchObject({ kind: 'refused', code: 'ERR_LOAN_ALREADY_CANCELLED' })
  expect((await client.registerWebhook('https://shop.example/hooks')).secret).toBe(PUBLISHED.webhookSecret)
  const entity = { externalEntityId: 'E2', name: 'Shop', label: 'shop', isActive: true }
  const { id } = await client.addEntity(entity)
  expect(await failure(client.addEntity(entity))).toMatchObject({ kind: 'refused', exchange: { status: 428 } })
  expect(await client.setEntity(String(id), { isActive: false })).toMatchObject({ isActive: false })
  expect(await client.listEntities()).toMatchObject([{ id, isActive: false }])
  expect(await failure(client.evaluate({ ...order, idNumber: '11111111-1' }))).toMatchObject({
    kind: 'refused',
    code: 'ERR_BNPL_DATA_NOT_OK',
  })
})

test.each([
  ['{"data":{"status":404,"url":"https://x/","ip":"203.0.113.77"}}', 200, ['missing']],
  [
    '{"data":{"status":503,"url":"https://x/","ip":"203.0.113.77","code":"BNPL_FETCH_DATA_ERROR"}}',
    503,
    ['failed', 'service', 'BNPL_FETCH_DATA_ERROR'],
  ],
  [
    '{"data":{"status":422,"url":"https://x/","ip":"203.0.113.77","message":"ERR_BNPL_DATA_NOT_OK"}}',
    200,
    ['failed', 'refused', 'ERR_BNPL_DATA_NOT_OK'],
  ],
])(
  'a row of a file has the outcome of a published error, without the address of the caller: %s',
  async (body, status, expected) => {
    using m = machine()
    const transport: Transport = async () => ({ status, headers: {}, body: Buffer.from(body) })
    writeFileSync(join(m.dir, 'orders.csv'), 'trx\nT1\n')
    for (const line of ['verify --from orders.csv', 'verify --from orders.csv --restart --record calls.ndjson']) {
      const ran = await m.run(`${line} -o json`, { transport, clock: fakeClock(), env: ENV })
      const [{ outcome, error }] = ran.json()
      expect([outcome, ...(error ? [error.kind, error.code] : [])]).toEqual(expected)
      expect(ran.stdout + ran.stderr).not.toContain(PUBLISHED.ip)
    }
    expect(readFileSync(join(m.dir, 'calls.ndjson'), 'utf8')).not.toContain(PUBLISHED.ip)
  },
)

/** Receives deliveries with `webhooks listen`, with the given options. */
async function received(
  m: Machine,
  run: ReturnType<typeof shop>,
  options: string,
  deliveries: readonly { body: string; headers: Record<string, string>; status?: number }[],
): Promise<void> {
  const ready = join(m.dir, 'ready.json')
  const good = deliveries.filter(({ status }) => status === undefined).length
  const line = `webhooks listen --port 0 --ready-file ${ready} --until ${good} --no-print ${options}`
  const listening = run(line)
  await until(() => existsSync(ready))
  const { url } = JSON.parse(readFileSync(ready, 'utf8'))
  for (const { status = 200, ...each } of deliveries)
    expect((await fetch(url, { method: 'POST', ...each })).status).toBe(status)
  expect((await listening).code).toBe(0)
}

const cut = (): never => {
  throw new WireFailure('reset', true, 'ECONNRESET')
}
const late = (): never => {
  throw new WireFailure('timeout', true, 'no complete answer')
}
const status = (status: number) => () => ({ status, headers: {}, body: Buffer.from('') })

/** Returns a shop with a loan for T1, of which one installment of three is paid. */
async function withLoan(m: Machine, name: string, form: Parameters<typeof publishedService>[0] = {}) {
  const clock = fakeClock(Date.parse('2026-03-01T22:30:00Z'))
  const service = publishedService({ now: clock.now, ...form })
  const run = shop(m, service, name, { clock })
  await run('widget-token --trx T1 --amount 250000 --email ana@example.com')
  service.pay('T1', RUT)
  service.payInstallment('T1')
  service.sent.length = 0
  const cancels = () => service.sent.filter(({ url }) => url.endsWith('/loan/cancel')).length
  return { clock, service, run, cancels }
}

test('cancel verifies, shows the loan, sends once, shows the refund, and notes it in the history', async () => {
  using m = machine()
  const { service, run, clock } = await withLoan(m, 'banca.me')
  clock.advance(10 * 86_400_000)
  const ran = await run('cancel T1 --yes --json')
  expect([ran.code, ran.json()]).toEqual([0, { externalTrxId: 'T1', refundAmount: 88_333 }])
  for (const words of ['250', 'ACTIVE', '2026-03-01', 'paid 1 of 3 installments', '50 of 60 days are left'])
    expect(ran.stderr).toContain(words)
  expect(service.sent.map(({ url }) => new URL(url).pathname)).toEqual([
    '/partner/pre-approve/T1/loan',
    '/partner/pre-approve/T1/loan/cancel',
  ])
  expect((await run('history show T1 --json')).json()).toMatchObject({ loanState: 'CANCELLED' })
  expect((await run('verify T1 --expect-state CANCELLED')).code).toBe(0)
  const again = await run('cancel T1 --yes --json')
  expect([again.code, again.error().code]).toEqual([5, 'ALREADY_CANCELLED'])
  expect((await run('cancel T1')).code).toBe(2)
})

test('an error before the cancellation says that nothing was cancelled, and does not advise to wait for a payment', async () => {
  using m = machine()
  const { service, run, cancels } = await withLoan(m, 'banca.me')
  const unknown = await run('cancel T2 --yes --json')
  expect([unknown.code, unknown.error().message]).toEqual([6, expect.stringMatching(/; nothing was cancelled$/)])
  expect(unknown.error().hint).toMatch(/^Check the transaction id\..* bnpl history/)
  const down = await run('cancel T1 --yes', {
    async transport() {
      throw new WireFailure('refused', false, 'ECONNREFUSED')
    },
  })
  expect([down.code, down.stderr, cancels()]).toEqual([9, expect.stringContaining('; nothing was cancelled'), 0])
  expect(service.sent).toHaveLength(1)
})

test('cancel without an account asks for an account, and without a transaction asks for the transaction', async () => {
  using m = machine()
  const nobody = await m.run('cancel T1 --yes --json')
  expect([nobody.code, nobody.error().code]).toEqual([3, 'NO_PROFILE'])
  const env = { BNPL_BASE_URL: 'https://api.example', BNPL_API_KEY: 'sk' }
  expect((await m.run('cancel --yes', { env })).stderr).toContain('missing transaction id')
})

test('cancel is not sent to a service that is not known to have the call, unless a setting says that it has', async () => {
  using m = machine()
  const { service, run, cancels } = await withLoan(m, 'specification')
  const refused = await run('cancel T1 --yes --json')
  expect([refused.code, refused.error().code, service.sent]).toEqual([3, 'NOT_OF_THE_SERVICE', []])
  expect(refused.error().hint).toContain('BNPL_SERVICE=banca.me')
  const address = `--base-url ${PUBLISHED.baseUrl} --api-key-stdin --entity-id ex-1`
  await run(`profiles add acme ${address}`, { stdin: PUBLISHED.key })
  const env = { BNPL_API_KEY: '', BNPL_BASE_URL: '', BNPL_ENTITY_ID: '', BNPL_SERVICE: '' }
  const stored = await run('cancel T1 --yes -p acme', { env })
  expect([stored.code, stored.stderr]).toEqual([3, expect.stringContaining('bnpl profiles set cancel yes -p acme')])
  for (const setting of ['cancel yes', 'cancelledState ANULADO']) await run(`profiles set ${setting} -p acme`, { env })
  const dry = await run('cancel T1 -p acme --dry-run', { env })
  expect([dry.code, dry.stdout, cancels()]).toEqual([
    0,
    expect.stringContaining('/partner/pre-approve/T1/loan/cancel'),
    0,
  ])
  expect((await run('cancel T1 --yes -p acme', { env })).code).toBe(0)
  expect((await run('history show T1 --json -p acme', { env })).json()).toMatchObject({ loanState: 'ANULADO' })
})

test.each([
  ['the answer is cut off after the cancellation', cut, true, 0, 'the answer to the cancellation was lost'],
  ['no answer in time after the cancellation', late, true, 0, 'its state is now CANCELLED'],
  ['502 after the cancellation', status(502), true, 0, 'its state is now CANCELLED'],
  ['the connection is cut off before the cancellation', cut, false, 9, 'was not cancelled: the call got no clear'],
  ['500 without a cancellation', status(500), false, 8, '(500), and the loan is still ACTIVE'],
  ['503 without a cancellation', status(503), false, 8, '(503), and the loan is still ACTIVE'],
  ['no answer in time, and no cancellation yet', late, false, 12, 'but the service may still be cancelling it'],
  ['504 of a server before the service', status(504), false, 12, 'but the service may still be cancelling it'],
] as const)(
  'after an unclear answer to a cancellation, a verification says what is so: %s',
  async (_, answer, isDone, code, says) => {
    using m = machine()
    const { service, run, cancels } = await withLoan(m, 'banca.me')
    const transport: Transport = async (request) => {
      if (!request.url.endsWith('/cancel')) return transportOf(service)(request)
      if (isDone) await transportOf(service)(request)
      else service.sent.push(request)
      return answer()
    }
    const ran = await run('cancel T1 --yes', { transport })
    expect([ran.code, ran.stderr, cancels()]).toEqual([code, expect.stringContaining(says), 1])
    expect(ran.stderr).toMatch(/bnpl verify T1|Run the command again\. That is safe/)
    expect((await run('verify T1 --json')).json().state).toBe(isDone ? 'CANCELLED' : 'ACTIVE')
    expect((await run('cancel T1 --yes')).code).toBe(isDone ? 5 : 0)
  },
)

test.each([
  ['PAID', 'The state of a cancelled loan is assumed to be CANCELLED', 'use a profile with the setting cancelledState'],
  ['VOID', 'the loan is now VOID', 'use a profile with the setting cancelledState'],
])('a loan that changed to the state %s is not reported as cancelled', async (cancelledState, says, hint) => {
  using m = machine()
  const { service, run } = await withLoan(m, 'banca.me', { cancelledState })
  service.spoil('/loan/cancel', 'lose')
  const ran = await run('cancel T1 --yes --json')
  expect([ran.code, ran.error().message, ran.error().hint]).toEqual([
    12,
    expect.stringContaining(says),
    expect.stringContaining(hint),
  ])
})

test('an interruption while an unclear cancellation is verified says that the loan may be cancelled', async () => {
  using m = machine()
  const { service, run, cancels } = await withLoan(m, 'banca.me')
  writeFileSync(join(m.dir, 'orders.csv'), 'trx\nT1\n')
  for (const [line, code, says] of [
    ['cancel T1', 130, 'got no clear answer; the loan may be cancelled'],
    // The only row of the file was sent, so the run is complete.
    ['cancel --from orders.csv', 12, '1 of 1 rows were sent, but their outcome is unknown: line 2'],
  ] as const) {
    const stop = new AbortController()
    const transport: Transport = async (request) => {
      if (!request.url.endsWith('/cancel')) return transportOf(service)(request)
      service.sent.push(request)
      stop.abort(new Interrupted())
      return cut()
    }
    const ran = await run(`${line} --yes`, { transport, signal: stop.signal })
    expect([line, ran.code, ran.stderr]).toEqual([line, code, expect.stringContaining(says)])
  }
  expect(cancels()).toBe(2)
})

test('if the loan cannot be verified after an unclear answer either, the outcome is unknown', async () => {
  using m = machine()
  const { service, run, cancels } = await withLoan(m, 'banca.me')
  service.spoil('/loan/cancel', 'lose')
  const ran = await run('cancel T1 --yes --json', {
    transport: async (request) => {
      if (cancels() > 0) throw new WireFailure('refused', false, 'ECONNREFUSED')
      return transportOf(service)(request)
    },
  })
  expect([ran.code, ran.stdout, cancels()]).toEqual([12, '', 1])
  expect(ran.error().hint).toContain('bnpl verify T1')
})

test.each([
  [{ cancelledState: 'VOID' }, 0, 0, undefined],
  [{}, 61, 5, 'ERR_LOAN_CANCEL_PERIOD_EXPIRED'],
])('a service with %j, %d days after the transfer', async (form, days, code, errorCode) => {
  using m = machine()
  const { run, clock } = await withLoan(m, 'banca.me', form)
  clock.advance(days * 86_400_000)
  const ran = await run('cancel T1 --yes --json')
  expect(ran.code).toBe(code)
  if (errorCode === undefined) return
  expect(ran.error().code).toBe(errorCode)
  expect(ran.stderr).toContain('were over 1 day ago')
})

test('a file of cancellations is sent once for each row, also if answers are lost and the run is resumed', async () => {
  using m = machine()
  const { service, run, cancels } = await withLoan(m, 'banca.me')
  for (const trx of ['T2', 'T3', 'T4']) {
    await run(`widget-token --trx ${trx} --amount 1000 --email ana@example.com`)
    service.pay(trx, RUT)
  }
  service.cancelInDashboard('T3')
  writeFileSync(join(m.dir, 'orders.csv'), 'trx\nT1\nT2\nT3\nT4\nT5\n')
  expect((await run('cancel --from orders.csv -o json')).code).toBe(2)
  expect(cancels()).toBe(0)
  service.spoil('T2/loan/cancel', 'lose')
  service.spoil('T4/loan/cancel', 'drop')
  const ran = await run('cancel --from orders.csv -o json --yes')
  expect(ran.json().map(({ outcome, state, refundAmount }: any) => [outcome, state, refundAmount])).toEqual([
    ['ok', 'CANCELLED', 88_333],
    ['ok', 'CANCELLED', null],
    ['already-cancelled', 'CANCELLED', undefined],
    ['failed', undefined, undefined],
    ['failed', undefined, undefined],
  ])
  expect([ran.code, cancels()]).toEqual([11, 3])
  const resumed = await run('cancel --from orders.csv -o json --yes --resume')
  expect(resumed.json().map(({ outcome }: any) => outcome)).toEqual(['ok', 'ok', 'already-cancelled', 'ok', 'failed'])
  expect(cancels()).toBe(4)
})

test('a resumed run of cancellations verifies the rows without a known outcome, and sends none of them again', async () => {
  using m = machine()
  const { service, run, cancels } = await withLoan(m, 'banca.me')
  for (const trx of ['T2', 'T3']) {
    await run(`widget-token --trx ${trx} --amount 1000 --email ana@example.com`)
    service.pay(trx, RUT)
  }
  writeFileSync(join(m.dir, 'orders.csv'), 'trx\nT1\nT2\nT3\n')
  const cancel = 'cancel --from orders.csv -o json --yes'
  const transport: Transport = async (request) =>
    request.url.endsWith('/cancel') ? late() : transportOf(service)(request)
  const ran = await run(cancel, { transport })
  expect([ran.code, ran.json().map(({ outcome }: any) => outcome)]).toEqual([12, ['unknown', 'unknown', 'unknown']])
  // The service carries out two of the calls after all.
  for (const trx of ['T1', 'T2']) service.cancelInDashboard(trx)
  const resumed = await run(`${cancel} --resume`)
  const summary = ({ outcome, state, refundAmount, paidInstallments }: any) => [
    outcome,
    state,
    refundAmount,
    paidInstallments,
  ]
  const known = [
    ['ok', 'CANCELLED', null, 1],
    ['ok', 'CANCELLED', null, 0],
  ]
  expect([resumed.code, resumed.json().map(summary)]).toEqual([12, [...known, ['unknown', 'ACTIVE', undefined, 0]]])
  const { code, message } = resumed.json()[2].error
  expect([code, message]).toEqual([
    'NOT_CANCELLED',
    'an earlier run got no answer to this cancellation, and the loan is now ACTIVE, not CANCELLED',
  ])
  expect(resumed.json()[2].error.hint).toContain('Send the row again with --retry-unknown.')
  // That CANCELLED is the state of a cancelled loan is an assumption, so another state than ACTIVE may also be that of a cancelled loan.
  const renaming: Transport = async (request) => {
    const answer = await transportOf(service)(request)
    return { ...answer, body: Buffer.from(Buffer.from(answer.body).toString().replaceAll('"ACTIVE"', '"ANULADO"')) }
  }
  const renamed = await run(`${cancel} --resume`, { transport: renaming })
  expect(renamed.json().map(summary)[2]).toEqual(['unknown', 'ANULADO', undefined, 0])
  expect(renamed.json()[2].error.hint).toMatch(/^Ask the support of the service whether this loan is cancelled\./)
  expect(cancels()).toBe(0)
  const retried = await run(`${cancel} --resume --retry-unknown`)
  expect([retried.code, retried.json().map(summary), cancels()]).toEqual([0, [...known, ['ok', 'CANCELLED', 0, 0]], 1])
})

test('a loan of the sandbox is cancelled without keys and set-up', async () => {
  using m = machine()
  await m.run('evaluate --rut 11222333-9 --amount 250000 --trx T1 -p sandbox')
  await m.run('sandbox pay T1')
  const ran = await m.run('cancel T1 --yes --json -p sandbox')
  expect([ran.code, ran.json()]).toEqual([0, { externalTrxId: 'T1', refundAmount: 0 }])
  expect((await m.run('verify T1 -p sandbox --json')).json()).toMatchObject({ state: 'CANCELLED' })
  const again = await m.run('api POST /partner/pre-approve/T1/loan/cancel -p sandbox')
  expect([again.code, again.stdout]).toEqual([5, expect.stringContaining('ERR_LOAN_ALREADY_CANCELLED')])
  const token = await m.run('widget-token --trx T1 --amount 250000 --email ana@example.com -p sandbox')
  expect([token.code, token.stderr]).toEqual([
    5,
    expect.stringContaining('T1 has a loan already (CANCELLED), so no token'),
  ])
})

test.each([
  ['n', 2, 'ACTIVE'],
  ['y', 0, 'CANCELLED'],
])(
  'on a terminal, cancel shows the loan and asks: the answer %s ends with %i, and the loan is %s',
  async (key, code, state) => {
    using m = machine()
    await m.run('evaluate --rut 11222333-9 --amount 250000 --trx T1 -p sandbox')
    await m.run('sandbox pay T1')
    const terminal = typedTerminal([[/Cancel the loan/, `${key}\r`]])
    const { world, stderr } = m.world()
    Object.assign(world.io, terminal.io)
    expect(await runCli(['cancel', 'T1', '-p', 'sandbox'], world)).toBe(code)
    expect([terminal.unanswered(), stderr()]).toEqual([0, expect.stringContaining('60 of 60 days are left')])
    expect((await m.run('verify T1 -p sandbox --json')).json().state).toBe(state)
  },
)

test('a run over a file stays below the limit of the service by itself, and says so once', async () => {
  using m = machine()
  const clock = sharedClock()
  const service = publishedService({ now: clock.now })
  const run = shop(m, service, 'banca.me', { clock })
  const began = clock.monotonic()
  writeFileSync(join(m.dir, 'orders.csv'), `trx\n${Array.from({ length: 250 }, (_, i) => `T${i}`).join('\n')}\n`)
  const ran = await run('verify --from orders.csv -o json')
  expect([ran.code, ran.json().length, service.counts.refused]).toEqual([10, 250, 0])
  expect(clock.monotonic() - began).toBeGreaterThan(120_000)
  expect(ran.stderr.match(/The service allows 100 calls in 1m/g)).toHaveLength(1)
  const faster = await run('verify --from orders.csv -o json --rate 1000/s --restart')
  expect(service.counts.refused).toBeGreaterThan(0)
  expect(faster.stderr).not.toContain('The service allows 100 calls')
})

test.each(['ratelimit', 'x-ratelimit'])(
  'the headers %s-… slow a run down before the service refuses a call',
  async (limitHeaders) => {
    using m = machine()
    const clock = fakeClock(Date.parse('2026-03-01T12:00:00Z'))
    const service = publishedService({ now: clock.now, limitHeaders, perMinute: 40 })
    const run = shop(m, service, 'specification', { clock })
    writeFileSync(join(m.dir, 'orders.csv'), `trx\n${Array.from({ length: 100 }, (_, i) => `T${i}`).join('\n')}\n`)
    const ran = await run('verify --from orders.csv -o json')
    expect([ran.code, ran.json().length, service.counts.refused]).toEqual([10, 100, 0])
    expect(ran.stderr.match(/The service says that it allows no more calls for 60 s/g)).toHaveLength(1)
  },
)

test('entities are added, listed and changed, and one that exists is no failure with --if-missing', async () => {
  using m = machine()
  const service = publishedService()
  const address = `--base-url ${PUBLISHED.baseUrl} --api-key-stdin --service banca.me`
  const env = { BNPL_API_KEY: '', BNPL_BASE_URL: '', BNPL_ENTITY_ID: '', BNPL_SERVICE: '' }
  const run = shop(m, service, 'banca.me', { env })
  expect((await run(`profiles add acme ${address}`, { stdin: PUBLISHED.key })).code).toBe(0)
  const add = 'entities add --external-id shop-2 --name Shop --label shop-2 -p acme --json'
  const added = await run(add)
  expect([added.code, added.json()]).toMatchObject([0, { externalEntityId: 'shop-2', isActive: true }])
  const again = await run(add)
  expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('it exists already')])
  expect((await run(`${add} --if-missing`)).json()).toEqual({
    externalEntityId: 'shop-2',
    name: 'Shop',
    label: 'shop-2',
    isActive: true,
  })
  const shown = (await run('profiles show acme --json')).json()
  expect([shown['paths.entities'], shown['paths.entity']]).toEqual([null, null])
  const unknown = await run('entities list -p acme')
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('bnpl profiles set paths.entities')])
  for (const setting of ['paths.entities /partner/entity', 'paths.entity /partner/entity/{entityId}'])
    expect((await run(`profiles set ${setting} -p acme`)).code).toBe(0)
  const { id } = added.json()
  expect((await run(`${add} --if-missing`)).json().id).toBe(id)
  expect((await run('entities list -p acme --json')).json()).toMatchObject([{ id, label: 'shop-2' }])
  const changed = await run(`entities set ${id} --active no --name Closed -p acme --json`)
  expect([changed.code, changed.json()]).toMatchObject([0, { id, name: 'Closed', isActive: false }])
  expect((await run(`entities set ${id} -p acme`)).code).toBe(2)
  const none = await run('entities set none --active no -p acme')
  expect([none.code, none.stderr]).toEqual([
    6,
    expect.stringMatching(/\n {2}See all entities: bnpl entities list -p acme\n$/),
  ])
  const token = await run(`widget-token --trx T1 --amount 1000 --email a@example.com --entity-id ${id} -p acme`)
  expect(token.code).toBe(4)
})

test('an entity of the sandbox can be used for a payment while it is active, and a session that is open stays open', async () => {
  using m = machine()
  const add = 'entities add --external-id shop-2 --name Shop --label shop-2 -p sandbox --json'
  const { id } = (await m.run(add)).json()
  expect((await m.run(add)).error().code).toBe('ERR_ENTITY_EXISTS')
  const of = (trx: string) => `--trx ${trx} --amount 250000 --entity-id ${id} -p sandbox --json`
  const evaluate = (trx: string) => m.run(`evaluate --rut 11222333-9 ${of(trx)}`)
  expect((await evaluate('T1')).code).toBe(0)
  expect((await m.run(`widget-token --email a@example.com ${of('T1')}`)).code).toBe(0)
  // The sandbox answers with a code that a payment also has.
  expect((await m.run('entities set shop-2 --active no -p sandbox')).stderr).toMatch(
    /\n {2}See all entities: bnpl entities list -p sandbox\n$/,
  )
  await m.run(`entities set ${id} --active no -p sandbox`)
  expect((await evaluate('T2')).error().code).toBe('ERR_ENTITY_INACTIVE')
  const token = await m.run(`widget-token --email a@example.com ${of('T3')}`)
  expect(token.error().code).toBe('ERR_ENTITY_INACTIVE')
  expect((await m.run('sandbox pay T1 --json')).json()).toMatchObject({ outcome: 'paid' })
})

test('the list of entities contains the account’s own entity, which payments use without --entity-id', async () => {
  using m = machine()
  await m.run('entities add --external-id shop-2 --name Shop --label shop-2 --active no -p sandbox')
  const [own, other] = (await m.run('entities list -p sandbox --json')).json()
  expect([own, other]).toMatchObject([
    { name: 'Tienda Demo', label: 'Tienda Demo', isActive: true },
    { externalEntityId: 'shop-2', isActive: false },
  ])
  const listed = await m.run('entities list -p sandbox')
  expect(listed.stderr).toContain(`Without --entity-id, the entity is ${own.id} (sandbox).`)
  const lines = listed.stdout.trim().split('\n')
  expect(lines.map((line) => line.split(/ {2,}/).slice(0, 5))).toEqual([
    ['External id', 'Name', 'Label', 'Active', 'Id'],
    [own.id, 'Tienda Demo', 'Tienda Demo', 'yes', own.id],
    ['shop-2', 'Shop', 'shop-2', 'no', other.id],
  ])
  const evaluated = await m.run('evaluate --rut 11222333-9 --amount 250000 --trx T1 -p sandbox --json')
  expect(evaluated.json().entityId).toBe(own.id)
  for (const same of [`--external-id ${own.id} --label x`, "--external-id x --label 'Tienda Demo'"]) {
    const words = same.split(/ (?=--)/).flatMap((each) => each.replaceAll("'", '').split(/ (.*)/).filter(Boolean))
    const ran = await m.run(['entities', 'add', '--name', 'x', ...words, '-p', 'sandbox', '--json'])
    expect([ran.code, ran.error().code]).toEqual([5, 'ERR_ENTITY_EXISTS'])
  }
  const set = await m.run(`entities set ${own.id} --active no -p sandbox --json`)
  expect([set.code, set.error().code]).toEqual([5, 'ERR_ENTITY_OF_ACCOUNT'])
})

test.each([
  ['banca.me', {}],
  ['specification', {}],
  // A mix: the published signature under the specified header, and days in the verification beside times in the event.
  ['banca.me', { signatureHeader: 'service-signature', dates: 'day', eventDates: 'date-time' }],
  ['specification', { dates: 'date-time', eventDates: 'day', accepted: true, limitHeaders: 'x-ratelimit' }],
] as const)(
  'a month of a shop: evaluation or none, payment, entities, webhook, installments, refund, reconciliation (%s, %j)',
  async (name, form) => {
    using m = machine()
    const service = publishedService(form)
    const run = shop(m, service, name, { env: { BNPL_WEBHOOK_SECRET: PUBLISHED.webhookSecret } })
    const record = '--record month.ndjson'
    const returns = '--success-url https://shop.example/ok --error-url https://shop.example/no'
    const pay = (trx: string) => run(`pay-url --trx ${trx} --amount 90000 --email ana@example.com ${returns} ${record}`)

    expect((await run(`webhooks add https://shop.example/hooks ${record}`)).code).toBe(name === 'banca.me' ? 0 : 5)
    expect((await run(`evaluate --rut ${RUT} --amount 90000 --trx M1 ${record}`)).code).toBe(0)
    expect((await run(`evaluate --rut 11111111-1 --amount 90000 --trx M0 ${record}`)).code).toBe(5)
    for (const trx of ['M1', 'M2', 'M3']) expect((await pay(trx)).code).toBe(0)
    expect((await run(`verify M2 ${record}`)).code).toBe(6)
    for (const trx of ['M1', 'M2', 'M3']) service.pay(trx, RUT)

    // The paths that list and change entities are not published, so the merchant has to set them.
    const add = `entities add --external-id E2 --name Shop --label shop ${record} --json`
    const added = await run(add)
    const before = service.sent.length
    const unset = await run('entities list --json')
    expect([added.code, unset.code, unset.error().code]).toEqual(
      name === 'banca.me' ? [0, 3, 'PATH_NOT_SET'] : [3, 3, 'NOT_OF_THE_SERVICE'],
    )
    expect(service.sent.length).toBe(before)
    const fields = {
      entities: { answer: 'yes' },
      'paths.entities': { answer: '/partner/entity' },
      'paths.entity': { answer: '/partner/entity/{entityId}' },
    }
    const kind = 'bnpl service description'
    writeFileSync(join(m.dir, 'service.json'), JSON.stringify({ kind, version: 1, service: name, fields }))
    const known = (line: string) => run(line, { env: { BNPL_SERVICE: 'service.json' } })
    if (name === 'specification') expect((await known(add)).code).toBe(0)
    for (const same of ['--external-id E2 --label other', '--external-id E3 --label shop']) {
      const again = await known(`entities add --name Again ${same} ${record} --json`)
      expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('it exists already')])
    }
    const [entity] = (await known(`${add} --if-missing`).then(() => known('entities list --json'))).json()
    expect(entity).toMatchObject({ externalEntityId: 'E2', label: 'shop', isActive: true })
    const token = (trx: string) =>
      known(`widget-token --trx ${trx} --amount 90000 --email ana@example.com --entity-id ${entity.id} --json`)
    for (const [active, codes] of [
      ['no', [4, 5]],
      ['yes', [0]],
    ] as const) {
      const set = await known(`entities set ${entity.id} --active ${active} ${record} --json`)
      expect([set.code, set.json().isActive]).toEqual([0, active === 'yes'])
      expect((await token(`M-${active}`)).code).toBeOneOf([...codes])
    }
    service.pay('M-yes', RUT)
    expect((await known('verify M-yes --expect-state ACTIVE')).code).toBe(0)

    const deliveries = ['M1', 'M2', 'M3'].map((trx) => service.delivery(trx))
    await received(m, run, '', [{ ...service.delivery('M1'), body: '{}', status: 401 }, ...deliveries])
    const confirmed = await run('webhooks events confirm 1 2 3 --json')
    expect([confirmed.code, confirmed.json().map(({ result }: any) => result)]).toEqual([
      0,
      ['agrees', 'agrees', 'agrees'],
    ])

    for (const trx of ['M1', 'M2']) service.payInstallment(trx)
    const cancelled = await run(`cancel M2 --yes --json ${record}`)
    if (name === 'banca.me') expect(cancelled.json()).toEqual({ externalTrxId: 'M2', refundAmount: 31_800 })
    else expect([cancelled.code, service.payments.get('M2')?.cancelled]).toEqual([3, false])
    await run(`verify M2 ${record}`)

    const day = new Date().toISOString().slice(0, 10)
    const state = name === 'banca.me' ? 'CANCELLED' : 'ACTIVE'
    const orders = [`M1,90000,ACTIVE,${day}`, `M2,90000,${state},${day}`, `M3,90001,ACTIVE,${day}`]
    writeFileSync(join(m.dir, 'orders.csv'), `trx,amount,state,transferDate\n${orders.join('\n')}\n`)
    const reconciled = await run(`verify --from orders.csv -o json ${record}`)
    expect(reconciled.json().map(({ outcome, differences }: any) => [outcome, ...differences])).toEqual([
      ['ok'],
      ['ok'],
      ['different', 'amount'],
    ])
    expect((await run('history list --json')).json().length).toBeGreaterThan(2)

    if (name === 'specification' || 'dates' in form) return
    const checked = await run('contract check month.ndjson --json')
    expect([checked.code, checked.json()]).toEqual([0, []])
    const learnt = Object.fromEntries(
      (await run('contract learn month.ndjson --json')).json().map(({ field, answer }: any) => [field, answer]),
    )
    expect(learnt).toMatchObject({
      widgetPreApproveId: 'yes',
      validUntil: 'yes',
      accepted: 'no',
      loanDates: 'date-time',
      cancel: 'yes',
      cancelledState: 'CANCELLED',
      errorForm: 'data',
    })
  },
)
