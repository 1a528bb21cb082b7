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

export const SNAPSHOT_ENDING = '.db'

/** The name of the snapshot with which `bnpl sandbox changes` compares the sandbox, unless the user names another one. */
export const MARK = 'mark'

export function isSnapshotName(text: string): boolean {
  return /^[\w][\w.-]{0,99}$/.test(text) && !text.endsWith(SNAPSHOT_ENDING)
}

/** Returns the name of the snapshot in a file; undefined if the name of the file is not that of a snapshot. */
export function snapshotNameOf(file: string): string | undefined {
  return file.endsWith(SNAPSHOT_ENDING) ? file.slice(0, -SNAPSHOT_ENDING.length) : undefined
}
