import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { diskFailure } from '../disk/failure.ts'
import { KEPT_FILES } from '../disk/kept-files.ts'
import { checkFile, checkPrivateFile, checkPrivateFolder, linked, type Notice } from '../disk/private.ts'
import { BnplError, codeOf, config } from '../errors.ts'
import { isRecord } from '../text/json-text.ts'
import { PROFILE_SETTINGS, PROFILE_VERSION, type ProfileFile, profileIn, profileNameProblem } from './profile.ts'
import { settingProblem } from './settings.ts'
import { MAX_BYTES } from './stored-text.ts'

/** Returns the path of the profile file in a configuration folder. */
export function profilePath(configDir: string): string {
  return join(configDir, KEPT_FILES.profiles.name)
}

/**
 * Returns the profile file, or undefined if it does not exist. If other users can read the file or its folder, corrects the permissions and
 * reports that with `notice`. Throws `config` when the file cannot be read or is not a profile file of bnpl.
 */
export async function readProfileFile(configDir: string, notice: Notice = () => {}): Promise<ProfileFile | undefined> {
  const path = profilePath(configDir)
  if (!checkPrivateFolder(configDir, notice, () => holdsProfiles(configDir)) || !checkFile(path)) return undefined
  const text = readText(path)
  if (text === undefined) return undefined
  const parsed = parseProfileFile(text)
  if (parsed.ok) {
    // Change the mode only after the content has shown that the file is ours, because another program's file must keep its mode.
    checkPrivateFile(path, notice)
    return parsed.file
  }
  throw config(
    `the profiles in ${path} cannot be used: ${parsed.reason}`,
    parsed.newer
      ? 'Update bnpl (the file is unchanged), or name another folder with BNPL_CONFIG_DIR.'
      : 'Repair the file (it is unchanged), or move it away and add the profiles again: bnpl profiles add NAME',
    parsed.newer ? 'PROFILES_NEWER' : 'PROFILES_DAMAGED',
  )
}

/**
 * Returns the language that a profile names, or the default profile if there is no profile of this name; undefined if neither names one, or
 * if the file cannot be read. Changes no mode.
 */
export function storedLanguage(configDir: string, name: string | undefined): string | undefined {
  try {
    const parsed = parseProfileFile(readText(profilePath(configDir)) ?? '')
    if (!parsed.ok) return undefined
    const { file } = parsed
    return (profileIn(file, name) ?? profileIn(file, file.default))?.language
  } catch {
    return undefined
  }
}

/** Whether bnpl may change the mode of a folder. It must not if another program wrote the `profiles.json` in the folder. */
export function holdsProfiles(configDir: string): boolean {
  const path = profilePath(configDir)
  if (!checkFile(path)) return true
  const text = readText(path)
  return text === undefined || parseProfileFile(text).ok
}

/** Returns the text of a file; undefined if it does not exist. Does not follow a link or wait for a pipe that replaced the file. */
function readText(path: string): string | undefined {
  let fd: number | undefined
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    if (fstatSync(fd).size > MAX_BYTES) throw config(`${path} is far too large to be a profile file`)
    return readFileSync(fd, 'utf8')
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return undefined
    if (code === 'ELOOP') throw linked(path)
    if (error instanceof BnplError) throw error
    throw diskFailure(`the profiles in ${path} cannot be read`, error)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

type ShapeResult = { ok: true; file: ProfileFile } | { ok: false; reason: string; newer?: true }

/** Parses the profile file, and keeps its unknown fields. An error never shows the content of the file, which contains keys. */
export function parseProfileFile(text: string): ShapeResult {
  if (text.trim() === '') return { ok: false, reason: 'it is empty' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const where = /line \d+ column \d+/.exec(error instanceof Error ? error.message : '')?.[0]
    return { ok: false, reason: `it is not JSON${where === undefined ? '' : ` (${where})`}` }
  }
  if (!isRecord(value)) return { ok: false, reason: 'it is not an object' }
  if (Number.isSafeInteger(value.version) && Number(value.version) > PROFILE_VERSION) {
    return { ok: false, newer: true, reason: `it was written by a newer bnpl (version ${value.version})` }
  }
  const problem = fileProblem(value)
  return problem === undefined ? { ok: true, file: value as unknown as ProfileFile } : { ok: false, reason: problem }
}

function fileProblem(file: Record<string, unknown>): string | undefined {
  if (file.version !== PROFILE_VERSION) return `its “version” is not ${PROFILE_VERSION}`
  if (file.default !== undefined && typeof file.default !== 'string') return 'its “default” is not a name'
  if (!isRecord(file.profiles)) return 'it has no “profiles”'
  for (const [name, profile] of Object.entries(file.profiles)) {
    if (profileNameProblem(name) !== undefined) return 'one of its profiles has a name that is not allowed'
    const problem = isRecord(profile) ? profileProblem(profile) : 'it is not an object'
    if (problem !== undefined) return `profile ${name}: ${problem}`
  }
  return undefined
}

function profileProblem(profile: Record<string, unknown>): string | undefined {
  for (const required of ['environment', 'baseUrl']) {
    if (profile[required] === undefined) return `“${required}” is missing`
  }
  for (const name of [...Object.keys(PROFILE_SETTINGS), 'apiKey', 'apiKeyOrigin', 'apiKeyEntry']) {
    if (!['string', 'undefined'].includes(typeof profile[name])) return `“${name}” is not text`
  }
  // Check only these settings now. An invalid value of any other setting must not stop a command that does not use that setting.
  for (const name of ['environment', 'baseUrl', 'paymentUrl'] as const) {
    const value = profile[name]
    const problem = typeof value === 'string' ? settingProblem(name, value) : undefined
    if (problem !== undefined) return `“${name}”: ${problem}`
  }
  const secrets = profile.webhookSecrets
  if (secrets === undefined) return undefined
  return Array.isArray(secrets) && secrets.every((each) => typeof each === 'string' && each !== '')
    ? undefined
    : '“webhookSecrets” is not a list of strings'
}
