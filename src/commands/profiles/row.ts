import { SANDBOX, SANDBOX_PROFILES } from '../../domain/sandbox-accounts.ts'
import type { Profile, ProfileFile } from '../../profiles/profile.ts'
import { findProfile } from '../../profiles/resolve.ts'
import { publicKeyProblem } from '../../profiles/secret.ts'
import { maskKey } from '../../text/masking.ts'

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

/** Returns the row of a stored profile. */
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
