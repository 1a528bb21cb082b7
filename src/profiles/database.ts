import { config, usage } from '../errors.ts'
import { type DatabaseAddress, describeDatabase, parseDatabaseAddress } from '../postgres/address.ts'
import type { Env, NamedDatabase } from './environment.ts'

/** Returns the address of a database for display, without its password. */
export function shownDatabase(text: string): string {
  const parsed = parseDatabaseAddress(text)
  return parsed.ok ? describeDatabase(parsed.address) : 'not an address of a database'
}

/**
 * Returns the address of a database and its password. The password is `passwordInFile`. If this is undefined, the password comes from
 * BNPL_DATABASE_PASSWORD, BNPL_DATABASE or PGPASSWORD, in this order. Throws `usage` or `config` for an address that is not valid, or that
 * contains a password where others can read it.
 */
export function wayToDatabase(
  { text, source }: NamedDatabase,
  env: Env,
  passwordInFile?: string,
): { address: DatabaseAddress; password: string | undefined } {
  const complain = source === '--database' ? usage : config
  const parsed = parseDatabaseAddress(text)
  if (!parsed.ok)
    throw complain(`the database address of ${source} is not valid: ${parsed.reason}`, undefined, 'BAD_DATABASE')
  if (parsed.password !== undefined && source !== 'BNPL_DATABASE') {
    throw complain(
      `the address of ${source} contains a password, which other users may have read`,
      'Change the password, and use an address without a password. Set the new password in BNPL_DATABASE_PASSWORD or PGPASSWORD, or use --database-password-file FILE.',
      'PASSWORD_IN_ADDRESS',
    )
  }
  const password = passwordInFile ?? (env.BNPL_DATABASE_PASSWORD || parsed.password || env.PGPASSWORD || undefined)
  return { address: parsed.address, password }
}
