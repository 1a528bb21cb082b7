import type { EndpointName } from '../../contract/endpoints.ts'
import type { Clues } from './pairing.ts'
import type { SeenCall } from './sightings.ts'

/** Fields of the contract that requests carry, by the call: the name in the request, and the names that the same fact has in answers. */
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

/** Shorter values are rather counts than ids. */
const SHORTEST = 4

/**
 * What the values of requests tell about the same values in answers: an id that a later call takes as `preApproveId` is one, under
 * whatever name an answer has it. Only requests that succeeded count.
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
