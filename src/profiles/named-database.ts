/** The address of a database, as it was given. */
export interface NamedDatabase {
  text: string
  /** `--database`, `BNPL_DATABASE`, or `profile NAME`. */
  source: string
}

export type Env = Readonly<Record<string, string | undefined>>

/** The database that the environment names. Its address is not parsed here, because few of the commands that ask need it parsed. */
export function databaseInEnvironment({ BNPL_DATABASE: text }: Env): NamedDatabase | undefined {
  return text ? { text, source: 'BNPL_DATABASE' } : undefined
}
