import {
  type FieldName,
  type GivenAnswers,
  isFieldName,
  isKnown,
  PATH_SETTINGS,
  type ServiceDescription,
  SPECIFICATION,
  withAnswers,
} from '../contract/description.ts'
import { serviceAddressProblem } from '../domain/addresses.ts'
import { SANDBOX_PROFILES, sandboxTraits } from '../domain/sandbox-accounts.ts'
import { readSecretText } from '../domain/secret.ts'
import { type BnplError, config } from '../errors.ts'
import { commandLine } from '../text/shell-word.ts'
import { didYouMean } from '../text/similar.ts'
import { trimmed } from '../text/visible.ts'
import { type Profile, type ProfileFile, profileIn, profileNameProblem, publicKeyProblem } from './profile.ts'

/** A value and its source: `--profile`, `BNPL_API_KEY`, `profile acme`, `default`, `sandbox`. */
export interface Setting<T = string> {
  value: T
  source: string
}

export const BODY_SETTINGS = [
  'bodies.verification',
  'bodies.registration',
  'bodies.subscription',
  'bodies.eventTypes',
] as const

export interface Settings {
  /** The profile's name; undefined when every setting comes from the environment. */
  profile: Setting | undefined
  environment: Setting<'beta' | 'production' | 'sandbox' | 'unknown'>
  baseUrl: Setting | undefined
  paymentUrl: Setting | undefined
  apiKey: Setting | undefined
  publicKey: Setting | undefined
  entityId: Setting | undefined
  /** The addresses to which a customer returns from the payment page. They are checked when they are used. */
  successUrl: Setting | undefined
  errorUrl: Setting | undefined
  webhookSecrets: Setting<readonly string[]> | undefined
  /** What the service answers to the open questions: the description that holds, with the settings of the profile on top. */
  service: ServiceDescription
  /** Where the description was named: `BNPL_SERVICE`, `profile acme`, `sandbox`, `default`. */
  serviceSource: string
  currency: Setting | undefined
  /** Address of the PostgreSQL database of the inbox. It may contain a password, so show it with `shownDatabase`. */
  database: Setting | undefined
}

type Complain = (problem: BnplError) => void

export interface ServiceInUse {
  description: ServiceDescription
  source: string
}

export interface SandboxSettings {
  baseUrl: string
  paymentUrl: string
  apiKey: string
  publicKey: string
  entityId: string
  webhookSecret: string
}

/** Returns the name of the profile in use, and where it was named; undefined when no profile is named and no default is set. */
export function profileName(flag: string | undefined, env: Env, fileDefault: string | undefined): Setting | undefined {
  if (flag !== undefined) return { value: flag, source: '--profile' }
  if (env.BNPL_PROFILE) return { value: env.BNPL_PROFILE, source: 'BNPL_PROFILE' }
  return fileDefault === undefined ? undefined : { value: fileDefault, source: 'default profile' }
}

/** Returns the service that is named, and where: in the environment, otherwise in the profile; undefined when none is named. */
export function serviceNamed(name: Setting | undefined, file: ProfileFile | undefined, env: Env): Setting | undefined {
  if (env.BNPL_SERVICE) return { value: env.BNPL_SERVICE, source: 'BNPL_SERVICE' }
  const profile = profileIn(file, name?.value)
  return profile?.service === undefined ? undefined : { value: profile.service, source: `profile ${name?.value}` }
}

/**
 * Resolves the settings in use: the environment overrides the profile, and the profile overrides the defaults. Throws `config` when the
 * profile does not exist, an address or a key is not valid, a secret key is set as the public key, or the profile's key does not belong to
 * the base address.
 * @param complain gets what is wrong with a setting. If it does not throw, the setting is left out
 */
