import type { Context, World } from '../context.ts'
import { type ServiceDescription, SPECIFICATION } from '../contract/description.ts'
import { type SandboxTraits, sandboxTraits } from '../domain/sandbox-accounts.ts'
import { BnplError, config } from '../errors.ts'
import { readProfileFile } from '../profiles/file.ts'
import { openKeyring, withKey } from '../profiles/keyring.ts'
import { type ProfileFile, profileIn } from '../profiles/profile.ts'
import {
  environmentSuffices,
  profileName,
  resolveSettings,
  type SandboxSettings,
  type ServiceInUse,
  type Setting,
  type Settings,
  serviceNamed,
  variablesBefore,
} from '../profiles/resolve.ts'
import { readService } from '../profiles/service.ts'
import type { SandboxClient } from '../sandbox/server/sandbox-client.ts'
import { secretsInAddress } from '../text/secrets.ts'
import { refuseSecretsIn } from './command-line.ts'

/** Returns the description that the environment names for the embedded sandbox, or the specification. */
export async function describedInEnvironment(world: World): Promise<ServiceDescription> {
  return (await serviceInUse(world, serviceNamed(undefined, undefined, world.env)))?.description ?? SPECIFICATION
}

/**
 * Reads the settings of a command, and tells the world which secrets it must hide.
 * @param flag the profile that the command line names
 * @param words the arguments and the values of the options, in which no secret may be
 * @param problems gets what is wrong with a setting, which is then left out. Without it, this function throws
 */
export async function readSettings(
  context: Context,
  flag: string | undefined,
  words: readonly string[],
  problems?: BnplError[],
): Promise<Settings> {
  const { world } = context
  // The sandbox is always available, also while the file of the profiles is damaged.
  const isRead =
    !environmentSuffices(flag, world.env) && sandboxTraits(profileName(flag, world.env, undefined)?.value) === undefined
  const file = isRead ? await readProfiles(context) : undefined
  const name = profileName(flag, world.env, file?.default)
  const traits = sandboxTraits(name?.value)
  const sandbox = name && traits && (await context.sandbox())
  const account = name && traits && sandbox && (await accountOf(sandbox, traits, name.value))
  const [variable, other] = account === undefined ? variablesBefore(flag, file, world.env) : []
  if (variable !== undefined)
    context.output.warn(
      other === undefined
        ? `${variable} overrides the settings of profile ${flag}. Unset the variable if you do not want that`
        : `${variable} and ${other} override the settings of profile ${flag}. Unset the variables that you do not want`,
    )
  const complain = (problem: unknown) => {
    if (problems === undefined || !(problem instanceof BnplError)) throw problem
    problems.push(problem)
  }
  const service = sandbox
    ? { description: sandbox.description, source: String(name?.value) }
    : ((await serviceInUse(world, serviceNamed(name, file, world.env)).catch(complain)) ?? undefined)
  const whole = (await withKeyOf(world, name?.value, file).catch(complain)) ?? file
  const settings = resolveSettings(name, whole, world.env, account, service, complain)
  const { apiKey, webhookSecrets, database } = settings
  const secrets = [apiKey?.value, ...(webhookSecrets?.value ?? []).flatMap((each) => each.split(/\r?\n/))]
  // Check the arguments here too, because only now a key from the keyring is known.
  refuseSecretsIn(words, ...secrets)
  // The secrets of the sandbox are printed for the user, and are valid nowhere else.
  if (account === undefined) {
    world.secrets.add(...secrets)
    if (database !== undefined) world.secrets.add(...secretsInAddress(database.value))
  }
  return settings
}

async function serviceInUse({ cwd }: World, named: Setting | undefined): Promise<ServiceInUse | undefined> {
  if (named === undefined) return undefined
  const { value: text, source } = named
  return { description: await readService({ text, source, cwd, complain: config }), source }
}

async function withKeyOf(
  { runtime, env, clock }: World,
  name: string | undefined,
  file: ProfileFile | undefined,
): Promise<ProfileFile | undefined> {
  const profile = profileIn(file, name)
  if (!file || name === undefined || profile?.apiKeyEntry === undefined || env.BNPL_API_KEY) return file
  const whole = await withKey(name, profile, openKeyring({ ...runtime, env, clock }))
  return { ...file, profiles: { ...file.profiles, [name]: whole } }
}

async function readProfiles({ world, output }: Context): Promise<ProfileFile | undefined> {
  return readProfileFile(world.configDir, output.warn)
}

async function accountOf(
  { baseUrl, paymentUrl, partners }: SandboxClient,
  traits: SandboxTraits,
  profile: string,
): Promise<SandboxSettings> {
  const partner = partners.find(
    ({ product, active, evaluationModule }) =>
      product === traits.product && active === traits.active && evaluationModule === traits.evaluationModule,
  )
  if (partner === undefined)
    throw config(
      `the sandbox does not have the account of profile ${profile}`,
      'List the profiles of the sandbox: bnpl sandbox status',
      'SANDBOX_DATA',
    )
  const { apiKey, publicKey, entityId } = partner
  const { listenerSecretOf } = await import('../domain/sandbox-secret.ts')
  return { baseUrl, paymentUrl, apiKey, publicKey, entityId, webhookSecret: listenerSecretOf(apiKey) }
}
