import type { EndpointName } from '../../contract/endpoints.ts'
import type { Clues } from './pairing.ts'
import type { SeenCall } from './sightings.ts'

/** For each call: some fields of its request, and for each of them the answer fields with the same value. */
const ASKED: Partial<Record<EndpointName, Readonly<Record<string, readonly string[]>>>> = {
  evaluate: { externalTrxId: ['externalTrxId'] },
  select: { preApproveId: ['preApproveId', 'idPreAprobacion'], externalTrxId: ['externalTrxId'] },
  startWidget: { externalTrxId: ['externalTrxId'] },
  getInforme: { preApproveId: ['preApproveId', 'idPreAprobacion'] },
  verifyLoan: { externalTrxId: ['externalTrxId'] },
  deleteWebhook: { id: ['id'] },
  evaluationByLead: { leadId: ['leadId'] },
  getLead: { leadId: ['leadId'] },
}

/** A value with fewer characters is more likely a count than an id. */
const SHORTEST = 4

/**
 * Returns what requests show about values in answers. For example, if a request sends an id as `preApproveId`, the same id in an answer is
 * a `preApproveId` too, whatever the name of its field is.
 */
export function cluesOf(calls: readonly SeenCall[]): Clues {
  const known = new Map<string, Set<string>>()
  for (const { name, params, asked, status } of calls) {
    if (name === undefined || status >= 300) continue
    for (const [field, names] of Object.entries(ASKED[name] ?? {})) {
      const value = asked[field] ?? params[field]
      if (typeof value !== 'string' || value.length < SHORTEST || value.startsWith('(')) continue
      const meant = known.get(value) ?? new Set()
      for (const each of names) meant.add(each)
      known.set(value, meant)
    }
  }
  return (value) => (typeof value === 'string' || typeof value === 'number' ? known.get(String(value)) : undefined)
}
