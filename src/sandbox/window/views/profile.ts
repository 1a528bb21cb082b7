import { profileOf, SANDBOX } from '../../../domain/sandbox-accounts.ts'
import { asPartner, findPartner } from '../../store/partners.ts'
import type { Db } from '../../store/tables.ts'

/** The profile that means the account of this name; the BNPL one where nobody was known. */
export async function profileFor(db: Db, name: string | null): Promise<string> {
  const partner = name === null ? undefined : await findPartner(db, 'name', name)
  return (partner && profileOf(asPartner(partner))) ?? SANDBOX
}
