import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { readSecretText } from '../domain/secret.ts'
import { LANGUAGES } from '../language/language.ts'

export const PROFILE_VERSION = 1

export interface ProfileFile {
  version: typeof PROFILE_VERSION
  default?: string
  profiles: Record<string, Profile>
}

/** Returns the profile with a name; undefined if the file has no profile of this name. */
export const profileIn = (file: ProfileFile | undefined, name: string | undefined): Profile | undefined =>
  file && name !== undefined && Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined

/** The settings of a profile that are not secret, with what they are. `service` is a name or the path of a file; `database` has no password. */
export const PROFILE_SETTINGS = {
  environment: 'environment of the account: beta or production',
  baseUrl: 'base address of the service',
  paymentUrl: 'address of the hosted payment page',
  publicKey: 'public key for the payment page',
  entityId: 'merchant entity id',
  successUrl: 'customer’s return address after a payment',
  errorUrl: 'customer’s return address after a failed payment',
  service: 'description of the service: a name, or a file',
  hmacAlgorithm: 'algorithm of webhook signatures (gap 7)',
  hmacEncoding: 'encoding of webhook signatures: hex or base64 (gap 7)',
  signatureHeader: 'header with the signature of a delivery',
  tokenHeader: 'header with the token of a delivery',
  signatureForm: 'what is signed: body, timestamp or any (gap 7)',
  signatureTolerance: 'greatest age of a timestamp: 5m, or none (gap 7)',
  preApproveIdField: 'evaluation field with the pre-approval id (gap 1)',
  projectField: 'subscription field with the project id (gap 9)',
  currency: 'currency sign before amounts (gap 19)',
  database: 'PostgreSQL database of the inbox: postgres://…',
  'paths.evaluationByLead': 'path of the evaluation of a lead (gap 14)',
  'paths.leads': 'path of the lead list (gap 14)',
  'paths.lead': 'path of lead details (gap 14)',
  'bodies.verification': 'body of `bnpl verify`: form or json (gap 10)',
  'bodies.registration': 'body of `bnpl webhooks add`: form or json (gap 10)',
  'bodies.subscription': 'body of `bnpl webhooks subscribe`: form, json (gap 10)',
  'bodies.eventTypes': 'events: brackets, repeated, indexed or comma (gap 27)',
  notYet: 'answers meaning “no loan yet”: 404,422,empty (gap 21)',
  widgetPreApproveId: 'send preApproveId with a widget session: yes or no',
  rateLimit: 'most calls of a run over a file: 100/1m (gap 17)',
  entities: 'whether the service has entities: yes or no (gap 51)',
  'paths.entities': 'path of the list of entities (gap 51)',
  'paths.entity': 'path of a change of an entity (gap 51)',
  cancel: 'whether `bnpl cancel` has its call: yes or no (gap 50)',
  cancelledState: 'state of a loan that was cancelled (gap 50)',
  language: `language of the texts for people: ${LANGUAGES.join(', ')}`,
} as const

/** The stored settings of a merchant's account. Secrets are stored here (file mode 0600) or in the keyring. */
export interface Profile
  extends Partial<Record<Exclude<keyof typeof PROFILE_SETTINGS, 'environment' | 'baseUrl'>, string>> {
  environment: 'beta' | 'production'
  baseUrl: string
  apiKey?: string
  /** The origin for which the key was stored. The key is never sent to another origin, even after the address was changed. */
  apiKeyOrigin?: string
  /** The keyring's entry that contains the key; undefined if the key is not in the keyring. */
  apiKeyEntry?: string
  /** The secrets of the webhook destinations, newest first; at most ten. */
  webhookSecrets?: string[]
}

/** Says what a “gap” in `PROFILE_SETTINGS` is, for help texts. */
export const GAP_HELP = [
  'A gap is something that the specification does not show. List the gaps with:',
  'bnpl contract gaps',
] as const

/** Returns why a text is not a valid profile name; undefined when it is valid. */
export function profileNameProblem(name: string): string | undefined {
  if (name.toLowerCase() === SANDBOX) return `“${SANDBOX}” always means the sandbox of this machine`
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)
    ? undefined
    : 'a name consists of letters, digits, “.”, “_” and “-”, begins with a letter or a digit, and has at most 64 characters'
}

export const MAX_SECRET_BYTES = 65_536

/**
 * Returns why a public key is not valid. It is part of the payment page's address, so a secret key must not be used as the public key.
 * @param apiKey the API key of the same account
 */
export function publicKeyProblem(value: string, apiKey?: string): string | undefined {
  return value === apiKey || /^\s*sk[_-]|secret/i.test(value)
    ? 'it looks like a secret key, but the public key is visible to everybody'
    : undefined
}

/** Returns why a public key cannot be part of the payment page's address; undefined if it can. */
export function publicKeyFormProblem(value: string): string | undefined {
  const read = readSecretText(value, 'key')
  return read.ok ? undefined : `it ${read.reason}`
}
