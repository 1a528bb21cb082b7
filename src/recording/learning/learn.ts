import type { OwnPaths } from '../../contract/endpoints.ts'
import type { GapNumber } from '../../contract/gaps.ts'
import type { Manner } from '../../contract/manner.ts'
import type { Entry } from '../entries.ts'
import { type Evidence, gatherer, newSightings } from './sightings.ts'
import { mannerOf } from './whole-manner.ts'

/** An entry with the place where it is. */
export interface ReadEntry extends Evidence {
  entry: Entry
}

/** A question that the specification leaves open, with the answer of a recorded service. */
export interface Lesson {
  gap: GapNumber
  question: string
  answer: string
  /** Lines that show it: not all, the first ones. */
  evidence: readonly Evidence[]
  /** The setting of a profile that makes this program do as the service does; null if there is none. */
  setting: { name: string; value: string } | null
}

/** A question that the recordings do not answer. */
export interface Unanswered {
  gap: GapNumber
  question: string
  /** Why no recording could answer it; absent if another recording could. */
  why?: string
  /** A command whose recording would answer it, or that helps otherwise. */
  command?: string
}

/** What recordings teach about a service. */
export interface Learnt {
  lessons: readonly Lesson[]
  unanswered: readonly Unanswered[]
  manner: Manner
}

/**
 * Learns from recorded entries how a service answers. It guesses nothing: what no entry shows is absent. Memory does not grow with the
 * number of entries.
 * @param paths the paths of the service where the specification shows none
 */
export async function learn(
  entries: AsyncIterable<ReadEntry> | Iterable<ReadEntry>,
  paths: OwnPaths = {},
): Promise<Learnt> {
  const seen = newSightings()
  const add = gatherer(seen, paths)
  for await (const { entry, file, line } of entries) add(entry, { file, line })
  const { manner } = mannerOf(seen)
  return { lessons: [], unanswered: [], manner }
}
