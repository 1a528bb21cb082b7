import type { Context } from '../../context.ts'
import { BnplError } from '../../errors.ts'
import type { Profile } from '../../profiles/profile.ts'

/** The profile with a key, kept where it is asked to be: in the keyring if one works here, else in the file. */
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

/** A profile with the key of another, wherever that is kept, and with no other key. */
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

/** Takes a key that is not used any more out of the keyring; where that fails, it is said and the command goes on. */
export async function forgetKey(context: Context, profile: Profile | undefined): Promise<void> {
  if (profile?.apiKeyEntry === undefined) return
  try {
    await (await keyringOf(context)).remove(profile.apiKeyEntry)
  } catch (error) {
    if (!(error instanceof BnplError)) throw error
    context.output.warn(`the old key is still in the keyring, under “bnpl”, “${profile.apiKeyEntry}”: ${error.message}`)
  }
}

async function keyringOf({ world }: Context) {
  const { openKeyring } = await import('../../profiles/keyring.ts')
  return openKeyring({ ...world.runtime, env: world.env })
}
