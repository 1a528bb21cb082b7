import { ENDPOINT_NAMES, type EndpointName } from '../../contract/endpoints.ts'
import type { CallManner, Manner } from '../../contract/manner.ts'
import { type LearntAnswer, learnAnswer } from './answers.ts'
import { cluesOf } from './clues.ts'
import { type LearntDeliveries, learnDeliveries } from './deliveries.ts'
import { isRefusal, learnRefusals } from './refusals.ts'
import type { Sightings } from './sightings.ts'

export interface LearntManner {
  manner: Manner
  answers: ReadonlyMap<EndpointName, LearntAnswer>
  deliveries: LearntDeliveries
}

/** Returns how a service behaves, from what recordings show. */
export function mannerOf(seen: Sightings): LearntManner {
  const clues = cluesOf(seen.calls)
  const answers = new Map<EndpointName, LearntAnswer>()
  const calls: Partial<Record<EndpointName, CallManner>> = {}
  for (const name of ENDPOINT_NAMES) {
    const own = seen.calls.filter((call) => call.name === name)
    if (own.length === 0) continue
    const successes = own.filter((call) => !isRefusal(name, call))
    const refusals = learnRefusals(name, own, seen.calls)
    const answer = successes.length === 0 ? undefined : learnAnswer(name, successes, clues)
    if (answer !== undefined) answers.set(name, answer)
    const duration = seen.durations.get(name)
    calls[name] = {
      seen: own.length,
      ...(answer && { success: answer.manner }),
      ...(Object.keys(refusals).length > 0 && { refusals }),
      ...(duration && { ms: spread(duration.ms) }),
    }
  }
  const deliveries = learnDeliveries(seen, clues)
  const manner = {
    learnt: { from: seen.from, to: seen.to, exchanges: seen.exchanges, deliveries: seen.delivered },
    calls,
    ...(deliveries.manner && { deliveries: deliveries.manner }),
  }
  return { manner, answers, deliveries }
}

function spread(times: readonly number[]): { middle: number; longest: number } {
  const sorted = [...times].sort((a, b) => a - b)
  return { middle: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 }
}
