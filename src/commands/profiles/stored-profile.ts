import type { Context } from '../../context.ts'
import { SANDBOX, SANDBOX_PROFILES, sandboxTraits } from '../../domain/sandbox-accounts.ts'
import { BnplError, config, usage } from '../../errors.ts'
import { keepKey, openKeyring } from '../../profiles/keyring.ts'
import { type Profile, type ProfileFile, publicKeyProblem } from '../../profiles/profile.ts'
import { findProfile, profileName, type Setting } from '../../profiles/resolve.ts'
import { maskKey } from '../../text/masking.ts'
import { refuseDryRun } from '../global-options.ts'

/**
 * Finds the named profile; without a name, the profile of `--profile` or `BNPL_PROFILE`, or the default. Throws
 * `config` when none of these is set, and `usage` for the sandbox.
 */
export function storedProfile(
  context: Context,
  named: string | undefined,
  file: ProfileFile,
): { name: string; profile: Profile } {
  const name: Setting | undefined =
    named === undefined
      ? profileName(context.options.profile, context.world.env, file.default)
      : { value: named, source: 'the command' }
  if (name === undefined) {
    throw config(
      'no profile is named, and no default is set',
      'Name a profile with -p NAME, choose the default with: bnpl profiles use NAME, or add a profile: bnpl profiles add NAME',
      'NO_PROFILE',
    )
  }
  if (sandboxTraits(name.value) !== undefined) {
    throw usage(
      'the profiles of the sandbox are built in and cannot be changed',
      'Name one of your own profiles. List them with: bnpl profiles list',
      'SANDBOX_BUILT_IN',
    )
  }
  return { name: name.value, profile: findProfile(name, file, true) }
}

/**
 * Changes one stored profile, while no other process can change the profiles. Returns the profile's name and the changed profile file.
 * @param change returns the profile to store
 */
async function updateProfile(
  context: Context,
  named: string | undefined,
  change: (profile: Profile, name: string) => Profile,
): Promise<{ name: string; file: ProfileFile }> {
  refuseDryRun(context)
  const store = await context.profiles()
  let changed = ''
  const file = await store.update((before) => {
    const { name, profile } = storedProfile(context, named, before)
    changed = name
    return { ...before, profiles: { ...before.profiles, [name]: change(profile, name) } }
  })
  return { name: changed, file }
}

/**
 * Changes a profile as `updateProfile` does, and prints the changed profile as the command's result. Returns the profile's name.
 * @param change returns the profile to store
 */
export async function changeProfile(
  context: Context,
  named: string | undefined,
  change: (profile: Profile, name: string) => Profile,
): Promise<string> {
  const { name, file } = await updateProfile(context, named, change)
  await context.output.result(profileRow(name, storedProfile(context, name, file).profile, file), () => '')
  return name
}

/**
 * A profile as JSON: a setting that is not set is null, and secrets are masked. Fingerprints of the secrets are left
 * out, because computing them takes half as long as starting the program.
 */
export interface ProfileRow {
  name: string
  environment: 'beta' | 'production' | 'sandbox'
  default: boolean
  baseUrl: string | null
  paymentUrl: string | null
  publicKey: string | null
  entityId: string | null
  apiKey: string | null
  webhookSecrets: string[]
}

export function profileRow(name: string, profile: Profile, file: ProfileFile): ProfileRow {
  return {
    name,
    environment: profile.environment,
    default: file.default === name,
    baseUrl: profile.baseUrl,
    paymentUrl: profile.paymentUrl ?? null,
    publicKey: shownPublicKey(profile),
    entityId: profile.entityId ?? null,
    apiKey: profile.apiKeyEntry ? 'in the keyring' : profile.apiKey === undefined ? null : maskKey(profile.apiKey),
    webhookSecrets: (profile.webhookSecrets ?? []).map(maskKey),
  }
}

/** Returns the public key; it is masked if it is a secret key, which somebody wrote into the file. */
function shownPublicKey({ publicKey, apiKey }: Profile): string | null {
  if (publicKey === undefined) return null
  return publicKeyProblem(publicKey, apiKey) === undefined ? publicKey : maskKey(publicKey)
}

/** Returns the rows of the sandbox's built-in accounts, which are not stored. */
export function sandboxRows(file: ProfileFile): ProfileRow[] {
  return Object.keys(SANDBOX_PROFILES).map((name) => ({
    name,
    environment: SANDBOX,
    default: file.default === name,
    baseUrl: null,
    paymentUrl: null,
    publicKey: null,
    entityId: null,
    apiKey: null,
    webhookSecrets: [],
  }))
}

/** Returns the row of a profile or of a sandbox account. Throws `config` when no profile has that name. */
export function rowOf(name: string, file: ProfileFile): ProfileRow {
  const builtIn = sandboxRows(file).find((row) => row.name === name)
  return builtIn ?? profileRow(name, findProfile({ value: name, source: 'the command' }, file), file)
}

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
  const { world, output } = context
  const entry = `${name} ${world.clock.now().toString(36)}${Math.floor(world.random() * 2 ** 32).toString(36)}`
  return keepKey(profile, apiKey, inKeyring ? keyringOf(context) : undefined, entry, output.say)
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
    await keyringOf(context).remove(profile.apiKeyEntry)
  } catch (error) {
    if (!(error instanceof BnplError)) throw error
    context.output.warn(
      `the old key could not be removed from the keyring: ${error.message}. Remove this entry yourself: service “bnpl”, user “${profile.apiKeyEntry}”`,
    )
  }
}

/** Returns the keyring of this system. */
export const keyringOf = ({ world }: Pick<Context, 'world'>) =>
  openKeyring({ ...world.runtime, env: world.env, clock: world.clock })

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
