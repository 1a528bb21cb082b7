import { type Clock, within } from '../domain/clock.ts'
import { BnplError, config } from '../errors.ts'
import type { Profile } from './profile.ts'

/** The package that reads the keyrings of the desktops. Users who want it install it separately. */
export const KEYRING_PACKAGE = '@napi-rs/keyring'

interface KeyringHost {
  execPath: string
  /**
   * The program's own file. `KEYRING_PACKAGE` is loaded from where this file is installed, never from the folder in which a command runs.
   */
  program: string
  /** Whether the program is the single executable, which cannot run another script or load a package. */
  isExecutable: boolean
  env: Readonly<Record<string, string | undefined>>
  clock: Pick<Clock, 'sleep'>
}

/** The secret store of the system. Each call throws `config` when the keyring is absent, fails, or takes longer than 3 s. */
interface Keyring {
  get(entry: string): Promise<string | undefined>
  set(entry: string, secret: string): Promise<void>
  remove(entry: string): Promise<void>
  /** Writes, reads and removes an entry, which proves that the keyring can store a key. */
  probe(entry: string): Promise<void>
}

type Action = 'get' | 'set' | 'remove' | 'probe'

const TIMEOUT_MS = 3_000
const MAX_BYTES = 100_000

/**
 * Returns a keyring. Each call runs in its own process, because the library hangs if the desktop does not answer, and only a process can be
 * ended. The secret is passed through stdin and stdout, never as an argument.
 */
export function openKeyring(host: KeyringHost): Keyring {
  const ask = (action: Action, entry: string, secret = '') => askKeyring(host, { action, entry, secret })
  return {
    get: (entry) => ask('get', entry),
    async set(entry, secret) {
      await ask('set', entry, secret)
    },
    async remove(entry) {
      await ask('remove', entry)
    },
    async probe(entry) {
      await ask('probe', entry)
    },
  }
}

// The script needs no other file, so that it works from the sources, from the bundle and from a tarball.
const SCRIPT = `
const { createRequire } = require('node:module')
const { realpathSync } = require('node:fs')
const say = (answer) => process.stdout.write(JSON.stringify(answer))
let text = ''
process.stdin.on('data', (chunk) => { text += chunk }).on('end', () => {
  const { program, name, action, entry, secret } = JSON.parse(text)
  let library
  try {
    library = createRequire(realpathSync(program))(name)
  } catch (error) {
    return say({ problem: error.code === 'MODULE_NOT_FOUND' ? 'absent' : 'failed' })
  }
  try {
    const at = new library.Entry('bnpl', entry)
    if (action === 'get') return say({ secret: at.getPassword() })
    if (action === 'set') at.setPassword(secret)
    if (action === 'remove') at.deletePassword()
    if (action === 'probe') {
      at.setPassword(entry)
      const kept = at.getPassword()
      at.deletePassword()
      if (kept !== entry) return say({ problem: 'failed' })
    }
    say({})
  } catch {
    say({ problem: 'failed' })
  }
})`

async function askKeyring(
  host: KeyringHost,
  question: { action: Action; entry: string; secret: string },
): Promise<string | undefined> {
  if (host.isExecutable)
    throw unusable('the single executable cannot load the package for keyrings; install bnpl with npm instead')
  // Loaded only here, because most profiles have their key in the profile file.
  const { spawn } = await import('node:child_process')
  const env = Object.fromEntries(Object.entries(host.env).filter(([name]) => !/^(BNPL|NODE)_/.test(name)))
  const child = spawn(host.execPath, ['-e', SCRIPT], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = Promise.withResolvers<true>()
  let text = ''
  child.stdout.on('data', (chunk) => {
    if (text.length < MAX_BYTES) text += chunk
  })
  child.on('error', () => ended.resolve(true))
  child.on('close', () => ended.resolve(true))
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify({ program: host.program, name: KEYRING_PACKAGE, ...question }))
  const inTime = await within(TIMEOUT_MS, ended.promise, host.clock)
  child.kill('SIGKILL')
  if (!inTime)
    throw unusable(
      'the keyring did not answer within 3 seconds. It may be locked, or this system has no desktop session',
    )
  const answer = readAnswer(text)
  if (answer.problem === 'absent') {
    throw unusable(
      `the package for keyrings is not installed; install it with: npm install --global ${KEYRING_PACKAGE}`,
    )
  }
  if (answer.problem !== undefined) throw unusable('the keyring refused access, or this system has no keyring')
  return answer.secret ?? undefined
}

function readAnswer(text: string): { secret?: string | null; problem?: string } {
  try {
    return JSON.parse(text)
  } catch {
    return { problem: 'failed' }
  }
}

const unusable = (why: string) => config(`the keyring of this system cannot be used: ${why}`, undefined, 'KEYRING')

/**
 * Stores a key in the keyring, and returns the profile with the name of the keyring's entry. If the keyring does not work, returns the
 * profile with the key itself, and reports that with `say`.
 * @param entry a name that no entry of the keyring has yet
 */
export async function keepKey(
  profile: Profile,
  apiKey: string,
  keyring: Keyring | undefined,
  entry: string,
  say: (...lines: string[]) => void,
): Promise<Profile> {
  const { apiKey: _key, apiKeyEntry: _entry, ...rest } = profile
  const kept = { ...rest, apiKeyOrigin: new URL(profile.baseUrl).origin }
  if (keyring === undefined) return { ...kept, apiKey }
  try {
    await keyring.probe(`${entry} (trial)`)
    await keyring.set(entry, apiKey)
    return { ...kept, apiKeyEntry: entry }
  } catch (error) {
    if (!(error instanceof BnplError)) throw error
    say(error.message, 'The key is stored in the profile file instead.')
    return { ...kept, apiKey }
  }
}

/** Returns a profile with its key, which may be in the keyring. Throws `config` when the key cannot be read from the keyring. */
export async function withKey(name: string, profile: Profile, keyring: Keyring): Promise<Profile> {
  const { apiKeyEntry, ...rest } = profile
  if (apiKeyEntry === undefined) return profile
  const apiKey = await keyring.get(apiKeyEntry).catch((error: unknown) => {
    if (!(error instanceof BnplError)) throw error
    throw config(`the key of profile ${name} cannot be read: ${error.message}`, elsewhere(name), 'KEYRING')
  })
  if (apiKey === undefined)
    throw config(`the key of profile ${name} is no longer in the keyring`, elsewhere(name), 'KEYRING')
  return { ...rest, apiKey }
}

const elsewhere = (name: string) =>
  `Set BNPL_API_KEY, or store the key in the profile file: bnpl profiles set-key ${name} --no-keyring`
