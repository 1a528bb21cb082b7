/** The name that always means the sandbox of this machine, with its BNPL partner's account. */
export const SANDBOX = 'sandbox'

/** What tells the accounts of the sandbox apart. */
export interface SandboxTraits {
  product: 'bnpl' | 'real-estate'
  evaluationModule: boolean
  active: boolean
}

/** The accounts of the sandbox, by the profile that stands for each. None of these names is ever a profile of the user's. */
export const SANDBOX_PROFILES: Readonly<Record<string, SandboxTraits>> = {
  [SANDBOX]: { product: 'bnpl', evaluationModule: false, active: true },
  [`${SANDBOX}:real-estate`]: { product: 'real-estate', evaluationModule: true, active: true },
  [`${SANDBOX}:no-module`]: { product: 'real-estate', evaluationModule: false, active: true },
  [`${SANDBOX}:inactive`]: { product: 'real-estate', evaluationModule: true, active: false },
}

/** The account of the sandbox that a profile's name stands for; undefined for every other name. */
export function sandboxTraits(name: string | undefined): SandboxTraits | undefined {
  return name !== undefined && Object.hasOwn(SANDBOX_PROFILES, name) ? SANDBOX_PROFILES[name] : undefined
}

/** The profile that means an account. */
export function profileOf(account: SandboxTraits): string | undefined {
  return Object.entries(SANDBOX_PROFILES).find(
    ([, { product, evaluationModule, active }]) =>
      product === account.product && active === account.active && evaluationModule === account.evaluationModule,
  )?.[0]
}
