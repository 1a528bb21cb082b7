import { ENDPOINT_NAMES, endpointOf } from '../../contract/endpoints.ts'
import { drawFrom } from '../../domain/drawing.ts'
import type { FaultPlace } from '../store/harm.ts'
import type { CallFact } from './facts.ts'
import { isOfPlace, PART_OF, TORTURES, type Torture } from './fault-table.ts'
import { type Part, type Place, placeName, readPlace } from './place.ts'

/** One run of the command: one fault at one place. */
export interface Run {
  /** `cut-after@evaluate.1`: names it in `--run`. */
  id: string
  torture: Torture
  place: Place
}

interface Choice {
  only: readonly Part[]
  seed: number
  /** Runs at most; undefined for all. */
  limit: number | undefined
  /** Whether the shop's orders can be read. */
  hasOrders: boolean
  /** Whether the torture starts the shop's server, so that it can kill it. */
  hasServer: boolean
}

/** Places of a repeatable call for each transaction: of a shop that asks at two occasions, such as the return and the event, and of one that polls. */
const [OF_OCCASIONS, OF_POLLS] = [2, 4]

/**
 * The places of a first run, grouped by name and each once. How often a shop repeats a call that may be repeated depends on the moment (it
 * polls, or an event arrives before the customer), so these calls have a number of places that only the transactions decide, and whether it
 * polls: the next first run then has the same plan. A run whose place is not reached finds nothing.
 */
export function steadyPlaces(
  seen: readonly Place[],
  calls: readonly Pick<CallFact, 'name' | 'externalTrxId'>[],
): Place[] {
  const most = new Map<FaultPlace, number>()
  for (const { name, nth } of seen) most.set(name, Math.max(nth, most.get(name) ?? 0))
  return [...most].flatMap(([name, count]) => {
    const places = isRepeatable(name) ? steadyCount(calls.filter((call) => call.name === name)) : count
    return Array.from({ length: places }, (_, at) => ({ name, nth: at + 1 }))
  })
}

function steadyCount(calls: readonly Pick<CallFact, 'externalTrxId'>[]): number {
  const ofEach = Map.groupBy(calls, ({ externalTrxId }) => externalTrxId)
  const polls = [...ofEach.values()].some(({ length }) => length > OF_OCCASIONS)
  return ofEach.size * (polls ? OF_POLLS : OF_OCCASIONS)
}

/** Whether a first run, which came to `places`, may come to another place in the next run: a repeatable call that it made may be made more often. */
export const mayReach = (places: readonly Place[], { name, nth }: Place): boolean =>
  places.some((place) => place.name === name && (place.nth === nth || isRepeatable(name)))

function isRepeatable(name: FaultPlace): boolean {
  const endpoint = ENDPOINT_NAMES.find((each) => each === name)
  return endpoint !== undefined && endpointOf(endpoint).repeat === 'safe'
}

/** Every place with every fault of its kind, in the order of the places; a sample of them where a limit is given. */
export function planRuns(places: readonly Place[], { only, seed, limit, hasOrders, hasServer }: Choice): Run[] {
  const all = places.flatMap((place) =>
    TORTURES.filter((torture) => isOfPlace(torture, place) && only.includes(PART_OF[torture.sort]))
      .filter(({ sort }) => (hasOrders || sort !== 'orders') && (hasServer || sort !== 'restart'))
      .map((torture) => runOf(torture, place)),
  )
  if (limit === undefined || limit >= all.length) return all
  const chosen = new Set(shuffled(all, drawFrom(seed)).slice(0, limit))
  return all.filter((run) => chosen.has(run))
}

/** The run that an id names; undefined when no fault and place are of that name. */
export function readRun(id: string): Run | undefined {
  const [fault = '', where = ''] = id.split('@')
  const place = readPlace(where)
  const torture = TORTURES.find((each) => each.id === fault)
  return place && torture && isOfPlace(torture, place) ? runOf(torture, place) : undefined
}

const runOf = (torture: Torture, place: Place): Run => ({ id: `${torture.id}@${placeName(place)}`, torture, place })

function shuffled<Item>(items: readonly Item[], draw: () => number): Item[] {
  const mixed = [...items]
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(draw() * (at + 1))
    const [one, two] = [mixed[at], mixed[other]]
    if (one === undefined || two === undefined) break
    mixed[at] = two
    mixed[other] = one
  }
  return mixed
}
