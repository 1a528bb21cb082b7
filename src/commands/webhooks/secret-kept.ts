import type { Context } from '../../context.ts'
import { DESTINATION_LIMIT } from '../../contract/integrations.ts'
import { secretOf } from '../../domain/destination.ts'
import { sandboxTraits } from '../../domain/sandbox-accounts.ts'
import { config, usage } from '../../errors.ts'

/**
 * Returns the profile that will store the secret. Throws `usage` without a profile, and for the sandbox, which cannot store a
 * secret. Must be called before anything is sent.
 */
export async function keepingProfile(context: Context): Promise<string> {
  const { profile } = await context.settings()
  if (profile !== undefined && sandboxTraits(profile.value) === undefined) return profile.value
  throw usage(
    profile === undefined
      ? '--save-secret stores the secret in a profile, but no profile is in use'
      : '--save-secret cannot be used with the sandbox, because no profile of the sandbox can store a secret',
    profile === undefined
      ? 'Name a profile with --profile. Or leave out --save-secret: then the secret is printed.'
      : 'Leave out --save-secret, so that the secret is printed. Or run `bnpl webhooks listen -p sandbox --public-url URL`, which registers the address and needs no stored secret.',
    'NO_PROFILE',
  )
}

/**
 * Adds the secret to the profile. The older secrets stay valid for other destinations and during a rotation. Throws
 * `config` or `output` when the secret cannot be stored.
 */
async function keepSecret(context: Context, profile: string, secret: string): Promise<void> {
  const store = await context.profiles()
  await store.update((file) => {
    const kept = file.profiles[profile]
    if (kept === undefined)
      throw config(`the profile ${profile} no longer exists`, 'List the profiles: bnpl profiles list', 'NO_PROFILE')
    const secrets = [secret, ...(kept.webhookSecrets ?? []).filter((each) => each !== secret)]
    return {
      ...file,
      profiles: { ...file.profiles, [profile]: { ...kept, webhookSecrets: secrets.slice(0, DESTINATION_LIMIT) } },
    }
  })
}

/**
 * Stores the secret of a new destination in the profile, or prints it on stderr, because the service never shows it
 * again.
 * @param profile the profile in which the secret is stored; undefined to print the secret
 */
export async function disposeOfSecret(
  context: Context,
  destination: Record<string, unknown>,
  profile: string | undefined,
): Promise<void> {
  const secret = secretOf(destination)
  if (secret === undefined) {
    context.output.warn(
      'the answer contains no secret. Ask the support of the service for the secret, then set BNPL_WEBHOOK_SECRET, or write the secret to a file for --secret-file',
    )
  } else if (profile !== undefined) {
    await keepSecret(context, profile, secret)
    context.output.note(`The secret is stored in profile ${profile}, where bnpl webhooks listen reads it.`)
  } else if (context.output.forPeople) {
    // Print the secret only in output for people. JSON and CSV results already contain it, and a log of stderr must not contain it.
    context.output.say(`Secret (shown only once, so keep it): ${secret}`)
  }
}
