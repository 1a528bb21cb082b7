import { answerProblem, FIELD_NAMES, FIELDS, type FieldName } from '../contract/description.ts'
import { LESSONS, learnRetries, type Seen, type Told } from './lessons.ts'
import type { Evidence, RecordedLine } from './lines.ts'

/** One question that recordings answer. */
export interface LearntAnswer {
  field: FieldName
  gap: number | null
  answer: string
  /** Some of the lines that show the answer, the first first. */
  evidence: readonly Evidence[]
}

export interface Learnt {
  exchanges: number
  deliveries: number
  answers: readonly LearntAnswer[]
}

const MOST_EVIDENCE = 5

/** Different answers to one question. A recording from elsewhere could contain any number of them. */
const MOST_ANSWERS = 64

interface Votes {
  count: number
  evidence: Evidence[]
}

/**
 * Learns from recordings how a service answers the open questions. If lines differ, the answer of most lines is taken. If an answer is a
 * list, such as the states of a loan, it contains every part that a line shows. The memory that is used does not depend on the length of
 * the recordings.
 */
export async function learn(lines: AsyncIterable<RecordedLine>): Promise<Learnt> {
  const votes = new Map<FieldName, Map<string, Votes>>()
  const tell = (field: FieldName, answer: string, ...evidence: readonly Evidence[]) => {
    if (answerProblem(field, answer) !== undefined) return
    const answers = votes.get(field) ?? new Map<string, Votes>()
    votes.set(field, answers)
    const known = answers.get(answer) ?? { count: 0, evidence: [] }
    if (!answers.has(answer) && answers.size >= MOST_ANSWERS) return
    answers.set(answer, known)
    known.count += evidence.length
    known.evidence.push(...evidence.slice(0, MOST_EVIDENCE - known.evidence.length))
  }
  const counts = { exchanges: 0, deliveries: 0 }
  const lessons = LESSONS.map((lesson) => lesson())
  const retries = learnRetries()
  for await (const { file, line, entry } of lines) {
    if (entry.kind !== 'exchange' && entry.kind !== 'delivery') continue
    counts[entry.kind === 'exchange' ? 'exchanges' : 'deliveries']++
    const here = { file, line }
    const told: Told = (field, answer, at = here) => {
      if (answer !== undefined) tell(field, String(answer), at)
    }
    for (const lesson of lessons) lesson({ entry, here } satisfies Seen, told)
    if (entry.kind === 'delivery') retries.add(entry, here)
  }
  for (const { field, answer, evidence } of retries.answers()) tell(field, answer, ...evidence)
  return { ...counts, answers: FIELD_NAMES.flatMap((field) => answerOf(field, votes.get(field))) }
}

/** Fields whose answer is a list of everything that was seen. */
const LISTS: readonly FieldName[] = ['steps', 'loanStates', 'installmentStates', 'installmentOptions', 'notYet']

function answerOf(field: FieldName, votes: ReadonlyMap<string, Votes> | undefined): LearntAnswer[] {
  const sorted = [...(votes ?? [])].sort(([, a], [, b]) => b.count - a.count)
  const [best] = sorted
  if (best === undefined) return []
  const { gap } = FIELDS[field]
  if (!LISTS.includes(field)) return [{ field, gap, answer: best[0], evidence: best[1].evidence }]
  const items = sorted.map(([item]) => item)
  const numbers = field === 'installmentOptions' ? items.sort((a, b) => Number(a) - Number(b)) : items
  const all = sorted.flatMap(([, each]) => each.evidence.slice(0, 1))
  const evidence = all.filter((each, i) => all.indexOf(each) === i).slice(0, MOST_EVIDENCE)
  return [{ field, gap, answer: numbers.join(','), evidence }]
}
