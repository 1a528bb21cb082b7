import { BnplError } from '../../errors.ts'
import type { SandboxPartner } from '../../sandbox/link.ts'

/** The variables that make a program use a sandbox as its BNPL partner account. */
export function sandboxEnvironment(served: {
  baseUrl: string
  paymentUrl: string
  partners: readonly SandboxPartner[]
}): Record<string, string> {
  const partner = served.partners.find(({ product, active }) => product === 'bnpl' && active)
  if (partner === undefined) throw new BnplError('config', 'the sandbox has no BNPL partner', { code: 'SANDBOX_DATA' })
  return {
    BNPL_BASE_URL: served.baseUrl,
    BNPL_PAYMENT_URL: served.paymentUrl,
    BNPL_API_KEY: partner.apiKey,
    BNPL_PUBLIC_KEY: partner.publicKey,
    BNPL_ENTITY_ID: partner.entityId,
  }
}