export function resolveSettings(
  name: Setting | undefined,
  file: ProfileFile | undefined,
  env: Env,
  sandbox: SandboxSettings | undefined,
  { description, source: serviceSource }: ServiceInUse = { description: SPECIFICATION, source: 'default' },
  complain: Complain = (problem) => {
    throw problem
  },
): Settings {
  const isSandbox = sandboxTraits(name?.value) !== undefined
  const profile = name === undefined || isSandbox ? undefined : findProfile(name, file)
  const kept: Partial<Profile> & Partial<SandboxSettings> = (isSandbox ? sandbox : profile) ?? {}
  const source = isSandbox ? String(name?.value) : `profile ${name?.value}`
  const own = (variable: string | undefined, value: string | undefined): Setting | undefined => {
    const fromEnv = variable === undefined ? undefined : env[variable]
    if (fromEnv !== undefined && fromEnv !== '') return { value: fromEnv, source: String(variable) }
    return value === undefined ? undefined : { value, source }
  }
  // Variables such as BNPL_API_KEY are for a real service, so they must not change the sandbox's account. The merchant's own values, such as
  // BNPL_WEBHOOK_SECRET and BNPL_SUCCESS_URL, are also used with a sandbox.
  const pick: typeof own = (variable, value) => own(isSandbox ? undefined : variable, value)
  // Accept plain http for a sandbox, because its keys are valid nowhere else, and containers and phones call it over the network.
  const checked = isSandbox
    ? (_: string, setting: Setting | undefined) => setting
    : (what: string, setting: Setting | undefined) => address(what, setting, complain)
  const baseUrl = checked('base address', pick('BNPL_BASE_URL', kept.baseUrl))
  const givenKey = pick('BNPL_API_KEY', kept.apiKey)
  const apiKey = credential(givenKey, complain)
  bindKey(apiKey, baseUrl, profile, complain, name?.value)
  const secretFromEnv = env.BNPL_WEBHOOK_SECRET
  const webhookSecrets = isSandbox && sandbox ? [sandbox.webhookSecret] : profile?.webhookSecrets
  const fromEnv = databaseInEnvironment(env)
  const entityId = pick('BNPL_ENTITY_ID', kept.entityId)
  return {
    profile: name,
    environment: isSandbox
      ? { value: 'sandbox', source }
      : profile
        ? { value: profile.environment, source }
        : { value: 'unknown', source: 'default' },
    baseUrl,
    paymentUrl: checked('payment address', pick('BNPL_PAYMENT_URL', kept.paymentUrl)),
    apiKey,
    publicKey: isSandbox
      ? pick(undefined, kept.publicKey)
      : visible(pick('BNPL_PUBLIC_KEY', kept.publicKey), apiKey ?? givenKey, complain),
    entityId: entityId && { ...entityId, value: trimmed(entityId.value) },
    successUrl: own('BNPL_SUCCESS_URL', profile?.successUrl),
    errorUrl: own('BNPL_ERROR_URL', profile?.errorUrl),
    webhookSecrets: secretFromEnv
      ? { value: [secretFromEnv], source: 'BNPL_WEBHOOK_SECRET' }
      : webhookSecrets && { value: webhookSecrets, source },
    service: withAnswers(
      description,
      isSandbox
        ? conventionsOf(description, [...PATH_SETTINGS, 'cancel', 'cancelledState', 'entities'], source)
        : answersOf(profile, source),
    ),
    serviceSource,
    currency: pick(undefined, profile?.currency),
    database: fromEnv ? { value: fromEnv.text, source: fromEnv.source } : pick(undefined, profile?.database),
  }
}

/** Returns the answers among the settings of a profile. They may be invalid, so their readers check them. */
export const answersOf = (profile: Profile = { environment: 'beta', baseUrl: '' }, setting: string): GivenAnswers =>
  Object.fromEntries(
    Object.entries(profile).flatMap(([name, text]) =>
      isFieldName(name) && name !== 'baseUrl' && name !== 'paymentUrl' && typeof text === 'string'
        ? [[name, { text, source: { setting } }]]
        : [],
    ),
  )

/** Returns the conventions of a sandbox as answers, because the sandbox is the service that follows them. */
const conventionsOf = ({ answers }: ServiceDescription, names: readonly FieldName[], setting: string): GivenAnswers =>
  Object.fromEntries(
    names.flatMap((name) =>
      isKnown(answers[name]) ? [] : [[name, { text: answers[name].text, source: { setting } }]],
    ),
  )

/** Returns an answer that is known of the service; undefined if the answer is only a convention. */
export const knownAnswer = ({ answers }: ServiceDescription, name: FieldName): string | undefined =>
  isKnown(answers[name]) ? answers[name].text : undefined

/** Returns the texts of the answers that are known of the service, by the name of their field. */
export const knownAnswers = <Name extends FieldName>(
  { answers }: ServiceDescription,
  names: readonly Name[],
): Partial<Record<Name, string>> =>
  Object.fromEntries(names.flatMap((name) => (isKnown(answers[name]) ? [[name, answers[name].text]] : []))) as Partial<
    Record<Name, string>
  >

/** Returns the variables that override the profile that `flag` names. Such variables may belong to another account. */
export function variablesBefore(flag: string | undefined, file: ProfileFile | undefined, env: Env): string[] {
  const profile = profileIn(file, flag)
  const kept = { BNPL_BASE_URL: profile?.baseUrl, BNPL_API_KEY: profile?.apiKey ?? profile?.apiKeyEntry }
  return Object.entries(kept).flatMap(([name, own]) => (own && env[name] && env[name] !== own ? [name] : []))
}

