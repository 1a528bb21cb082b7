import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Machine, machine, type RunOptions } from '../../../test/kit/harness.ts'
import { type Transport, WireFailure, type WireRequest } from '../../contract/wire.ts'

const KEY = 'sk_test_canary_0123456789abcd'
const ADD = 'profiles add acme --base-url https://api.example.com --payment-url https://pay.example.com'

async function withAcme(m: Machine, more = '', options: RunOptions = {}) {
  const ran = await m.run(`${ADD} --api-key-stdin ${more}`, { stdin: `${KEY}\n`, ...options })
  expect(ran).toMatchObject({ code: 0 })
  return ran
}

const answering =
  (status: number, asked: WireRequest[] = []): Transport =>
  async (request) => {
    asked.push(request)
    return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"data":[]}') }
  }

const stored = (m: Machine) => JSON.parse(readFileSync(join(m.configDir, 'profiles.json'), 'utf8'))

test('the first profile added becomes the default; a later one does not', async () => {
  using m = machine()
  await withAcme(m)
  await m.run('profiles add other --base-url https://other.example.com --api-key-stdin', { stdin: KEY })
  expect(stored(m)).toMatchObject({
    version: 1,
    default: 'acme',
    profiles: { acme: { apiKey: KEY, apiKeyOrigin: 'https://api.example.com', environment: 'beta' } },
  })
  const rows = (await m.run('profiles list --json')).json()
  expect(rows.map((row: any) => [row.name, row.environment, row.default])).toEqual([
    ['acme', 'beta', true],
    ['other', 'beta', false],
    ['sandbox', 'sandbox', false],
    ['sandbox:real-estate', 'sandbox', false],
    ['sandbox:no-module', 'sandbox', false],
    ['sandbox:inactive', 'sandbox', false],
  ])
})

test('a named service knows its base address, and its answers are listed with their source; another address is kept', async () => {
  using m = machine()
  const added = await m.run('profiles add acme --service banca.me --api-key-stdin --json', { stdin: KEY })
  expect(added.json()).toMatchObject({ name: 'acme', baseUrl: 'https://api.banca.me' })
  expect(added.stderr).toContain('The base address is https://api.banca.me (published: docs.banca.me: API references')
  await m.run('profiles add beta --service banca.me --base-url https://beta.example.com --api-key-stdin', {
    stdin: KEY,
  })
  expect((await m.run('profiles list --json')).json()[1]).toMatchObject({ baseUrl: 'https://beta.example.com' })
  const gaps = (await m.run('contract gaps --json')).json()
  expect(gaps.find(({ field }: { field: string }) => field === 'signatureForm')).toMatchObject({
    gap: 7,
    answer: 'timestamp',
    source: 'published: docs.banca.me: docs/webhooks/validate-signatures (one page, read 2026-11-28)',
  })
})

test('keys are shown as their last four characters and eight digits of their SHA-256, everywhere [row 13]', async () => {
  using m = machine()
  const runs = [
    await withAcme(m, '--json'),
    await m.run('profiles add-secret --secret-stdin --json', { stdin: 'whsec_canary_abcdefgh' }),
    await m.run('profiles list'),
    await m.run('profiles list --json'),
    await m.run('profiles show'),
    await m.run('profiles show acme --json'),
    await m.run('profiles set-key --api-key-stdin --json', { stdin: KEY, transport: answering(200) }),
    await m.run('profiles rm-secret --yes --json'),
  ]
  expect(runs[5]?.json().apiKey).toEqual({ value: '••••abcd sha256:0f428f35', source: 'profile acme' })
  for (const ran of runs) {
    expect(ran.code).toBe(0)
    expect(ran.stdout + ran.stderr).not.toMatch(/canary/)
  }
})

