import { ENDPOINT_NAMES, type EndpointName, endpointOf } from './endpoints.ts'
import type { GapNumber } from './gaps.ts'
import type { Manner } from './manner.ts'

/** How well one call, or the deliveries, of a service are known. */
export interface Fidelity {
  name: EndpointName | 'deliveries'
  /** The exchanges, or the deliveries, that were recorded. */
  seen: number
  /** The gaps of the specification that concern it. */
  gaps: readonly GapNumber[]
  /** Those of them that recordings answered. */
  learnt: readonly GapNumber[]
}

/** Shape and codes of refusals, a wrong key, the content type. */
const OF_KEYED_CALLS: readonly GapNumber[] = [15, 16, 48]

/** A signature, fields, repetitions, content type, what counts as received, and the type of the id. */
const OF_DELIVERIES: readonly GapNumber[] = [7, 11, 12, 45, 47, 49]

/**
 * How well a service is known: for each call and for the deliveries, the gaps that concern them and those that recordings answered. A call
 * that was not recorded has none that are learnt.
 * @param answered the gaps that recordings answered
 */
export function fidelityOf({ calls, learnt }: Manner, answered: readonly GapNumber[]): Fidelity[] {
  const known = (gaps: readonly GapNumber[], seen: number) =>
    seen === 0 ? [] : gaps.filter((gap) => answered.includes(gap))
  const ofCalls = ENDPOINT_NAMES.map((name) => {
    const [seen, gaps] = [calls[name]?.seen ?? 0, gapsOf(name)]
    return { name, seen, gaps, learnt: known(gaps, seen) }
  })
  const { deliveries: seen } = learnt
  return [...ofCalls, { name: 'deliveries', seen, gaps: OF_DELIVERIES, learnt: known(OF_DELIVERIES, seen) }]
}

function gapsOf(name: EndpointName): GapNumber[] {
  const { auth, notShown } = endpointOf(name)
  const { requestFields = {}, answerFields = {}, statuses = {}, ...single } = notShown
  const own = [single, requestFields, answerFields, statuses].flatMap((each): GapNumber[] => Object.values(each))
  return [...new Set([...own, ...(auth === 'key' ? OF_KEYED_CALLS : [])])].sort((a, b) => a - b)
}
