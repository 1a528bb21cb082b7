import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Transport } from '../../src/contract/wire.ts'
import { sign } from '../../src/domain/signature.ts'
import { DEFAULT_SIGNATURE } from '../../src/domain/signature-settings.ts'
import { Interrupted } from '../../src/errors.ts'
import { fakeClock, machine } from '../kit/harness.ts'
import { LOAN } from '../kit/loan.ts'
import { unicodeText } from '../kit/unicode-text.ts'
import { deliver } from '../receiver/listener.ts'
import { budget, endsWell, TIMEOUT } from './budget.ts'
import { hostileText, mutated } from './hostile.ts'

const env = { BNPL_API_KEY: 'sk-canary-1234567890', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }
const here = machine()
afterAll(() => here[Symbol.dispose]())

const transport: Transport = async ({ url }) => {
  const data = url.endsWith('/loan') ? LOAN : { preApproveId: 'P', installmentOptions: [] }
  return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data })) }
}
const options = { env, transport, clock: fakeClock() }

test('evaluate with any RUT ends with a documented exit code', { timeout: TIMEOUT }, async () => {
  const rut = fc.oneof(
    hostileText,
    fc
      .tuple(fc.nat(99_999_999), fc.constantFrom('-', '', '.'), fc.constantFrom(...'0123456789kK'))
      .map((parts) => parts.join('')),
    fc.string({ unit: fc.constantFrom(...'0123456789.-kK \u2010\uff10'), maxLength: 14 }),
  )
  const property = fc.asyncProperty(rut, async (text) => {
    const ran = await endsWell(() =>
      here.run(['evaluate', `--rut=${text}`, '--amount', '1000', '--trx', 'T', '--json'], options),
    )
    expect([0, 2]).toContain(ran.code)
    const digits = text.replace(/\D/g, '')
    if (ran.code === 2 && digits.length > 6 && digits.length < 20) expect(ran.stderr).not.toContain(digits)
  })
  await fc.assert(property, budget('RUTs', 100, 20_000))
})

const PATHS = [
  'verify ID',
  'informe get ID',
  'webhooks rm ID -y',
  'leads get ID',
  'api GET /partner/ID',
  'history show ID',
  'explain ID',
]

test.each(PATHS)('any path parameter gives a documented exit code: %s [row 28]', { timeout: TIMEOUT }, async (line) => {
  const property = fc.asyncProperty(hostileText, async (id) => {
    const words = line.split(' ').map((word) => word.replace('ID', id))
    await endsWell(() =>
      here.run(
        [
          ...words.slice(0, 2),
          '--json',
          ...words.slice(2).filter((word) => word === '-y'),
          '--',
          ...words.slice(2).filter((word) => word !== '-y'),
        ],
        options,
      ),
    )
  })
  await fc.assert(property, budget(line, 30, 20_000))
})

const cell = fc.oneof(hostileText, fc.constantFrom('11222333-9', '1000', 'T1', '"', ';', '\n'))
const csvFile = fc.oneof(
  fc
    .array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 })
    .map((rows) => `rut,amount,externalTrxId\n${rows.map((row) => row.join(',')).join('\n')}`),
  fc
    .array(
      fc.array(
        cell.map((text) => `"${text.replaceAll('"', '""')}"`),
        { minLength: 3, maxLength: 3 },
      ),
      { maxLength: 5 },
    )
    .map((rows) => `\ufeffRUT;Amount;external_trx_id\r\n${rows.map((row) => row.join(';')).join('\r\n')}`),
  fc.array(fc.json(), { maxLength: 4 }).map((lines) => lines.join('\n')),
  unicodeText({ maxLength: 200 }),
)

test.each(['evaluate', 'verify', 'informe download'])(
  'any file of rows ends as documented: %s --from [row 95]',
  { timeout: TIMEOUT },
  async (command) => {
    const file = fc.oneof(
      { weight: 9, arbitrary: csvFile.map((text) => Buffer.from(text)) },
      { weight: 1, arbitrary: fc.uint8Array() },
    )
    let n = 0
    const property = fc.asyncProperty(file, fc.constantFrom('csv', 'ndjson', 'txt'), async (bytes, ending) => {
      const name = `${command.replace(' ', '-')}-${n++ % 20}.${ending}`
      writeFileSync(join(here.dir, name), bytes)
      await endsWell(() =>
        here.run([...command.split(' '), '--from', name, '--output', 'ndjson', '--dry-run'], options),
      )
    })
    await fc.assert(property, budget(`${command} --from`, 30, 20_000))
  },
)

