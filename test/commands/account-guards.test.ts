import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Transport } from '../../src/contract/wire.ts'
import { type Machine, machine } from '../kit/harness.ts'

const KEY = 'sk_canary_0123456789abcd'
const EVALUATE = 'evaluate --rut 11.222.333-9 --amount 1000 --entity-id E1 --trx T1'
const ACCOUNT = '--base-url https://api.example.com --payment-url https://pay.example.com --api-key-stdin'

/** A network that records the address and the key of each request. */
function recorder() {
  const sent: { origin: string; key: string | undefined }[] = []
  const transport: Transport = async ({ url, headers }) => {
    const { authorization } = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    sent.push({ origin: new URL(url).origin, key: authorization })
    const data = { preApproveId: 'P1', installmentOptions: [{ installments: 3, amount: 350, total: 1050 }] }
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data })) }
  }
  return { sent, transport }
}

async function account(m: Machine, environment: string) {
  const added = await m.run(`profiles add acme ${ACCOUNT} --environment ${environment}`, { stdin: KEY })
  expect(added).toMatchObject({ code: 0 })
}

const HOSTS = ['api.example.com', 'API.EXAMPLE.COM', 'api.example.com.', 'api.example.com:443', 'api.example.com:8443']
const LOOK_ALIKES = [
  ...HOSTS.slice(2).map((host) => `https://${host}`),
  ...HOSTS.map((host) => `http://${host}`),
  ...HOSTS.map((host) => `https://${host}@evil.example`),
  ...HOSTS.map((host) => `https://evil.example/${host}`),
  ...HOSTS.map((host) => `https://${host}.evil.example`.replace(/:\d+\./, '.')),
  'https://evil.example#@api.example.com',
  'https://evil.example\\@api.example.com',
  'https://api@evil.example',
  'https://user:secret@api.example.com',
  'https://api.example.com%2eevil.example',
  'https://аpi.example.com',
  'https://api.example.com\u3002evil.example',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
  'http://127.0.0.1',
  'http://127.0.0.1.evil',
  'http://localhost.evil.example',
  'http://0x7f.1@evil.example',
  'ftp://api.example.com',
  'javascript://api.example.com/%0aalert(1)',
  'file:///etc/passwd',
  '//api.example.com',
  'api.example.com',
  'evil',
].filter(
  (address) =>
    !URL.canParse(address) || new URL(address).origin !== 'https://api.example.com' || new URL(address).username !== '',
)

test.each(['@evil.example/leads', '.evil.example/leads', '8443/leads', '\\\\evil.example/leads'])(
  'the path %s in an edited profile does not send the key to another address [row 7]',
  async (path) => {
    using m = machine()
    const { sent, transport } = recorder()
    await account(m, 'beta')
    const file = join(m.configDir, 'profiles.json')
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    Object.assign(kept.profiles.acme, { 'paths.leads': path })
    writeFileSync(file, JSON.stringify(kept))
    const ran = await m.run('leads list -p acme --json', { transport })
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.error().code).toBe('BAD_PATH')
    expect(sent).toEqual([])
  },
)

test.each(LOOK_ALIKES)('the stored key is not sent to %s [row 7]', async (address) => {
  using m = machine()
  await account(m, 'beta')
  const { sent, transport } = recorder()
  const moved = await m.run([...EVALUATE.split(' '), '--json'], { env: { BNPL_BASE_URL: address }, transport })
  expect(moved).toMatchObject({ code: 3, stdout: '' })

  const set = await m.run(['profiles', 'set', 'baseUrl', address])
  expect([2, 3]).toContain(set.code)

  const path = join(m.configDir, 'profiles.json')
  const file = (await (await import('../../src/profiles/file.ts')).readProfileFile(m.configDir)) as any
  file.profiles.acme.baseUrl = address
  writeFileSync(path, JSON.stringify(file))
  expect(await m.run(EVALUATE, { transport })).toMatchObject({ code: 3, stdout: '' })
  expect(sent).toEqual([])
  expect(moved.stderr + set.stderr).not.toContain('canary')
})

test.each([
  'http://127.0.0.1.evil',
  'http://127.0.0.1.evil.example:80',
  'http://127.1.evil',
  'http://localhost.evil',
  'http://evil.localhost.example',
  'http://api.example.com',
  'http://0.0.0.0',
  'http://10.0.0.1',
  'http://[fe80::1]',
  'https://api@evil.example',
  'http://127.0.0.1@evil.example',
])(
  'a key of the environment is not sent over plain http to another machine, nor to a look-alike address: %s [row 7]',
  async (address) => {
    using m = machine()
    const { sent, transport } = recorder()
    const ran = await m.run(EVALUATE, { env: { BNPL_API_KEY: KEY, BNPL_BASE_URL: address }, transport })
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(sent).toEqual([])
    expect(ran.stderr).not.toContain('canary')
  },
)

test.each(['https://API.example.com', 'https://api.example.com:443/', 'https://api.example.com/v2'])(
  'the stored key is sent to %s, which has the same origin',
  async (address) => {
    using m = machine()
    await account(m, 'beta')
    const { sent, transport } = recorder()
    expect(await m.run(EVALUATE, { env: { BNPL_BASE_URL: address }, transport })).toMatchObject({ code: 0 })
    expect(sent).toEqual([{ origin: 'https://api.example.com', key: `Bearer ${KEY}` }])
  },
)

