import type { Context } from '../../context.ts'
import { BnplError, usage } from '../../errors.ts'
import type { Profile } from '../../profiles/profile.ts'

/**
 * Returns the profile with a new key. With `inKeyring`, stores the key in the system's keyring if that works, otherwise in the returned
 * profile.
 */
export async function storeKey(
  context: Context,
  name: string,
  profile: Profile,
  apiKey: string,
  inKeyring: boolean | undefined,
): Promise<Profile> {
  const { keepKey } = await import('../../profiles/keep-key.ts')
  const { world, output } = context
  const entry = `${name} ${world.clock.now().toString(36)}${Math.floor(world.random() * 2 ** 32).toString(36)}`
  return keepKey(profile, apiKey, inKeyring ? await keyringOf(context) : undefined, entry, output.say)
}

/** Returns a copy of the first profile with the key of the second, or with the name of that key's entry in the keyring. */
export function withKeyOf(
  { apiKey: _key, apiKeyEntry: _entry, apiKeyOrigin: _origin, ...rest }: Profile,
  { apiKey, apiKeyEntry, apiKeyOrigin }: Pick<Profile, 'apiKey' | 'apiKeyEntry' | 'apiKeyOrigin'>,
): Profile {
  return {
    ...rest,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(apiKeyEntry === undefined ? {} : { apiKeyEntry }),
    ...(apiKeyOrigin === undefined ? {} : { apiKeyOrigin }),
  }
}

/** Removes an unused key from the keyring. If that fails, prints a warning and does not throw. */
export async function forgetKey(context: Context, profile: Profile | undefined): Promise<void> {
  if (profile?.apiKeyEntry === undefined) return
  try {
    await (await keyringOf(context)).remove(profile.apiKeyEntry)
  } catch (error) {
    if (!(error instanceof BnplError)) throw error
    context.output.warn(
      `the old key could not be removed from the keyring: ${error.message}. Remove this entry yourself: service “bnpl”, user “${profile.apiKeyEntry}”`,
    )
  }
}

/** Returns the keyring of this system. */
export async function keyringOf({ world }: Pick<Context, 'world'>) {
  const { openKeyring } = await import('../../profiles/keyring.ts')
  return openKeyring({ ...world.runtime, env: world.env })
}

/**
 * Returns the error for an API key that is given as the public key. Everybody can see a public key, because it is
 * part of the payment page's address.
 */
export const keyIsPublic = () =>
  usage(
    'the given public key is the API key itself, but the public key is visible to everybody',
    'Use the public key of the account, and keep the API key on your servers. Nothing was stored.',
    'KEY_IS_PUBLIC',
  )
