import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { selfSigned } from './kit/certificate.ts'
import { type Machine, machine, type RunOptions } from './kit/harness.ts'
import { hasProgram, needsProgram } from './kit/needs.ts'
import { createDatabase, type TestDatabase } from './kit/postgres.ts'
import { type PostgresServer, startPostgres } from './kit/postgres-server.ts'
import { program } from './kit/program.ts'

const PASSWORD = 'canary password'
const LIST = ['webhooks', 'events', 'list', '--json']
/** A server that needs a password, with a certificate of an unknown authority. */
let server: PostgresServer
let name: string
let plain: TestDatabase
let certificate: string
const dir = mkdtempSync(join(tmpdir(), 'bnpl-database-'))
beforeAll(async () => {
  if (!hasProgram('openssl')) return
  const tls = selfSigned(dir, ['IP:127.0.0.1'])
  certificate = tls.certPath
  server = await startPostgres({ tls })
  name = await server.createDatabase()
  await server.query(`CREATE ROLE guarded LOGIN PASSWORD '${PASSWORD}'; GRANT CREATE ON DATABASE ${name} TO guarded`)
  plain = await createDatabase()
})
beforeEach(() => needsProgram('openssl'))
afterAll(async () => {
  await server?.end()
  await plain?.[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true, force: true })
})

async function list(url: string, options: RunOptions & { more?: readonly string[] } = {}, m?: Machine) {
  using own = m ? undefined : machine()
  const ran = await (m ?? (own as Machine)).run([...LIST, '--database', url, ...(options.more ?? [])], options)
  expect(ran.stderr).not.toContain('canary')
  expect(ran.stderr).not.toMatch(/\n\s+at /)
  return ran
}
const guarded = () => server.url(name, 'guarded')

test('a password file is used before BNPL_DATABASE_PASSWORD, and BNPL_DATABASE_PASSWORD before PGPASSWORD', async () => {
  using m = machine()
  const file = join(m.dir, 'password')
  writeFileSync(file, `${PASSWORD}\n`, { mode: 0o600 })
  const wrong = { BNPL_DATABASE_PASSWORD: 'wrong', PGPASSWORD: 'wrong' }
  expect(await list(guarded(), { more: ['--database-password-file', file], env: wrong }, m)).toMatchObject({ code: 0 })
  expect(await list(guarded(), { env: { BNPL_DATABASE_PASSWORD: PASSWORD, PGPASSWORD: 'wrong' } })).toMatchObject({
    code: 0,
  })
  expect(await list(guarded(), { env: { PGPASSWORD: PASSWORD } })).toMatchObject({ code: 0, stdout: '[]\n' })
  const within = guarded().replace('guarded', `guarded:${encodeURIComponent(PASSWORD)}`)
  expect(await m.run(LIST, { env: { BNPL_DATABASE: within } })).toMatchObject({ code: 0 })
})

test('a password file that every user can read causes a warning, and a missing password file exits with 3', async () => {
  using m = machine()
  const file = join(m.dir, 'password')
  writeFileSync(file, PASSWORD, { mode: 0o644 })
  const ran = await list(guarded(), { more: ['--database-password-file', file] }, m)
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('every user of this machine can read') })
  expect(await list(guarded(), { more: ['--database-password-file', `${file}x`] })).toMatchObject({ code: 3 })
  expect(await m.run(['webhooks', 'events', '--database-password-file', file])).toMatchObject({ code: 2 })
})

test('a password in an argument or a profile is refused, and not repeated [row 1]', async () => {
  using m = machine()
  const url = 'postgres://shop:canary-password@127.0.0.1/shop'
  const typed = await list(url)
  expect(typed).toMatchObject({ code: 2, stdout: '' })
  expect(typed.error()).toMatchObject({
    code: 'PASSWORD_IN_ADDRESS',
    hint: expect.stringContaining('BNPL_DATABASE_PASSWORD'),
  })
  await m.run('profiles add shop --base-url https://api.example.com --api-key-stdin', { stdin: 'sk-1234567890' })
  const set = await m.run(['profiles', 'set', 'database', url])
  expect(set).toMatchObject({ code: 2 })
  expect(set.stderr).not.toContain('canary')
})

test('the profile’s setting is used where neither the flag nor the environment names one', async () => {
  using m = machine()
  await m.run('profiles add shop --base-url https://api.example.com --api-key-stdin', { stdin: 'sk-1234567890' })
  expect((await m.run(['profiles', 'set', 'database', 'postgres://shop@127.0.0.1:1/shop'])).code).toBe(0)
  expect((await m.run('webhooks events list --json')).error()).toMatchObject({ code: 'DATABASE_UNREACHABLE' })
  expect(await m.run('webhooks events list --json', { env: { BNPL_DATABASE: plain.url } })).toMatchObject({ code: 0 })
  const other = ['--database', 'postgres://shop@127.0.0.1:2/other']
  const flagged = await m.run([...LIST, ...other], { env: { BNPL_DATABASE: plain.url } })
  expect(flagged.error().message).toContain('127.0.0.1:2/other')
})

