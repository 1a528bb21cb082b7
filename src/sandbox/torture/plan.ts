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
}

/** Every place with every fault of its kind, in the order of the places; a sample of them where a limit is given. */
export function planRuns(places: readonly Place[], { only, seed, limit, hasOrders }: Choice): Run[] {
  const all = places.flatMap((place) =>
    TORTURES.filter((torture) => isOfPlace(torture, place) && only.includes(PART_OF[torture.sort]))
      .filter((torture) => hasOrders || torture.sort !== 'orders')
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

/** Numbers from 0 to 1, the same ones for the same seed: mulberry32. */
export function drawFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
