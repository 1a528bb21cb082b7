/** The profile name of the BNPL account of the sandbox on this machine. */
export const SANDBOX = 'sandbox'

export interface SandboxTraits {
  product: 'bnpl' | 'real-estate'
  evaluationModule: boolean
  active: boolean
}

/** The accounts of the sandbox by their profile names. A user's profile never has one of these names. */
export const SANDBOX_PROFILES: Readonly<Record<string, SandboxTraits>> = {
  [SANDBOX]: { product: 'bnpl', evaluationModule: false, active: true },
  [`${SANDBOX}:real-estate`]: { product: 'real-estate', evaluationModule: true, active: true },
  [`${SANDBOX}:no-module`]: { product: 'real-estate', evaluationModule: false, active: true },
  [`${SANDBOX}:inactive`]: { product: 'real-estate', evaluationModule: true, active: false },
}

/** Returns the sandbox account with this profile name; undefined if no sandbox account has this name. */
export function sandboxTraits(name: string | undefined): SandboxTraits | undefined {
  return name !== undefined && Object.hasOwn(SANDBOX_PROFILES, name) ? SANDBOX_PROFILES[name] : undefined
}

/** Returns the profile name of the sandbox account with the given traits; undefined if no sandbox account has them. */
export function profileOf(account: SandboxTraits): string | undefined {
  return Object.entries(SANDBOX_PROFILES).find(
    ([, { product, evaluationModule, active }]) =>
      product === account.product && active === account.active && evaluationModule === account.evaluationModule,
  )?.[0]
}
