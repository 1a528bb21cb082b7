import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { WireFailure } from '../../src/contract/wire.ts'
import { fakeClock, machine } from '../kit/harness.ts'

const env = { BNPL_API_KEY: 'sk-canary-1234567890', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }
const byName = (checks: { name: string }[]) => Object.fromEntries(checks.map((check) => [check.name, check]))

test('doctor says where every setting came from, never shows the key, and exits with 0 when all is well [row 13]', async () => {
  using m = machine()
  const clock = fakeClock()
  const date = new Date(clock.now()).toUTCString()
  const withKey: string[] = []
  const ran = await m.run('doctor --json', {
    env,
    clock,
    transport: async ({ method, url, headers }) => {
      if (headers.authorization) withKey.push(`${method} ${url}`)
      return url.endsWith('/webhook')
        ? { status: 200, headers: { date }, body: Buffer.from('{"data":[]}') }
        : { status: 404, headers: { date }, body: new Uint8Array() }
    },
  })
  expect(ran.code).toBe(0)
  const checks = byName(ran.json())
  expect(checks['API key']).toMatchObject({ status: 'ok', detail: '••••7890 sha256:e99097d6 (from BNPL_API_KEY)' })
  expect(checks['base address']).toMatchObject({ detail: 'https://api.example.com (from BNPL_BASE_URL)' })
  expect(checks['payment address']).toMatchObject({ status: 'warn' })
  expect(checks.clock).toMatchObject({ status: 'ok' })
  expect(checks.reachable).toMatchObject({ status: 'ok' })
  expect(checks['key is accepted']).toMatchObject({ status: 'ok' })
  expect(withKey).toEqual(['GET https://api.example.com/partner/webhook'])
  expect(ran.stdout).not.toContain('canary')
})

test('doctor reports each problem with what to do about it, and exits with 10', async () => {
  using m = machine()
  mkdirSync(m.configDir, { recursive: true })
  chmodSync(m.configDir, 0o755)
  const ran = await m.run('doctor', {
    env: {
      ...env,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_EXTRA_CA_CERTS: '/nowhere.pem',
      HTTPS_PROXY: 'http://user:pass@proxy:1',
    },
    transport: async () => {
      throw new WireFailure('dns', false, 'ENOTFOUND')
    },
  })
  expect(ran.code).toBe(10)
  for (const word of ['NODE_TLS_REJECT_UNAUTHORIZED', '/nowhere.pem', 'ENOTFOUND', 'chmod 700'])
    expect(ran.stdout).toContain(word)
  expect(ran.stdout).not.toContain('user:pass')
})

test('doctor prints a chmod command that can be pasted, whatever the folder is named', async () => {
  using m = machine()
  const stateDir = join(m.dir, "Ana's state")
  mkdirSync(stateDir, { mode: 0o755 })
  chmodSync(stateDir, 0o755)
  const { world, stdout } = m.world({ columns: 400 })
  await runCli(['doctor', '-p', 'sandbox'], { ...world, stateDir })
  expect(stdout()).toContain(`chmod 700 '${stateDir.replace("'", "'\\''")}'`)
})

test('doctor warns that NODE_DEBUG prints secrets, and sends nothing while it is set', async () => {
  using m = machine()
  const sent: unknown[] = []
  const transport = async (request: unknown) => {
    sent.push(request)
    return { status: 200, headers: {}, body: Buffer.from('{}') }
  }
  const ran = await m.run('doctor', { env: { ...env, NODE_DEBUG: 'http' }, transport })
  expect(ran.code).toBe(10)
  expect(ran.stdout).toContain('NODE_DEBUG=http prints every request with its key')
  expect(sent).toEqual([])
})

test('a clock that is wrong is reported', async () => {
  using m = machine()
  const ran = await m.run('doctor --json', {
    env,
    clock: fakeClock(Date.parse('2026-03-01T13:00:00Z')),
    transport: async () => ({
      status: 200,
      headers: { date: 'Sun, 01 Mar 2026 12:00:00 GMT' },
      body: new Uint8Array(),
    }),
  })
  expect(byName(ran.json()).clock).toMatchObject({ status: 'warn', detail: '1h ahead of the service' })
})

test('doctor --offline sends nothing, and a broken setting is a failed check, not a crash', async () => {
  using m = machine()
  const transport = async () => {
    throw new Error('nothing may be sent')
  }
  expect((await m.run('doctor --offline', { env, transport })).code).toBe(0)
  const ran = await m.run('doctor --offline -p nobody --json', { transport })
  expect(ran.code).toBe(10)
  expect(byName(ran.json()).settings).toMatchObject({ status: 'fail' })
})

test('doctor reports a secret key in the place of the public key, and does not show it', async () => {
  using m = machine()
  const ran = await m.run('doctor --offline', { env: { ...env, BNPL_PUBLIC_KEY: env.BNPL_API_KEY } })
  expect(ran.code).toBe(10)
  expect(ran.stdout).toMatch(/✗ .*BNPL_PUBLIC_KEY/)
  expect(ran.stdout + ran.stderr).not.toContain('canary')
})

test('a folder that cannot be created is a failed check', async () => {
  using m = machine()
  // A file has the name of the folder, so the folder cannot be made.
  rmSync(m.dir, { recursive: true })
  writeFileSync(m.dir, '')
  const ran = await m.run('doctor --offline --json', { env })
  expect(ran.code).toBe(10)
  expect(byName(ran.json())['state folder']).toMatchObject({
    status: 'fail',
    detail: `${m.stateDir} cannot be created (ENOTDIR)`,
  })
})

test('doctor refuses --dry-run, because it would have to send something', async () => {
  using m = machine()
  expect(await m.run('doctor --dry-run')).toMatchObject({ code: 2, stdout: '' })
})

test('doctor finds a key that the service refuses, and says what to do about it', async () => {
  using m = machine()
  const refused = async () => ({ status: 401, headers: {}, body: Buffer.from('{"code":"ERR_UNAUTHORIZED"}') })
  const ran = await m.run('doctor --json', { env, transport: refused })
  expect(ran.code).toBe(10)
  expect(byName(ran.json())['key is accepted']).toMatchObject({
    status: 'fail',
    detail: expect.stringMatching(/^refused: 401/),
    hint: 'Set BNPL_API_KEY to a key of this service and environment.',
  })
  // Any other answer does not show whether the key is accepted.
  const busy = await m.run('doctor --json', { env, transport: async () => ({ ...(await refused()), status: 404 }) })
  expect(byName(busy.json())['key is accepted']).toMatchObject({ status: 'warn' })
  expect(byName((await m.run('doctor -p sandbox --json')).json())['key is accepted']).toMatchObject({ status: 'ok' })
})
