import { drawFrom } from '../domain/drawing.ts'
import { DELIVERY, type FaultPlace, PAGE_VISIT } from '../sandbox/store/fault-effect.ts'
import type { CallFact } from './facts.ts'
import {
  isLate,
  isOfPlace,
  isSamePlace,
  type Part,
  type Place,
  partOf,
  placeName,
  readPlace,
  repeatOf,
  TORTURES,
  type Torture,
  tortureOf,
} from './fault-table.ts'

export interface Run {
  /** The name of the run for `--run`, such as `cut-after@evaluate.1`. */
  id: string
  torture: Torture
  place: Place
}

interface Choice {
  only: readonly Part[]
  seed: number
  /** The maximum number of runs; undefined for all. */
  limit: number | undefined
  /** The commands of the shop. A fault whose sort has the name of a missing command cannot be tried. */
  shop: Readonly<Record<'orders' | 'restart' | 'settle', string | undefined>>
}

/**
 * If a call is safe to repeat, faults are tried on this number of calls for each transaction: 2 for a shop that makes the call on two
 * occasions (such as the customer's return and the event), 4 for a shop that polls.
 */
const [OF_OCCASIONS, OF_POLLS] = [2, 4]

/**
 * Returns the places to test. How often a shop repeats a call is partly chance. For a repeatable call, the number of places is therefore
 * computed from the number of transactions, so that the plan is the same every time.
 */
export function steadyPlaces(seen: readonly Place[], calls: readonly NamedCall[]): Place[] {
  const most = new Map<FaultPlace, number>()
  for (const { name, nth } of seen) most.set(name, Math.max(nth, most.get(name) ?? 0))
  return [...most].flatMap(([name, count]) => {
    const places = isRepeatable(name) ? steadyCount(calls, name) : count
    return Array.from({ length: places }, (_, at) => ({ name, nth: at + 1 }))
  })
}

/**
 * Whether the place of a fault is a further call about a transaction that one call is enough for. Whether the shop makes it depends on which
 * comes first, for example the event or the customer.
 * @param calls the calls of the run without a fault
 */
export const isFurtherCall = ({ place: { name, nth } }: Pick<Run, 'place'>, calls: readonly NamedCall[]): boolean =>
  isRepeatable(name) && nth > transactionsOf(calls, name).size

/**
 * Whether chance decides if a run reaches the place of its fault: at a further call, and for a late event, which reaches a shop that ends
 * with its test only if the test still runs.
 * @param calls the calls of the run without a fault
 */
export const isByChance = (run: Run, calls: readonly NamedCall[], shop: Pick<Choice['shop'], 'restart'>): boolean =>
  isLate(run.torture) ? shop.restart === undefined : isFurtherCall(run, calls)

type NamedCall = Pick<CallFact, 'name' | 'externalTrxId'>

const transactionsOf = (calls: readonly NamedCall[], name: FaultPlace) =>
  Map.groupBy(
    calls.filter((call) => call.name === name),
    ({ externalTrxId }) => externalTrxId,
  )

function steadyCount(calls: readonly NamedCall[], name: FaultPlace): number {
  const ofEach = transactionsOf(calls, name)
  // A shop that cancels a loan verifies it on more occasions.
  const cancels = calls.some((call) => call.name === 'cancelLoan')
  const polls = cancels || [...ofEach.values()].some(({ length }) => length > OF_OCCASIONS)
  return ofEach.size * (polls ? OF_POLLS : OF_OCCASIONS)
}

/**
 * Whether a later run can reach a place, because the first run reached it. For a call that is safe to repeat, it is enough that the first
 * run made this call at all, even if less often than `nth`.
 */
export const mayReach = (places: readonly Place[], wanted: Place): boolean =>
  places.some((place) => isSamePlace(place, wanted) || (place.name === wanted.name && isRepeatable(wanted.name)))

const isRepeatable = (name: FaultPlace): boolean => repeatOf(name) === 'safe'

