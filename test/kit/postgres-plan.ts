import { parseDatabaseAddress } from '../../src/postgres/address.ts'
import type { DatabasePlan } from '../../src/postgres/pool.ts'

/** Returns a database's address in the form in which the program's own functions take it. */
export function planOf(url: string, password?: string): DatabasePlan {
  const parsed = parseDatabaseAddress(url)
  if (!parsed.ok) throw new Error(parsed.reason)
  return { address: parsed.address, password: password ?? parsed.password }
}
