import { PROFILE_SETTINGS, PROFILE_VERSION, type ProfileFile, profileNameProblem } from './profile.ts'
import { settingProblem } from './settings.ts'

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
  if (!isObject(value)) return { ok: false, reason: 'it is not an object' }
  if (Number.isSafeInteger(value.version) && Number(value.version) > PROFILE_VERSION) {
    return { ok: false, newer: true, reason: `it was written by a newer bnpl (version ${value.version})` }
  }
  const problem = fileProblem(value)
  return problem === undefined ? { ok: true, file: value as unknown as ProfileFile } : { ok: false, reason: problem }
}

function fileProblem(file: Record<string, unknown>): string | undefined {
  if (file.version !== PROFILE_VERSION) return `its “version” is not ${PROFILE_VERSION}`
  if (file.default !== undefined && typeof file.default !== 'string') return 'its “default” is not a name'
  if (!isObject(file.profiles)) return 'it has no “profiles”'
  for (const [name, profile] of Object.entries(file.profiles)) {
    if (profileNameProblem(name) !== undefined) return 'one of its profiles has a name that is not allowed'
    const problem = isObject(profile) ? profileProblem(profile) : 'it is not an object'
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
