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
