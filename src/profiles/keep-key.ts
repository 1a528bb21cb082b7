import { BnplError, config } from '../errors.ts'
import type { Keyring } from './keyring.ts'
import type { Profile } from './profile.ts'

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
    say(error.message, 'The key is stored in the profile file instead, readable only by you.')
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
