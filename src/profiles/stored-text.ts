import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A larger file is not read, because it was not written by bnpl. */
export const MAX_BYTES = 4 * 1024 * 1024

/**
 * Returns the text of the stored profiles without checking it, for what every command asks before it does its work. Returns '' if there is
 * no such file, if it cannot be read, or if the user has no folder for it: a command that needs a profile reports that. Does not follow a
 * link or wait for a pipe.
 */
export function storedText(configDir: () => string): string {
  try {
    const path = join(configDir(), 'profiles.json')
    const found = lstatSync(path)
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(path, 'utf8') : ''
  } catch {
    return ''
  }
}

/** Returns the API keys and webhook secrets in the text of the stored profiles. Returns none if it is not JSON. */
export function secretsIn(text: string): string[] {
  if (!/"(?:apiKey|webhookSecrets)"/.test(text)) return []
  try {
    const profiles = Object.values(Object(JSON.parse(text)?.profiles)).map(Object)
    const found = profiles.flatMap(({ apiKey, webhookSecrets }) => [apiKey, webhookSecrets].flat())
    return found.filter((secret) => typeof secret === 'string')
  } catch {
    return []
  }
}
