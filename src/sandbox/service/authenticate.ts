import type { EndpointName } from '../../contract/endpoints.ts'
import { findPartner } from '../store/partners.ts'
import type { Db, PartnerRow } from '../store/tables.ts'
import { Refusal } from './refusal.ts'

/** The partner whose key a call carries. Throws a `Refusal`: 401 (400 on the informe endpoint, as specified), 403 when inactive. */
export async function authenticate(
  db: Db,
  endpoint: EndpointName,
  authorization: string | undefined,
): Promise<PartnerRow> {
  const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  const partner = key === undefined ? undefined : await findPartner(db, 'apiKey', key)
  if (partner === undefined) {
    const message =
      key === undefined ? 'the API key is missing: send Authorization: Bearer <API_KEY>' : 'the API key is not known'
    throw new Refusal(endpoint === 'getInforme' ? 400 : 401, 'ERR_UNAUTHORIZED', message)
  }
  if (partner.active !== 1) throw new Refusal(403, 'ERR_PARTNER_INACTIVE', 'the partner is inactive')
  return partner
}