test('a change in production without a terminal needs --yes; without --yes nothing is sent [row 9]', async () => {
  using m = machine()
  await account(m, 'production')
  const { sent, transport } = recorder()
  for (const more of [[], ['--no-input'], ['--quiet']]) {
    const ran = await m.run([...EVALUATE.split(' '), ...more, '--json'], { transport })
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.error().code).toBe('PRODUCTION_NEEDS_YES')
    expect(ran.stderr).toContain('PRODUCTION profile acme (api.example.com)')
  }
  expect(sent).toEqual([])
  const agreed = await m.run(`${EVALUATE} --yes --quiet`, { transport })
  expect(agreed.code).toBe(0)
  expect(agreed.stderr).toContain('PRODUCTION profile acme')
  expect(sent).toHaveLength(1)
})

test.each([
  ['webhooks rm W1', 'delete the webhook destination W1'],
  ['webhooks rm W1 W2', 'delete 2 webhook destinations: W1, W2'],
  [
    'webhooks rm W9 --url https://shop.example/hook',
    'delete 2 webhook destinations: W9, W1 (https://shop.example/hook)',
  ],
])('%s in production names the destinations in the request for confirmation', async (line, words) => {
  using m = machine()
  await account(m, 'production')
  const sent: string[] = []
  const transport: Transport = async ({ method }) => {
    sent.push(method)
    const data = [{ id: 'W1', url: 'https://shop.example/hook', verificationScheme: 'hmac' }]
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data })) }
  }
  const ran = await m.run(`${line} --json`, { transport })
  expect(ran.error()).toMatchObject({
    code: 'PRODUCTION_NEEDS_YES',
    message: expect.stringContaining(`this would ${words} on the production profile`),
  })
  expect(sent).not.toContain('DELETE')
})

test('a read in production names the profile and does not ask', async () => {
  using m = machine()
  await account(m, 'production')
  const ran = await m.run('webhooks list --json', {
    transport: async () => ({ status: 200, headers: {}, body: Buffer.from('{"data":[]}') }),
  })
  expect(ran).toMatchObject({ code: 0, stdout: '[]\n' })
  expect(ran.stderr).toContain('PRODUCTION')
})

test('a change with a beta profile asks no question and prints no line about production', async () => {
  using m = machine()
  await account(m, 'beta')
  const ran = await m.run(EVALUATE, recorder())
  expect(ran.code).toBe(0)
  expect(ran.stderr).not.toContain('PRODUCTION')
})

test.each(['http', 'fetch', 'net,tls', 'HTTP', 'undici', '*', 'module,http2', 'stream'])(
  'NODE_DEBUG=%s is refused with a live key, and causes a warning with a test key [row 11]',
  async (NODE_DEBUG) => {
    using m = machine()
    const { sent, transport } = recorder()
    await account(m, 'production')
    const unnamed = { BNPL_API_KEY: KEY, BNPL_BASE_URL: 'https://api.example.com' }
    for (const env of [{ NODE_DEBUG }, { NODE_DEBUG, ...unnamed }]) {
      expect(await m.run(`${EVALUATE} --yes`, { env, transport })).toMatchObject({ code: 3, stdout: '' })
    }
    expect(sent).toEqual([])
    await m.run('profiles set environment beta')
    const warned = await m.run(EVALUATE, { env: { NODE_DEBUG }, transport })
    expect(warned.code).toBe(0)
    expect(warned.stderr).toContain('NODE_DEBUG')
  },
)

test('NODE_DEBUG is refused before anything is received, forwarded, downloaded or sent outside the contract [row 11]', async () => {
  using m = machine()
  const { sent, transport } = recorder()
  await account(m, 'production')
  const env = { NODE_DEBUG: 'http', BNPL_WEBHOOK_SECRET: 'canary-secret' }
  for (const line of [
    'webhooks listen --port 0',
    'webhooks trigger loan_approved --to http://127.0.0.1:9/hook',
    'webhooks test http://127.0.0.1:9/hook',
    'api GET /partner/webhook',
    'informe download P1',
    'informe download P1 --from-link https://storage.example.com/a.pdf?X-Amz-Signature=canary',
    'smoke --rut 11222333-9 --allow-production --yes',
  ]) {
    const ran = await m.run(line, { env, transport })
    expect([line, ran.code, ran.stdout]).toEqual([line, 3, ''])
    expect(ran.stderr).toContain('NODE_DEBUG')
    expect(ran.stderr).not.toContain('canary')
  }
  expect(sent).toEqual([])
})

test('NODE_DEBUG of other modules is not refused', async () => {
  using m = machine()
  await account(m, 'production')
  const ran = await m.run(`${EVALUATE} --yes`, { env: { NODE_DEBUG: 'module,timer' }, ...recorder() })
  expect(ran.code).toBe(0)
  expect(ran.stderr).not.toContain('NODE_DEBUG')
})
