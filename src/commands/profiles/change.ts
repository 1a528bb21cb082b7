import type { Context } from '../../context.ts'
import { sandboxTraits } from '../../domain/sandbox-accounts.ts'
import { config, usage } from '../../errors.ts'
import type { Profile, ProfileFile } from '../../profiles/profile.ts'
import { findProfile, profileName, type Setting } from '../../profiles/resolve.ts'
import { refuseDryRun } from '../global-options.ts'
import { profileRow } from './row.ts'

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
