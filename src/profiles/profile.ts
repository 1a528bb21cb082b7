import { SANDBOX } from '../domain/sandbox-accounts.ts'

/** The stored settings of a merchant's account. Addresses are absolute. Secrets are stored here (file mode 0600) or in the keyring. */
export interface Profile {
  environment: 'beta' | 'production'
  baseUrl: string
  paymentUrl?: string
  apiKey?: string
  /** The origin for which the key was stored. The key is never sent to another origin, even after the address was changed. */
  apiKeyOrigin?: string
  /** The name of the keyring's entry that contains the key; undefined if the key is not in the keyring. */
  apiKeyEntry?: string
  publicKey?: string
  entityId?: string
  /** Secrets of the webhook receiver, newest first; two during a rotation. */
  webhookSecrets?: string[]
  hmacAlgorithm?: string
  hmacEncoding?: 'hex' | 'base64'
  /** The field of the evaluation's `data` that contains the pre-approval id (gap 1). */
  preApproveIdField?: string
  /** Name of the project field of a real-estate subscription (gap 9). */
  projectField?: string
  /** The currency sign before amounts (gap 19). */
  currency?: string
  /** Address of the PostgreSQL database of the inbox, without its password. */
  database?: string
  'paths.evaluationByLead'?: string
  'paths.leads'?: string
  'paths.lead'?: string
  /** Encoding of the body of a verification, `form` or `json` (gap 10). */
  'bodies.verification'?: string
  /** Encoding of the body of a BNPL registration, `form` or `json` (gap 10). */
  'bodies.registration'?: string
  /** Encoding of the body of a real-estate registration, `form` or `json` (gap 10). */
  'bodies.subscription'?: string
  /** How the list of events is written in a form (gap 27). */
  'bodies.eventTypes'?: string
  /** Answers to a verification that mean “no loan yet”: statuses and `empty`, separated by commas (gap 21). */
  notYet?: string
}

/** The format version of the profile file that this program reads and writes. */
export const PROFILE_VERSION = 1

export interface ProfileFile {
  version: typeof PROFILE_VERSION
  default?: string
  profiles: Record<string, Profile>
}

/** The settings that `bnpl profiles set` accepts, and their descriptions. */
export const PROFILE_SETTINGS = {
  environment: 'environment of the account: beta or production',
  baseUrl: 'base address of the service',
  paymentUrl: 'address of the hosted payment page',
  publicKey: 'public key for the payment page',
  entityId: 'merchant entity id',
  hmacAlgorithm: 'algorithm of webhook signatures (gap 7)',
  hmacEncoding: 'encoding of webhook signatures: hex or base64 (gap 7)',
  preApproveIdField: 'evaluation field with the pre-approval id (gap 1)',
  projectField: 'project field of a subscription (gap 9)',
  currency: 'currency sign before amounts (gap 19)',
  database: 'PostgreSQL database of the inbox: postgres://…',
  'paths.evaluationByLead': 'path of the evaluation of a lead (gap 14)',
  'paths.leads': 'path of the lead list (gap 14)',
  'paths.lead': 'path of lead details (gap 14)',
  'bodies.verification': 'body format of verify: form or json (gap 10)',
  'bodies.registration': 'body format of webhooks add: form or json (gap 10)',
  'bodies.subscription': 'body format of webhooks subscribe: form, json (gap 10)',
  'bodies.eventTypes': 'format of event lists: brackets, repeated, … (gap 27)',
  notYet: 'answers for “no loan yet”: 404,422,empty (gap 21)',
} as const satisfies Partial<Record<keyof Profile, string>>

/** Returns the reason why a text is not a valid profile name; undefined when it is valid. */
export function profileNameProblem(name: string): string | undefined {
  if (name.toLowerCase() === SANDBOX) return `“${SANDBOX}” always means the sandbox of this machine`
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)
    ? undefined
    : 'a name consists of letters, digits, “.”, “_” and “-”, begins with a letter or a digit, and has at most 64 characters'
}
