import { isDescribed, type ServiceDescription } from '../../contract/description.ts'
import { BnplError } from '../../errors.ts'
import { databaseInEnvironment } from '../../profiles/environment.ts'
import type { SandboxPartner } from '../../sandbox/store/partners.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns the environment without the variables of a real account. Variables that `privateEnvironment` replaces may remain. PGPASSWORD is
 * removed only if it is the password of the database in BNPL_DATABASE, because otherwise the user's own program may need it.
 */
export function withoutAccount(env: Env): Env {
  const opensOurs = databaseInEnvironment(env) !== undefined && !env.BNPL_DATABASE_PASSWORD
  return {
    ...env,
    ...(opensOurs && { PGPASSWORD: undefined }),
    BNPL_PROFILE: undefined,
    BNPL_SERVICE: undefined,
    BNPL_WEBHOOK_SECRET: undefined,
    BNPL_DATABASE: undefined,
    BNPL_DATABASE_PASSWORD: undefined,
  }
}

interface Served {
  baseUrl: string
  paymentUrl: string
  partners: readonly SandboxPartner[]
  description?: ServiceDescription
}

/** Returns the variables that make a program use the BNPL account of a sandbox. */
export function sandboxEnvironment(served: Served): { BNPL_API_KEY: string } & Record<string, string> {
  const partner = served.partners.find(({ product, active }) => product === 'bnpl' && active)
  if (partner === undefined)
    throw new BnplError('config', 'the sandbox has no active BNPL account', { code: 'SANDBOX_DATA' })
  return {
    BNPL_BASE_URL: served.baseUrl,
    BNPL_PAYMENT_URL: served.paymentUrl,
    BNPL_API_KEY: partner.apiKey,
    BNPL_PUBLIC_KEY: partner.publicKey,
    BNPL_ENTITY_ID: partner.entityId,
  }
}

/**
 * Returns the variables for a private sandbox, with the secret that signs the deliveries to every destination of the account, and with the
 * description that the sandbox follows, so that `bnpl` inside the command follows it too.
 */
export async function privateEnvironment(served: Served): Promise<Record<string, string>> {
  const { listenerSecretOf } = await import('../../domain/sandbox-secret.ts')
  const env = sandboxEnvironment(served)
  const { description } = served
  return {
    ...env,
    BNPL_WEBHOOK_SECRET: listenerSecretOf(env.BNPL_API_KEY),
    ...(description && isDescribed(description) && { BNPL_SERVICE: description.name }),
  }
}