/** Returns the runs for all faults at all places where they can be used. With a limit, returns only a sample of these runs. */
export function planRuns(places: readonly Place[], { only, seed, limit, shop }: Choice): Run[] {
  const all = places.flatMap((place) =>
    TORTURES.filter((torture) => isOfPlace(torture, place) && only.includes(partOf(torture, place)))
      .filter(({ sort }) => (sort !== 'orders' && sort !== 'restart' && sort !== 'settle') || shop[sort] !== undefined)
      .map((torture) => runOf(torture, place)),
  )
  if (limit === undefined || limit >= all.length) return all
  const chosen = new Set(inRounds(all, drawFrom(seed)).slice(0, limit))
  return all.filter((run) => chosen.has(run))
}

/** The endpoints at which a fault is tried first, because shops make most mistakes there. */
const FIRST_TRIED: readonly FaultPlace[] = [
  'evaluate',
  'verifyLoan',
  'cancelLoan',
  'startWidget',
  'select',
  'registerWebhook',
]

/**
 * Faults that are tried first at another endpoint. During an outage, most shops lose an order when they verify it. A shop that repeats calls
 * without a clear answer may do so only at the start of the widget, or only at the selection. A refund that was not carried out is tried early.
 */
const BEGIN_AT: Readonly<Record<string, FaultPlace>> = {
  outage: 'verifyLoan',
  'empty-body': 'startWidget',
  'broken-body': 'select',
  'cut-before': 'cancelLoan',
}

/** Places at which a fault shows other mistakes than where it is tried first. These are tried right after the first round. */
const ALSO_AT: Readonly<Record<string, readonly FaultPlace[]>> = {
  outage: ['cancelLoan'],
  killed: ['verifyLoan', DELIVERY, PAGE_VISIT],
}

const isAlsoTried = ({ torture, place: { name, nth } }: Run): boolean =>
  nth === 1 && (ALSO_AT[torture.id]?.includes(name) ?? false)

/**
 * Orders runs so that the first ones find most: in each round every fault is used once, at another endpoint than in the rounds before. Only
 * after all endpoints, a second call of the same endpoint is used. The draw decides the order of the faults in a round.
 */
function inRounds(runs: readonly Run[], draw: () => number): Run[] {
  const inOrder = runs.filter((run) => !isAlsoTried(run))
  const faults = [...Map.groupBy(inOrder, ({ torture }) => torture.id).values()].map((its) =>
    its.toSorted((a, b) => a.place.nth - b.place.nth || endpointRank(a) - endpointRank(b)),
  )
  const count = Math.max(0, ...faults.map(({ length }) => length))
  const [first = [], ...rounds] = Array.from({ length: count }, (_, round) => faults.flatMap((its) => its[round] ?? []))
  return [first, runs.filter(isAlsoTried), ...rounds].flatMap((round) => shuffled(round, draw))
}

function endpointRank({ torture, place }: Run): number {
  if (BEGIN_AT[torture.id] === place.name) return -1
  const at = FIRST_TRIED.indexOf(place.name)
  return at === -1 ? FIRST_TRIED.length : at
}

/** Returns the run that has the given id; undefined when the id does not name a fault and a place. */
export function readRun(id: string): Run | undefined {
  const [fault = '', where = ''] = id.split('@')
  const place = readPlace(where)
  const torture = tortureOf(fault)
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

/** A place that the shop reached in some runs only, because the shop does not always make the same number of calls. */
export interface Unsteady {
  place: string
  runs: number
  /** The number of runs in which the fault had no effect, because the shop did not reach the place. */
  missed: number
}

/**
 * Finds the places that are reached in some runs only.
 * @param first the places of the run without a fault
 * @param made the place of each run with a fault, and whether the shop reached it
 */
export function unsteadyPlaces(
  first: readonly Place[],
  made: readonly { place: Place; isReached: boolean }[],
): Unsteady[] {
  const seen = new Set(first.map(placeName))
  return [...Map.groupBy(made, ({ place }) => placeName(place))]
    .map(([place, runs]) => ({ place, runs: runs.length, missed: runs.filter(({ isReached }) => !isReached).length }))
    .filter(({ place, runs, missed }) => missed > 0 && (missed < runs || seen.has(place)))
}
