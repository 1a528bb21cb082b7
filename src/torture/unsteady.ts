import { type Place, placeName } from './place.ts'

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
