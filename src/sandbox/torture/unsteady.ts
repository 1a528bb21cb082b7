import { type Place, placeName } from './place.ts'

/** A place that the shop came to in one run and not in another one, because it does not always make the same number of calls. */
export interface Unsteady {
  /** Its name, such as `verifyLoan.3`. */
  place: string
  /** Runs with a fault at this place. */
  runs: number
  /** Those of them in which the shop did not come to it, so that the fault met nothing. */
  missed: number
}

/**
 * Finds the places that come and go.
 * @param first the places of the run without a fault
 * @param made the place of each run with a fault, and whether the shop came to it
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
