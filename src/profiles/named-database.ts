/** A database as somebody named it. */
export interface NamedDatabase {
  text: string
  /** `--database`, `BNPL_DATABASE`, or `profile NAME`. */
  source: string
}

export type Env = Readonly<Record<string, string | undefined>>

/** The one that the environment names, unread: every command looks for it, and few have to understand it. */
export function databaseInEnvironment({ BNPL_DATABASE: text }: Env): NamedDatabase | undefined {
  return text ? { text, source: 'BNPL_DATABASE' } : undefined
}