test('list marks the default and fits 80 columns', async () => {
  using m = machine()
  await withAcme(m)
  const ran = await m.run('profiles list')
  expect(ran.stdout).toMatch(/^\* {2}acme +beta +https:\/\/api\.example\.com +••••abcd/m)
  expect(ran.stdout).toMatch(/^ {3}sandbox/m)
  expect(Math.max(...ran.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
})

test('each row of the settings has a value or a dash, and a call that the service is not known to have has a dash', async () => {
  using m = machine()
  const rows = (await m.run('profiles show')).stdout.trimEnd().split('\n').slice(1)
  for (const row of rows) expect(row).toMatch(/^\S+ +(–$|\S)/)
  for (const call of ['cancel', 'entities'])
    expect(rows).toContainEqual(expect.stringMatching(new RegExp(`^${call} +–$`)))
})

test.each([
  [{ apiKey: 'two words' }, {}, 'apiKey', 'the API key from profile acme cannot be used'],
  [{}, { BNPL_API_KEY: 'llave “canary”' }, 'apiKey', 'the API key from BNPL_API_KEY cannot be used'],
  [{ apiKey: undefined, apiKeyEntry: 'gone' }, {}, 'apiKey', 'the key of profile acme'],
  [
    {},
    { BNPL_API_KEY: ' two canary', BNPL_PUBLIC_KEY: 'two canary' },
    'publicKey',
    'the API key from BNPL_API_KEY cannot be used',
  ],
  [{ apiKey: '“canary”', publicKey: '“canary”' }, {}, 'publicKey', 'the API key from profile acme cannot be used'],
  [{}, { BNPL_BASE_URL: 'https://other.example' }, undefined, 'but the key of profile acme belongs to'],
  [
    {},
    { BNPL_PUBLIC_KEY: 'sk_test_canary_0123456789abcd' },
    'publicKey',
    'the public key from BNPL_PUBLIC_KEY is not valid',
  ],
  [{}, { BNPL_BASE_URL: 'ftp://x' }, 'baseUrl', 'the base address from BNPL_BASE_URL is not valid'],
  [{ service: '/nowhere/service.json' }, {}, undefined, '/nowhere/service.json'],
])(
  'show of a profile with %j and %j shows the other settings, then says what is wrong',
  async (change, env, wrong, words) => {
    using m = machine()
    await withAcme(m, '--entity-id 7001')
    const path = join(m.configDir, 'profiles.json')
    const file = JSON.parse(readFileSync(path, 'utf8'))
    Object.assign(file.profiles.acme, change)
    writeFileSync(path, JSON.stringify(file))
    const ran = await m.run('profiles show acme --json', { env })
    expect([ran.code, ran.error().message]).toEqual([3, expect.stringContaining(words)])
    expect(ran.json()).toMatchObject({ entityId: { value: '7001' }, ...(wrong && { [wrong]: null }) })
    expect(ran.stdout + ran.stderr).not.toMatch(/two words|canary/)
    expect((await m.run('verify T1 -p acme', { env })).stdout).toBe('')
  },
)

test('show prints the value and the source of every setting', async () => {
  using m = machine()
  await withAcme(m, '--entity-id 7001')
  const shown = (await m.run('profiles show --json', { env: { BNPL_ENTITY_ID: '9' } })).json()
  expect(shown).toMatchObject({
    profile: { value: 'acme', source: 'default profile' },
    baseUrl: { value: 'https://api.example.com', source: 'profile acme' },
    entityId: { value: '9', source: 'BNPL_ENTITY_ID' },
    hmacAlgorithm: { value: 'sha256', source: 'default' },
    publicKey: null,
    database: null,
    'paths.leads': null,
  })
  const kept = { value: 'db.example:5432/shop', source: 'profile acme' }
  await m.run('profiles set database postgres://bnpl@db.example/shop')
  expect((await m.run('profiles show --json')).json().database).toEqual(kept)
  const env = { BNPL_DATABASE: 'postgres://bnpl:canary@other.example/shop' }
  for (const line of ['profiles show --json', 'doctor --offline --json']) {
    const { stdout } = await m.run(line, { env })
    expect(stdout).toContain('other.example:5432/shop')
    expect(stdout).not.toContain('canary')
  }
})

test('a note says when the environment overrides the named profile', async () => {
  using m = machine()
  await withAcme(m)
  const transport = async () => ({ status: 404, headers: {}, body: Buffer.from('{}') })
  const env = { BNPL_API_KEY: 'sk-canary-of-another' }
  const ran = await m.run('verify T1 -p acme', { env, transport })
  expect(ran.stderr).toContain('BNPL_API_KEY overrides the settings of profile acme')
  expect(ran.stderr).not.toContain('canary')
  const both = await m.run('verify T1 -p acme', { env: { ...env, BNPL_BASE_URL: 'https://b.example' }, transport })
  expect(both.stderr).toContain('BNPL_BASE_URL and BNPL_API_KEY override the settings of profile acme')
  for (const [line, given] of [
    ['verify T1', env],
    ['verify T1 -p acme', {}],
    ['verify T1 -p sandbox', env],
  ] as const)
    expect((await m.run(line, { env: given, transport })).stderr).not.toContain('the settings of profile')
})

test.each([
  ['sandbox', 'the sandbox'],
  ['Sandbox', 'the sandbox'],
  ['__proto__', 'a name consists of'],
  ['../x', 'a name consists of'],
  ['a b', 'a name consists of'],
  ['', 'a name consists of'],
  ['x'.repeat(65), 'a name consists of'],
])('“%s” cannot be the name of a profile', async (name, why) => {
  using m = machine()
  const ran = await m.run(['profiles', 'add', name, '--base-url', 'https://a.example', '--api-key-stdin'], {
    stdin: KEY,
  })
  expect(ran).toMatchObject({ code: 2 })
  expect(ran.stderr).toContain(why)
})

test.each(['constructor', 'toString', 'hasOwnProperty'])('a profile may be called %s', async (name) => {
  using m = machine()
  expect((await m.run(`profiles show ${name}`)).code).toBe(3)
  const added = await m.run(`profiles add ${name} --base-url https://a.example --api-key-stdin --json`, { stdin: KEY })
  expect(added.json()).toMatchObject({ name, default: true })
  expect((await m.run(`profiles show ${name} --json`)).json().baseUrl.value).toBe('https://a.example')
})

test('an existing profile is replaced only with --force', async () => {
  using m = machine()
  await withAcme(m, '--entity-id 7001')
  const again = await m.run(`${ADD} --api-key-stdin`, { stdin: 'another-key' })
  expect(again.code).toBe(2)
  expect(stored(m).profiles.acme).toMatchObject({ apiKey: KEY, entityId: '7001' })
  await withAcme(m, '--force', { stdin: 'another-key', transport: answering(200) })
  expect(stored(m).profiles.acme.apiKey).toBe('another-key')
})

test('without a terminal the error names what is missing', async () => {
  using m = machine()
  for (const [line, what] of [
    ['profiles add', 'the name'],
    ['profiles add acme', 'the address'],
    [ADD, 'the API key'],
    ['profiles set-key', 'no profile is named'],
  ] as const) {
    const ran = await m.run(line)
    expect([2, 3]).toContain(ran.code)
    expect(ran.stderr).toContain(what)
  }
})

test.each([
  ['baseUrl', 'http://api.example.com'],
  ['baseUrl', 'https://user@api.example.com'],
  ['baseUrl', 'api.example.com'],
  ['paymentUrl', 'javascript:alert(1)'],
  ['environment', 'prod'],
  ['hmacEncoding', 'base32'],
  ['paths.lead', '/partner/leads'],
  ['paths.leads', '//evil.example/leads'],
  ['entityId', ' '],
])('%s cannot be set to %s', async (key, value) => {
  using m = machine()
  await withAcme(m)
  const before = stored(m)
  expect((await m.run(['profiles', 'set', key, value])).code).toBe(2)
  expect(stored(m)).toEqual(before)
})

test('set and unset change one setting, and the error about an unknown setting lists the settings', async () => {
  using m = machine()
  await withAcme(m)
  expect((await m.run('profiles set paths.leads /partner/leads --json')).json()).toMatchObject({ name: 'acme' })
  expect(stored(m).profiles.acme['paths.leads']).toBe('/partner/leads')
  expect((await m.run('profiles unset paths.leads')).code).toBe(0)
  expect(stored(m).profiles.acme).not.toHaveProperty(['paths.leads'])
  expect((await m.run('profiles unset baseUrl')).code).toBe(2)
  const unknown = await m.run('profiles set colour red')
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('paths.evaluationByLead')
  for (const builtIn of ['sandbox', 'sandbox:real-estate']) {
    expect((await m.run(`profiles set entityId 1 -p ${builtIn}`)).code).toBe(2)
  }
})

test('a secret is refused as a value, and the error names the command for it', async () => {
  using m = machine()
  await withAcme(m)
  for (const [key, how] of [
    ['apiKey', 'set-key'],
    ['apiKeyOrigin', 'is not a setting of a profile'],
    ['webhookSecrets', 'add-secret'],
  ] as const) {
    const ran = await m.run(`profiles set ${key} secret_canary_value`)
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain(how)
    expect(ran.stderr).not.toContain('canary')
  }
})

test('set changes the origin of a profile only together with a new API key', async () => {
  using m = machine()
  await withAcme(m)
  const refused = await m.run('profiles set baseUrl https://api.example.com.evil.example --json')
  expect(refused.code).toBe(3)
  expect(refused.error().code).toBe('KEY_NOT_FOR_ADDRESS')
  expect(stored(m).profiles.acme.baseUrl).toBe('https://api.example.com')
  const transport = answering(200)
  expect((await m.run('profiles set baseUrl https://api.example.com/v2', { transport })).code).toBe(0)
  const moved = await m.run('profiles set baseUrl https://new.example.com --api-key-stdin', {
    stdin: 'a-new-key',
    transport,
  })
  expect(moved.code).toBe(0)
  expect(stored(m).profiles.acme).toMatchObject({ apiKey: 'a-new-key', apiKeyOrigin: 'https://new.example.com' })
})

const REPLACEMENTS: [line: string, url: string, changed: object][] = [
  ['profiles set-key', 'https://api.example.com', { apiKey: 'sk-the-new-key' }],
  [`${ADD} --force`, 'https://api.example.com', { apiKey: 'sk-the-new-key' }],
  [
    'profiles set baseUrl https://new.example.com',
    'https://new.example.com',
    { apiKeyOrigin: 'https://new.example.com' },
  ],
  ['profiles set baseUrl https://api.example.com/v2', 'https://api.example.com/v2', { apiKey: 'sk-the-new-key' }],
]

test.each(REPLACEMENTS)(
  '%s tries the new key, and keeps the old one until the new one works',
  async (line, url, changed) => {
    using m = machine()
    await withAcme(m)
    const before = stored(m)
    const replace = (transport: Transport | undefined, more = '') =>
      m.run(`${line} --api-key-stdin --json${more}`, { stdin: 'sk-the-new-key', ...(transport && { transport }) })
    for (const [transport, code, kind] of [
      [answering(401), 4, 'auth'],
      [answering(503), 8, 'service'],
      [() => Promise.reject(new WireFailure('refused', false, 'ECONNREFUSED')), 9, 'network'],
    ] as const) {
      const refused = await replace(transport)
      expect(refused).toMatchObject({ code, stdout: '' })
      expect(refused.error()).toMatchObject({ kind, message: expect.stringContaining('so acme is unchanged') })
      expect(refused.error().hint).toContain('--no-check')
      expect(refused.stderr).not.toMatch(/sk-the-new-key|canary/)
      expect(stored(m)).toEqual(before)
    }
    const asked: WireRequest[] = []
    expect(await replace(answering(200, asked))).toMatchObject({ code: 0 })
    expect(asked.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', `${url}/partner/webhook`, 'Bearer sk-the-new-key'],
    ])
    expect(stored(m).profiles.acme).toMatchObject(changed)
  },
)

test('--no-check replaces a key without a request, and a profile without a key needs no check', async () => {
  using m = machine()
  await withAcme(m)
  const transport = async () => expect.fail('something was sent')
  const input = { stdin: 'sk-the-new-key', transport }
  expect((await m.run('profiles set-key --no-check --api-key-stdin', input)).code).toBe(0)
  expect(stored(m).profiles.acme.apiKey).toBe('sk-the-new-key')
  const { apiKey: _, ...without } = stored(m).profiles.acme
  writeFileSync(join(m.configDir, 'profiles.json'), JSON.stringify({ version: 1, profiles: { acme: without } }))
  expect((await m.run('profiles set-key acme --api-key-stdin', input)).code).toBe(0)
  expect(stored(m).profiles.acme.apiKey).toBe('sk-the-new-key')
})

test('a changed address is tried with the stored key', async () => {
  using m = machine()
  await withAcme(m)
  const asked: WireRequest[] = []
  const refused = await m.run('profiles set baseUrl https://api.example.com/v2', { transport: answering(401, asked) })
  expect(refused.code).toBe(4)
  expect(asked[0]).toMatchObject({ url: 'https://api.example.com/v2/partner/webhook' })
  expect(asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(stored(m).profiles.acme.baseUrl).toBe('https://api.example.com')
})

test.each([
  ['publicKey', 'pk 1', 'it contains a space'],
  ['publicKey', 'pk-ñ', 'it contains a space, a line break or a character that is not ASCII'],
  ['publicKey', '"pk-1"', 'it has quotes around it'],
  ['publicKey', 'BNPL_PUBLIC_KEY=pk-1', 'it begins with the name of a variable'],
  ['paths.leads', '/leads/{leadId}', 'it must not contain braces'],
  ['paths.lead', '/leads/{leadId}/{rut}', 'it may contain only {leadId}'],
])('a setting that a later command would refuse is not stored: %s %s', async (name, value, reason) => {
  using m = machine()
  await withAcme(m)
  const ran = await m.run(['profiles', 'set', name, value, '--json'])
  expect(ran.code).toBe(2)
  expect(ran.error().message).toContain(reason)
  if (name !== 'publicKey') return
  const added = await m.run([...`${ADD} --force --api-key-stdin --json`.split(' '), '--public-key', value], {
    stdin: KEY,
  })
  expect(added.error().message).toContain(reason)
})

test('webhook secrets are kept newest first; rm-secret removes the oldest or the one named', async () => {
  using m = machine()
  await withAcme(m)
  const add = (secret: string) => m.run('profiles add-secret --secret-stdin', { stdin: secret })
  for (const secret of ['first-secret', 'second-secret', 'third-secret', 'second-secret']) {
    expect((await add(secret)).code).toBe(0)
  }
  expect(stored(m).profiles.acme.webhookSecrets).toEqual(['second-secret', 'third-secret', 'first-secret'])
  expect((await m.run('profiles rm-secret')).code).toBe(2)
  expect((await m.run('profiles rm-secret -y')).code).toBe(0)
  const [shown] = (await m.run('profiles show --json')).json().webhookSecrets.value
  expect((await m.run(`profiles rm-secret -y --fingerprint ${shown.slice(-8)}`)).code).toBe(0)
  expect((await m.run(`profiles rm-secret -y --fingerprint ${shown.slice(-8)}`)).code).toBe(2)
  expect(stored(m).profiles.acme.webhookSecrets).toEqual(['third-secret'])
  await m.run('profiles rm-secret -y')
  expect(stored(m).profiles.acme).not.toHaveProperty('webhookSecrets')
  for (let i = 0; i < 10; i++) expect((await add(`secret-number-${i}`)).code).toBe(0)
  expect((await add('one-too-many')).stderr).toContain('rm-secret')
})

test('without a terminal rm needs -y, and rm reports that the default profile was removed', async () => {
  using m = machine()
  await withAcme(m)
  expect((await m.run('profiles rm acme')).code).toBe(2)
  expect((await m.run('profiles rm acme --dry-run -y')).code).toBe(2)
  expect(stored(m).profiles).toHaveProperty('acme')
  const removed = await m.run('profiles rm acme -y --json')
  expect(removed.json()).toEqual({ name: 'acme', deleted: true })
  expect(removed.stderr).toContain('default')
  expect(stored(m)).toEqual({ version: 1, profiles: {} })
  expect((await m.run('profiles rm acme -y')).code).toBe(3)
})

test('use sets the default profile, including the sandbox, and warns when the environment overrides the default', async () => {
  using m = machine()
  await withAcme(m)
  expect((await m.run('profiles use nobody')).code).toBe(3)
  const used = await m.run('profiles use sandbox --json', { env: { BNPL_PROFILE: 'acme' } })
  expect(used.json()).toMatchObject({ name: 'sandbox', default: true })
  expect(used.stderr).toContain('BNPL_PROFILE')
  expect(stored(m).default).toBe('sandbox')
  expect((await m.run('profiles use sandbox:real-estate')).code).toBe(0)
  expect((await m.run('profiles show --json')).json()).toMatchObject({
    profile: { value: 'sandbox:real-estate', source: 'default profile' },
    environment: { value: 'sandbox' },
  })
})

test('a secret key is refused as the public key, and not shown', async () => {
  using m = machine()
  const add = (key: string) =>
    m.run(['profiles', 'add', 'x', '--base-url', 'https://a.example', '--public-key', key, '--api-key-stdin'], {
      stdin: KEY,
    })
  for (const key of ['sk_live_0123456789', KEY]) {
    const ran = await add(key)
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('the public key is visible to everybody')
    expect(ran.stderr).not.toContain(key)
  }
  await withAcme(m)
  const set = await m.run(['profiles', 'set', 'publicKey', KEY])
  expect(set).toMatchObject({ code: 2, stdout: '' })
  expect(set.stderr).not.toContain(KEY)
})

test('a secret key that somebody wrote into the file as the public key is not shown, and can be replaced', async () => {
  using m = machine()
  await withAcme(m)
  const file = stored(m)
  file.profiles.acme.publicKey = KEY
  writeFileSync(join(m.configDir, 'profiles.json'), JSON.stringify(file))
  for (const [line, code] of [
    ['profiles list --json', 0],
    ['profiles show', 3],
    ['doctor --offline', 10],
  ] as const) {
    const ran = await m.run(line)
    expect([line, ran.code]).toEqual([line, code])
    expect(ran.stdout + ran.stderr).not.toContain(KEY)
  }
  expect(await m.run('profiles set publicKey pk_1')).toMatchObject({ code: 0 })
  expect(await m.run('profiles show')).toMatchObject({ code: 0, stdout: expect.stringContaining('pk_1') })
})

test('show never cuts a value: if one does not fit, every value is below its setting', async () => {
  using m = machine()
  const run = (columns: number) => m.run('profiles show sandbox:real-estate', { stdoutIsTty: true, columns })
  const { entityId, publicKey } = (await m.run('profiles show sandbox:real-estate --json')).json()
  const beside = (await run(80)).stdout
  expect(beside).toMatch(/^Setting +Value +From$/m)
  for (const { value } of [entityId, publicKey]) expect(beside).toContain(` ${value} `)
  for (const columns of [40, 60]) {
    const { stdout } = await run(columns)
    expect(stdout).toMatch(/^Setting +From\n {2}Value$/m)
    for (const { value } of [entityId, publicKey]) expect(stdout.split('\n')).toContain(`  ${value}`)
  }
})