test.each([
  ['a wrong password', () => guarded(), { PGPASSWORD: 'wrong-canary' }, 3, 'DATABASE_LOGIN'],
  ['no password', () => guarded(), { HOME: '/nonexistent' }, 3, 'DATABASE_LOGIN'],
  ['a database that does not exist', () => server.url('nowhere'), {}, 3, 'DATABASE_LOGIN'],
  ['no server at the address', () => 'postgres://u@127.0.0.1:1/shop', {}, 9, 'DATABASE_UNREACHABLE'],
  ['a host name that does not exist', () => 'postgres://u@db.invalid/shop', {}, 9, 'DATABASE_UNREACHABLE'],
  ['a socket that does not exist', () => 'postgres:///shop?host=/nonexistent&user=u', {}, 9, 'DATABASE_UNREACHABLE'],
  ['a certificate of an unknown authority', () => `${server.url(name)}?sslmode=verify-full`, {}, 9, 'DATABASE_TLS'],
  ['a server without TLS', () => `${plain.url}?sslmode=require`, {}, 9, 'DATABASE_TLS'],
  ['no encryption to another machine', () => 'postgres://u@db.example/shop?sslmode=disable', {}, 2, 'BAD_DATABASE'],
])('%s is reported in one error line, without the database address', async (_, url, env, code, word) => {
  const ran = await list(url(), { env })
  expect(ran).toMatchObject({ code, stdout: '' })
  expect(ran.error()).toMatchObject({ code: word })
  expect(ran.stderr.split('\n').filter((line) => line.startsWith('error: '))).toHaveLength(1)
  expect(ran.stderr).not.toContain('postgres://')
})

test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not turn off certificate checks, and NODE_EXTRA_CA_CERTS is used [row 14]', async () => {
  await using p = program()
  const url = `${server.url(name)}?sslmode=verify-full`
  const off = await p.run([...LIST, '--database', url], { NODE_TLS_REJECT_UNAUTHORIZED: '0' })
  expect(off.code).toBe(9)
  expect(await p.run([...LIST, '--database', url], { NODE_EXTRA_CA_CERTS: certificate })).toMatchObject({ code: 0 })
})

test('tables of a newer version are refused with the hint to update bnpl', async () => {
  await using database = await createDatabase()
  expect((await list(database.url)).code).toBe(0)
  const { Client } = await import('pg')
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query('UPDATE bnpl_inbox.schema_version SET version = 99')
  await client.end()
  const ran = await list(database.url)
  expect(ran).toMatchObject({ code: 3 })
  expect(ran.error()).toMatchObject({ code: 'STATE_NEWER', hint: expect.stringContaining('Update bnpl') })
})

test('for a user who may not create tables the hint names the grant [database 8]', async () => {
  const empty = await server.createDatabase()
  const ran = await list(server.url(empty, 'guarded'), { env: { PGPASSWORD: PASSWORD } })
  expect(ran).toMatchObject({ code: 3 })
  expect(ran.error()).toMatchObject({
    code: 'DATABASE_DENIED',
    message: expect.stringContaining('does not allow this user to create the tables'),
    hint: expect.stringContaining('GRANT CREATE ON DATABASE'),
  })
})

test('for a user with too few permissions the hint names the missing ones [database 8]', async () => {
  const made = await server.createDatabase()
  const env = { PGPASSWORD: PASSWORD }
  const prune = [
    'webhooks',
    'events',
    'prune',
    '--older-than',
    '1d',
    '--json',
    '--database',
    server.url(made, 'guarded'),
  ]
  const told = async (argv: readonly string[]) => {
    using m = machine()
    const ran = await m.run(argv, { env })
    return { code: ran.code, ...ran.error() }
  }
  // The owner of the database updates its tables.
  expect((await list(server.url(made))).code).toBe(0)
  expect(await told(prune)).toMatchObject({
    code: 'DATABASE_DENIED',
    message: expect.stringContaining('see the tables'),
    hint: expect.stringContaining('GRANT USAGE ON SCHEMA'),
  })
  await server.query('GRANT USAGE ON SCHEMA bnpl_inbox TO guarded', made)
  await server.query('GRANT SELECT ON ALL TABLES IN SCHEMA bnpl_inbox TO guarded', made)
  expect(await list(server.url(made, 'guarded'), { env })).toMatchObject({ code: 0 })
  expect(await told(prune)).toMatchObject({
    code: 'DATABASE_DENIED',
    message: expect.stringContaining('read or write the tables'),
    hint: expect.stringContaining('GRANT SELECT, INSERT, UPDATE, DELETE'),
  })
  await server.query('UPDATE bnpl_inbox.schema_version SET version = 2', made)
  await server.query('GRANT UPDATE ON ALL TABLES IN SCHEMA bnpl_inbox TO guarded', made)
  expect(await told(prune)).toMatchObject({
    code: 'DATABASE_DENIED',
    hint: expect.not.stringContaining('GRANT CREATE'),
  })
})

test('a database without a free connection is not reported as stopped [database 8]', async () => {
  await server.query('ALTER ROLE guarded CONNECTION LIMIT 0')
  const ran = await list(guarded(), { env: { PGPASSWORD: PASSWORD } })
  await server.query('ALTER ROLE guarded CONNECTION LIMIT -1')
  expect(ran).toMatchObject({ code: 9 })
  expect(ran.error()).toMatchObject({
    message: expect.stringContaining('has no connection left'),
    hint: expect.stringContaining('max_connections'),
  })
})
