import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Machine, machine } from '../../test/kit/harness.ts'
import { openProfiles } from './store.ts'

const GOOD = JSON.stringify({
  version: 1,
  default: 'acme',
  profiles: {
    acme: {
      environment: 'beta',
      baseUrl: 'https://api.example.com',
      apiKey: 'canary-key',
      apiKeyOrigin: 'https://api.example.com',
    },
  },
})
const profile = (more: string) =>
  `{"version":1,"profiles":{"a":{"environment":"beta","baseUrl":"https://a.example"${more}}}}`

function write(m: Machine, text: string | Uint8Array): string {
  mkdirSync(m.configDir, { mode: 0o700 })
  const path = join(m.configDir, 'profiles.json')
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

test.each([
  ['empty', ''],
  ['cut in the middle', GOOD.slice(0, -20)],
  ['not JSON', 'canary-key = 5'],
  ['an array', '[]'],
  ['null', 'null'],
  ['without a version', '{"profiles":{}}'],
  ['of a version before the first', '{"version":0,"profiles":{}}'],
  ['of a newer version', '{"version":2,"accounts":["canary"]}'],
  ['without profiles', '{"version":1}'],
  ['with a list of profiles', '{"version":1,"profiles":[]}'],
  ['with a default that is no name', '{"version":1,"default":7,"profiles":{}}'],
  ['with a profile that is text', '{"version":1,"profiles":{"a":"canary"}}'],
  [
    'with a profile called sandbox',
    '{"version":1,"profiles":{"sandbox":{"environment":"beta","baseUrl":"https://a.example"}}}',
  ],
  [
    'with a profile called __proto__',
    '{"version":1,"profiles":{"__proto__":{"environment":"beta","baseUrl":"https://a.example"}}}',
  ],
  ['without a base address', '{"version":1,"profiles":{"a":{"environment":"beta"}}}'],
  ['with a key that is no text', profile(',"apiKey":{"canary":1}')],
  ['with a plain http address', profile(',"paymentUrl":"http://pay.example"')],
  ['with secrets that are no list', profile(',"webhookSecrets":"canary"')],
  ['random bytes', new Uint8Array([0xff, 0xfe, 0, 1, 2, 3])],
])('a profile file that is %s is refused with its path and not changed [row 91]', async (_, text) => {
  using m = machine()
  const path = write(m, text)
  const before = readFileSync(path)
  for (const line of ['profiles list --json', 'profiles use acme --json', 'verify T1 --json']) {
    const ran = await m.run(line)
    expect(ran.code).toBe(3)
    expect(ran.stdout).toBe('')
    expect(ran.error().message).toContain(path)
    expect(ran.stderr).not.toContain('canary')
  }
  expect(readFileSync(path)).toEqual(before)
  expect(readdirSync(m.configDir).filter((name) => name !== 'profiles.lock')).toEqual(['profiles.json'])
})

test('an address and a key in the environment are enough if the profile file is damaged [row 91]', async () => {
  using m = machine()
  write(m, '{')
  const ran = await m.run('verify T1', {
    env: { BNPL_API_KEY: 'k', BNPL_BASE_URL: 'https://api.example.com' },
    transport: async () => ({ status: 404, headers: {}, body: Buffer.from('{}') }),
  })
  expect(ran.code).toBe(6)
})

test('a missing file counts as empty, and reading does not make it', async () => {
  using m = machine()
  expect((await m.run('profiles list --json')).json()).toMatchObject([{ name: 'sandbox' }, {}, {}, {}])
  expect(existsSync(m.configDir)).toBe(false)
})

test('settings that this version does not know are kept through a change', async () => {
  using m = machine()
  const path = write(m, profile(',"later":{"x":1}'))
  expect(await m.run('profiles set entityId 7 -p a')).toMatchObject({ code: 0 })
  expect(JSON.parse(readFileSync(path, 'utf8')).profiles.a).toMatchObject({ later: { x: 1 }, entityId: '7' })
})

test('a file that is damaged during a change is reported as damaged and not overwritten [row 114]', async () => {
  using m = machine()
  const path = write(m, GOOD)
  const store = await openProfiles(m.configDir)
  const changed = store.update((file) => {
    writeFileSync(path, '{"version":')
    return file
  })
  await expect(changed).rejects.toMatchObject({
    code: 'PROFILES_DAMAGED',
    message: `${path} is damaged and was not changed`,
  })
  expect(readFileSync(path, 'utf8')).toBe('{"version":')
})

test('a file and a folder that others can read are made private, with a notice [row 4]', async () => {
  using m = machine()
  const path = write(m, GOOD)
  chmodSync(path, 0o644)
  chmodSync(m.configDir, 0o777)
  const ran = await m.run('profiles list')
  expect(ran.code).toBe(0)
  expect(ran.stderr).toContain('0644')
  expect(ran.stderr).toContain('0777')
  expect([mode(path), mode(m.configDir)]).toEqual(['600', '700'])
  expect((await m.run('profiles list')).stderr).not.toMatch(/0644|0777/)
})

test('a folder with files of other programs stays readable', async () => {
  using m = machine()
  write(m, GOOD)
  writeFileSync(join(m.configDir, 'theirs.txt'), '', { mode: 0o644 })
  chmodSync(m.configDir, 0o755)
  expect((await m.run('profiles list')).code).toBe(0)
  expect(mode(m.configDir)).toBe('755')
})

test("another program's profiles.json and the folder of this file keep their modes [attack 28]", async () => {
  using m = machine()
  const path = write(m, '{"theirs":true}')
  chmodSync(path, 0o644)
  chmodSync(m.configDir, 0o755)
  for (const line of ['profiles list', 'profiles set entityId 7 -p a']) expect((await m.run(line)).code).toBe(3)
  expect([mode(path), mode(m.configDir)]).toEqual(['644', '755'])
  expect(readFileSync(path, 'utf8')).toBe('{"theirs":true}')
})

test('a folder with mode 1777 is refused, and the mode is unchanged [row 4]', async () => {
  using m = machine()
  write(m, GOOD)
  chmodSync(m.configDir, 0o1777)
  const ran = await m.run('profiles list')
  expect(ran.code).toBe(3)
  expect(ran.stderr).toContain(join(m.configDir, 'bnpl'))
  expect((statSync(m.configDir).mode & 0o7777).toString(8)).toBe('1777')
})

test('only the owner can read the written file, under any umask [row 4]', async () => {
  using m = machine()
  const main = join(import.meta.dirname, '../main.ts')
  const env = { BNPL_CONFIG_DIR: m.configDir, BNPL_STATE_DIR: m.stateDir, PATH: process.env.PATH ?? '', HOME: m.dir }
  for (const umask of ['000', '077']) {
    execFileSync(
      'sh',
      [
        '-c',
        `umask ${umask}; exec "$0" "$1" profiles add p${umask} --base-url https://a.example --api-key-stdin`,
        process.execPath,
        main,
      ],
      { input: 'some-api-key', env, stdio: ['pipe', 'pipe', 'pipe'] },
    )
    expect(mode(m.configDir)).toBe('700')
    for (const name of readdirSync(m.configDir)) expect([name, mode(join(m.configDir, name))]).toEqual([name, '600'])
  }
})

test.each(['profiles.json', 'profiles.lock'])(
  'a symbolic link in place of %s is refused, and the target of the link is unchanged [row 5]',
  async (name) => {
    using m = machine()
    const victim = join(m.dir, 'victim')
    writeFileSync(victim, GOOD, { mode: 0o644 })
    mkdirSync(m.configDir, { mode: 0o700 })
    symlinkSync(victim, join(m.configDir, name))
    const lines = name === 'profiles.json' ? ['profiles list', 'verify T', 'profiles use acme'] : []
    for (const line of [...lines, 'profiles add b --base-url https://b.example --api-key-stdin']) {
      expect(await m.run(line, { stdin: 'key-of-b' })).toMatchObject({ code: 3, stdout: '' })
    }
    expect([readFileSync(victim, 'utf8'), mode(victim)]).toEqual([GOOD, '644'])
  },
)

test('a symbolic link in place of the folder, or to nowhere, is refused [row 5]', async () => {
  using m = machine()
  const elsewhere = join(m.dir, 'elsewhere')
  mkdirSync(elsewhere, { mode: 0o755 })
  symlinkSync(elsewhere, m.configDir)
  for (const line of ['profiles list', 'profiles add b --base-url https://b.example --api-key-stdin']) {
    expect(await m.run(line, { stdin: 'key-of-b' })).toMatchObject({ code: 3, stdout: '' })
  }
  expect([readdirSync(elsewhere), mode(elsewhere)]).toEqual([[], '755'])
  rmSync(m.configDir)
  symlinkSync(join(m.dir, 'nowhere'), m.configDir)
  expect((await m.run('profiles use sandbox')).code).toBe(3)
  expect(existsSync(join(m.dir, 'nowhere'))).toBe(false)
})

test('a pipe or a folder as profiles.json, and a file as the configuration folder, end with exit 3 at once', async () => {
  using m = machine()
  mkdirSync(join(m.configDir, 'profiles.json'), { recursive: true, mode: 0o700 })
  expect((await m.run('profiles list')).code).toBe(3)
  rmSync(join(m.configDir, 'profiles.json'), { recursive: true })
  execFileSync('mkfifo', ['-m', '600', join(m.configDir, 'profiles.json')])
  expect((await m.run('profiles list')).code).toBe(3)
  rmSync(m.configDir, { recursive: true })
  writeFileSync(m.configDir, 'a file')
  for (const line of ['profiles list', 'profiles use sandbox']) expect((await m.run(line)).code).toBe(3)
  expect(readFileSync(m.configDir, 'utf8')).toBe('a file')
})

test('a configuration folder that cannot be created ends with exit 3, and the error names the folder [row 91]', async () => {
  using m = machine()
  const { world, stderr } = m.world({ stdin: 'some-api-key' })
  world.configDir = '/proc/nowhere/bnpl'
  const { runCli } = await import('../cli.ts')
  expect(await runCli('profiles add b --base-url https://b.example --api-key-stdin'.split(' '), world)).toBe(3)
  expect(stderr()).toContain('/proc/nowhere')
})

test('nothing is read from the folder the command runs in [row 8]', async () => {
  using m = machine()
  const main = join(import.meta.dirname, '../main.ts')
  const hostile = 'BNPL_BASE_URL=https://evil.example\nBNPL_API_KEY=evil\nHTTPS_PROXY=http://evil.example\n'
  for (const name of ['.env', '.bnplrc', '.bnplrc.json', 'bnpl.config.json', '.npmrc', 'profiles.json']) {
    writeFileSync(
      join(m.dir, name),
      name.endsWith('json') ? GOOD.replaceAll('api.example.com', 'evil.example') : hostile,
    )
  }
  const shown = execFileSync(process.execPath, [main, 'profiles', 'show', '--json'], {
    cwd: m.dir,
    env: { BNPL_CONFIG_DIR: m.configDir, BNPL_STATE_DIR: m.stateDir },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  expect(JSON.parse(shown)).toMatchObject({ profile: null, baseUrl: null, apiKey: null })
  expect(shown).not.toContain('evil')
})