/**
 * Returns the profile with the given name. If there is none, throws `config` and lists the existing names.
 * @param change whether the profile is to be changed or removed. The error then does not list the profiles of the sandbox, because they
 * cannot be changed
 */
export function findProfile(name: Setting, file: ProfileFile | undefined, change = false): Profile {
  const profile = profileIn(file, name.value)
  if (profile) return profile
  const own = Object.keys(file?.profiles ?? {})
  const known = change ? own : [...own, ...Object.keys(SANDBOX_PROFILES)]
  throw config(
    `profile “${name.value}” does not exist (named by ${name.source})${didYouMean(name.value, known)}`,
    known.length === 0
      ? 'See the profiles: bnpl profiles list'
      : `Use one of: ${known.join(', ')}.${change ? '' : addedInWords(name.value)}`,
    'NO_SUCH_PROFILE',
  )
}

const addedInWords = (name: string): string =>
  profileNameProblem(name) === undefined ? ` Or add the profile: ${commandLine('bnpl profiles add', [name])}` : ''

function address(what: string, setting: Setting | undefined, complain: Complain): Setting | undefined {
  if (setting === undefined) return undefined
  const problem = serviceAddressProblem(setting.value)
  if (problem === undefined) return setting
  complain(config(`the ${what} from ${setting.source} is not valid: ${problem}`, undefined, 'BAD_ADDRESS'))
  return undefined
}

/** Returns the API key without white space around it. Complains if the key is not valid; the error never contains the key. */
function credential(setting: Setting | undefined, complain: Complain): Setting | undefined {
  if (setting === undefined) return undefined
  const read = readSecretText(setting.value, 'key')
  if (read.ok) return { ...setting, value: read.secret }
  complain(
    config(
      `the API key from ${setting.source} cannot be used: it ${read.reason}`,
      'Copy only the key itself, without quotes and without spaces.',
      'BAD_KEY',
    ),
  )
  return undefined
}

/**
 * Returns the public key. Complains if it is a secret key; the error never contains the key.
 * @param apiKey the API key, also if it was refused
 */
function visible(publicKey: Setting | undefined, apiKey: Setting | undefined, complain: Complain): Setting | undefined {
  const problem = publicKey && publicKeyProblem(publicKey.value.trim(), apiKey?.value.trim())
  if (problem === undefined) return publicKey
  complain(
    config(
      `the public key from ${publicKey?.source} is not valid: ${problem}`,
      'Set the public key of the account there, and keep the API key on your servers. Nothing was sent.',
      'BAD_PUBLIC_KEY',
    ),
  )
  return undefined
}

/** Complains when a stored key would be sent to an origin for which it was not stored. */
function bindKey(
  apiKey: Setting | undefined,
  baseUrl: Setting | undefined,
  profile: Profile | undefined,
  complain: Complain,
  name = 'NAME',
): void {
  if (!apiKey || !baseUrl || !profile || apiKey.source === 'BNPL_API_KEY') return
  const bound = profile.apiKeyOrigin ?? new URL(profile.baseUrl).origin
  const asked = new URL(baseUrl.value).origin
  if (asked === bound) return
  const places =
    baseUrl.source === 'BNPL_BASE_URL'
      ? 'in BNPL_API_KEY'
      : `in BNPL_API_KEY or with ${commandLine('bnpl profiles set-key', [name])}`
  complain(
    config(
      `${baseUrl.source} points to ${asked}, but the key of ${apiKey.source} belongs to ${bound}`,
      `Set the key of ${asked} ${places}, or change the address back to ${bound}. Nothing was sent.`,
      'KEY_NOT_FOR_ADDRESS',
    ),
  )
}

export type Env = Readonly<Record<string, string | undefined>>

export interface NamedDatabase {
  text: string
  /** Where the address was given: `--database`, `BNPL_DATABASE`, or `profile NAME`. */
  source: string
}

/** Returns the database that the environment names. Its address is not checked. */
export function databaseInEnvironment({ BNPL_DATABASE: text }: Env): NamedDatabase | undefined {
  return text ? { text, source: 'BNPL_DATABASE' } : undefined
}

/** Whether the environment alone names a service and a key, so that the profile file is not read. */
export function environmentSuffices(flag: string | undefined, env: Env): boolean {
  return flag === undefined && !env.BNPL_PROFILE && Boolean(env.BNPL_API_KEY && env.BNPL_BASE_URL)
}

/** Whether a value of NODE_DEBUG makes Node print headers, addresses and bodies, and with them keys, tokens and national ids. */
export function tracesTraffic(nodeDebug: string | undefined): boolean {
  return /http|net|tls|fetch|undici|stream|\*/i.test(nodeDebug ?? '')
}