test('any profile file leads to a documented exit code, and no key is printed [row 91]', {
  timeout: TIMEOUT,
}, async () => {
  using m = machine()
  await m.run('profiles add acme --base-url https://api.example.com --api-key-stdin', { stdin: 'sk-canary-1234567890' })
  const whole = {
    version: 1,
    default: 'acme',
    profiles: {
      acme: {
        environment: 'beta',
        baseUrl: 'https://api.example.com',
        apiKey: 'sk-canary-1234567890',
        apiKeyOrigin: 'https://api.example.com',
        webhookSecrets: ['whsec-canary'],
        hmacAlgorithm: 'sha256',
        'paths.leads': '/leads',
        currency: '$',
      },
    },
  }
  const text = fc.oneof(
    { weight: 6, arbitrary: mutated(whole).map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: fc.nat(200).map((cut) => JSON.stringify(whole).slice(0, cut)) },
    { weight: 1, arbitrary: hostileText },
  )
  const line = fc.constantFrom(
    'profiles list',
    'profiles show',
    'verify T1',
    'webhooks list',
    'leads list',
    'doctor --offline',
    'profiles set currency $',
  )
  const property = fc.asyncProperty(text, line, async (given, words) => {
    writeFileSync(join(m.configDir, 'profiles.json'), given, { mode: 0o600 })
    const ran = await endsWell(() => m.run(`${words} --json`, { transport, clock: fakeClock() }))
    expect(ran.stdout + ran.stderr).not.toContain('canary')
  })
  await fc.assert(property, budget('profile files', 75, 20_000))
})

test('any delivery with a right signature gets 200, any other gets 401, and stored events can be shown [row 46, row 48, row 60]', {
  timeout: TIMEOUT,
}, async () => {
  using m = machine()
  const stop = new AbortController()
  const ready = join(m.dir, 'ready.json')
  const env = { BNPL_WEBHOOK_SECRET: 'whsec-canary' }
  const listening = m.run(`webhooks listen --port 0 --ready-file ${ready}`, { env, signal: stop.signal })
  await expect.poll(() => existsSync(ready)).toBe(true)
  const { url } = JSON.parse(readFileSync(ready, 'utf8'))
  const envelope = {
    eventId: 'e1',
    data: { externalTrxId: 'T1', loanAmount: 1000, installments: [{ state: 'ACTIVE' }] },
  }
  const body = fc.oneof(
    { weight: 3, arbitrary: mutated(envelope).map((value) => Buffer.from(JSON.stringify(value) ?? '')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(hostileText, mutated(envelope.data))
        .map(([eventId, data]) => Buffer.from(JSON.stringify({ eventId, data }))),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('['.repeat(20_000), '{"eventId":"e","data":', '\ufeff{}')
        .map((text) => Buffer.from(text)),
    },
  )
  const header = fc.oneof(
    fc.constant('right'),
    fc.string({ maxLength: 100 }).filter((text) => /^[\x20-\x7e\xa0-\xff]*$/.test(text)),
  )
  let n = 0
  const property = fc.asyncProperty(body, header, async (bytes, given) => {
    const isRight = given === 'right'
    const signature = isRight ? sign(bytes, env.BNPL_WEBHOOK_SECRET, DEFAULT_SIGNATURE) : given
    const { status } = await deliver({ url }, { body: bytes, signature })
    expect([status, isRight]).toEqual([isRight ? 200 : 401, isRight])
    if (n++ % 50 > 0) return
    for (const line of [
      'webhooks events list --limit 30 --reveal',
      'webhooks events show #1 --reveal',
      'webhooks events list --json',
    ])
      await endsWell(() => m.run(line, { stdoutIsTty: true }))
  })
  await fc.assert(property, budget('deliveries', 50, 20_000))
  stop.abort(new Interrupted())
  const ended = await listening
  expect(ended.code).toBe(130)
  expect(ended.stdout + ended.stderr).not.toMatch(/\n\s+at |whsec-canary/)
  for (const line of ended.stdout.split('\n').slice(0, -1)) JSON.parse(line)
})

test('verify-signature with any signature and any body ends with a documented exit code [row 46, row 60]', {
  timeout: TIMEOUT,
}, async () => {
  const body = fc.oneof(
    mutated({ eventId: 'e1', data: { externalTrxId: 'T1', loanAmount: 1000 } }).map((value) =>
      Buffer.from(JSON.stringify(value) ?? ''),
    ),
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
  )
  const signature = fc.oneof(
    hostileText,
    fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF='), maxLength: 130 }),
  )
  const property = fc.asyncProperty(body, signature, async (bytes, given) => {
    writeFileSync(join(here.dir, 'body'), bytes)
    const ran = await endsWell(() =>
      here.run(['webhooks', 'verify-signature', '--body-file', 'body', `--signature=${given}`, '--json'], {
        env: { BNPL_WEBHOOK_SECRET: 'whsec-canary' },
      }),
    )
    expect([2, 10]).toContain(ran.code)
    expect(ran.stdout + ran.stderr).not.toContain('canary')
  })
  await fc.assert(property, budget('signatures', 100, 100_000))
})
