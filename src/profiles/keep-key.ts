import { BnplError, config } from '../errors.ts'
import type { Keyring } from './keyring.ts'
import type { Profile } from './profile.ts'

/**
 * The profile with its key where it is to be kept: in the keyring, if that proves to work, else in the profile itself, which `say`
 * is told then.
 * @param entry a name that no entry of the keyring has
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
    say(error.message, 'The key is kept in the profile file instead, readable by you alone.')
    return { ...kept, apiKey }
  }
}

/** The profile with its key, wherever that is kept. Throws `config` when the keyring cannot be used or has it no more. */
export async function withKey(name: string, profile: Profile, keyring: Keyring): Promise<Profile> {
  const { apiKeyEntry, ...rest } = profile
  if (apiKeyEntry === undefined) return profile
  const apiKey = await keyring.get(apiKeyEntry).catch((error: unknown) => {
    if (!(error instanceof BnplError)) throw error
    throw config(`the key of profile ${name} cannot be read: ${error.message}`, elsewhere(name), 'KEYRING')
  })
  if (apiKey === undefined)
    throw config(`the key of profile ${name} is not in the keyring any more`, elsewhere(name), 'KEYRING')
  return { ...rest, apiKey }
}

const elsewhere = (name: string) =>
  `Nothing was sent. Give the key with BNPL_API_KEY, or keep it in the file: bnpl profiles set-key ${name}`
