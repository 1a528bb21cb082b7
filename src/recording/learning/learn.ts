import type { OwnPaths } from '../../contract/endpoints.ts'
import { GAPS, type GapNumber } from '../../contract/gaps.ts'
import type { Manner } from '../../contract/manner.ts'
import type { Entry } from '../entries.ts'
import { type Fidelity, fidelityOf } from './fidelity.ts'
import type { Known } from './lessons/question.ts'
import { QUESTIONS } from './lessons/questions.ts'
import { type Evidence, gatherer, newSightings } from './sightings.ts'
import { mannerOf } from './whole-manner.ts'

interface ReadEntry extends Evidence {
  entry: Entry
}

/** A question that the specification leaves open, with the answer of a recorded service. */
export interface Lesson {
  gap: GapNumber
  question: string
  answer: string
  evidence: readonly Evidence[]
  /** The profile setting that makes this program behave as the service does; null if there is none. */
  setting: { name: string; value: string } | null
}

export interface Unanswered {
  gap: GapNumber
  question: string
  /** Why no recording can answer the question; left out if a further recording can. */
  why?: string
  /** A command that can record the answer, or that helps in another way. */
  command?: string
}

export interface Learnt {
  lessons: readonly Lesson[]
  unanswered: readonly Unanswered[]
  manner: Manner
  /** How closely the sandbox resembles the service, without (`own`) and with (`learnt`) the behaviour that was learnt. */
  fidelity: { own: readonly Fidelity[]; learnt: readonly Fidelity[] }
}

/**
 * Learns from recorded entries how a service answers. A fact that no entry shows is left out. Memory does not grow with the number of
 * entries.
 * @param paths the paths of the calls for which the specification shows no path
 */
export async function learn(
  entries: AsyncIterable<ReadEntry> | Iterable<ReadEntry>,
  paths: OwnPaths = {},
): Promise<Learnt> {
  const seen = newSightings()
  const add = gatherer(seen, paths)
  for await (const { entry, file, line } of entries) add(entry, { file, line })
  const learnt = mannerOf(seen)
  const { manner } = learnt
  const fidelity = { own: fidelityOf(seen), learnt: fidelityOf(seen, manner) }
  return { ...lessonsOf({ ...learnt, seen }), manner, fidelity }
}

function lessonsOf(known: Known): Pick<Learnt, 'lessons' | 'unanswered'> {
  const lessons: Lesson[] = []
  const unanswered: Unanswered[] = []
  for (const { number: gap } of GAPS) {
    const asked = QUESTIONS[gap]
    const { question } = asked
    if (!('find' in asked)) {
      unanswered.push({ gap, question, why: asked.why, ...(asked.command && { command: asked.command }) })
      continue
    }
    const found = [asked.find(known)].flat().filter((each) => each !== undefined)
    if (found.length === 0) unanswered.push({ gap, question, command: asked.command })
    for (const { answer, evidence, setting } of found)
      lessons.push({ gap, question, answer, evidence, setting: setting ?? null })
  }
  return { lessons, unanswered }
}
