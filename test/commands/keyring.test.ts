import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Transport } from '../../src/contract/wire.ts'
import { KEYRING_PACKAGE } from '../../src/profiles/keyring.ts'
import { fastClock, type Machine, machine as machineOf, type RunOptions } from '../kit/harness.ts'
import { program } from '../kit/program.ts'

const KEY = 'sk-canary-1234567890'
const ADD = 'profiles add acme --base-url https://api.example.com --api-key-stdin --keyring'

/** A library that stores its secrets in a file, and notes how it was called. */
const WORKS = `
const fs = require('node:fs'), path = require('node:path')
const file = path.join(__dirname, 'kept.json')
const kept = () => fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {}
fs.writeFileSync(path.join(__dirname, 'seen.txt'), process.argv.join(' ') + JSON.stringify(process.env))
exports.Entry = class {
  constructor(service, account) { this.name = service + '/' + account }
  setPassword(secret) { fs.writeFileSync(file, JSON.stringify({ ...kept(), [this.name]: secret })) }
  getPassword() { return kept()[this.name] ?? null }
  deletePassword() { const { [this.name]: gone, ...rest } = kept(); fs.writeFileSync(file, JSON.stringify(rest)); return true }
}`
const THROWS = `exports.Entry = class { setPassword() { throw new Error('locked ${KEY}') } getPassword() { throw new Error('locked') } }`
const HANGS = `exports.Entry = class { setPassword() { for (;;); } getPassword() { for (;;); } }`
const FORGETS = `exports.Entry = class { setPassword() {} getPassword() { return null } deletePassword() { return false } }`
const CRASHES = `process.abort()`

/** On a busy machine Node takes seconds to start, so a minute of these tests is the limit of 3 s, unless the keyring hangs. */
const PATIENT = fastClock(0.05)

/** A machine on which a keyring is waited for until it answers. */
function machine(clock = PATIENT): Machine {
  const m = machineOf()
  return { ...m, run: (line, options?: RunOptions) => m.run(line, { clock, ...options }) }
}

/** Installs a library beside the program, as a user would. */
function install(m: Machine, source: string | undefined): string {
  writeFileSync(join(m.dir, 'bnpl.js'), '')
  const folder = join(m.dir, 'node_modules', KEYRING_PACKAGE)
  mkdirSync(folder, { recursive: true })
  if (source !== undefined) writeFileSync(join(folder, 'index.js'), source)
  return folder
}

const profilesOf = (m: Machine) => readFileSync(join(m.configDir, 'profiles.json'), 'utf8')

function recorder() {
  const keys: (string | undefined)[] = []
  const transport: Transport = async ({ headers }) => {
    keys.push(headers.authorization)
    return { status: 200, headers: {}, body: Buffer.from('{"data":[]}') }
  }
  return { keys, transport }
}

test('a key in the keyring is used from there, and is in no file, argument or environment of ours [row 3]', async () => {
  using m = machine()
  const folder = install(m, WORKS)
  const added = await m.run(`${ADD} --json`, { stdin: KEY, env: { BNPL_WEBHOOK_SECRET: 'whsec-canary' } })
  expect(added).toMatchObject({ code: 0 })
  expect(added.json()).toMatchObject({ apiKey: 'in the keyring' })
  expect(profilesOf(m)).not.toContain('canary')
  const kept = JSON.parse(readFileSync(join(folder, 'kept.json'), 'utf8'))
  expect(Object.values(kept)).toEqual([KEY])
  expect(readFileSync(join(folder, 'seen.txt'), 'utf8')).not.toContain('canary')

  const { keys, transport } = recorder()
  expect((await m.run('webhooks list', { transport })).code).toBe(0)
  expect(keys).toEqual([`Bearer ${KEY}`])
  const moved = await m.run('webhooks list', { transport, env: { BNPL_BASE_URL: 'https://evil.example' } })
  expect(moved.code).toBe(3)
  expect((await m.run('profiles set baseUrl https://evil.example')).code).toBe(3)
  expect(keys).toHaveLength(1)

  const changed = await m.run('profiles set-key acme --api-key-stdin', { stdin: 'sk-another-key', transport })
  expect(changed.code).toBe(0)
  expect(Object.values(JSON.parse(readFileSync(join(folder, 'kept.json'), 'utf8')))).toEqual(['sk-another-key'])
  expect((await m.run('profiles rm acme -y')).code).toBe(0)
  expect(readFileSync(join(folder, 'kept.json'), 'utf8')).toBe('{}')
})

test.each([
  ['is not installed', undefined, `npm install --global ${KEYRING_PACKAGE}`],
  ['throws', THROWS, 'the keyring refused access, or this system has no keyring'],
  ['forgets', FORGETS, 'the keyring refused access, or this system has no keyring'],
  ['crashes', CRASHES, 'the keyring refused access, or this system has no keyring'],
  ['hangs', HANGS, 'did not answer within 3 seconds'],
])(
  'a keyring that %s is reported, also with --quiet, and the key is kept in the file [row 3]',
  async (_, source, words) => {
    using m = machine(source === HANGS ? fastClock(20) : PATIENT)
    install(m, source)
    const ran = await m.run(`${ADD} --quiet`, { stdin: KEY })
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).toContain(words)
    expect(ran.stderr).toContain('stored in the profile file instead')
    expect(ran.stderr).not.toContain('canary')
    expect(JSON.parse(profilesOf(m)).profiles.acme).toMatchObject({ apiKey: KEY })
  },
)

test.each([
  ['gone', undefined],
  ['broken', THROWS],
  ['empty', FORGETS],
])(
  'a keyring that is %s later is exit 3 with a hint; a key in the environment still works [row 3]',
  async (_, source) => {
    using m = machine()
    const folder = install(m, WORKS)
    await m.run(ADD, { stdin: KEY })
    writeFileSync(join(folder, 'index.js'), source ?? '')
    if (source === undefined) writeFileSync(join(folder, 'package.json'), '{"main":"nowhere.js"}')
    const { keys, transport } = recorder()
    const ran = await m.run('webhooks list --json', { transport })
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.error()).toMatchObject({ kind: 'config', code: 'KEYRING' })
    expect(ran.stderr).toContain('BNPL_API_KEY')
    expect(keys).toEqual([])
    expect((await m.run('webhooks list', { transport, env: { BNPL_API_KEY: 'sk-other' } })).code).toBe(0)
    expect(keys).toEqual(['Bearer sk-other'])
    const set = await m.run('profiles set-key acme --no-keyring --api-key-stdin', { stdin: 'sk-in-file', transport })
    expect(set.code).toBe(0)
    expect((await m.run('webhooks list', { transport })).code).toBe(0)
    expect(keys).toEqual(['Bearer sk-other', 'Bearer sk-in-file', 'Bearer sk-in-file'])
  },
)

test('the keyring library is never loaded from the folder in which a command runs [row 3, row 8]', async () => {
  await using p = program()
  const folder = join(p.dir, 'node_modules', KEYRING_PACKAGE)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.js'), `require('node:fs').writeFileSync(__dirname + '/pwned', '')`)
  writeFileSync(join(p.dir, 'key'), KEY)
  const ran = await p.run('profiles add acme --base-url https://api.example.com --api-key-file key --keyring')
  expect(ran.code).toBe(0)
  expect(ran.stderr).toContain('stored in the profile file instead')
  expect(existsSync(join(folder, 'pwned'))).toBe(false)
})
