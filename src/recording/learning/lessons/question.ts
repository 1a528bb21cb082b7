import type { EndpointName } from '../../../contract/endpoints.ts'
import { isRefusal } from '../refusals.ts'
import type { Evidence, SeenCall, Sightings } from '../sightings.ts'
import type { LearntManner } from '../whole-manner.ts'

/** What is known of a service when its gaps are asked for. */
export interface Known extends LearntManner {
  seen: Sightings
}

/** The answer to a question. */
export interface Answered {
  answer: string
  evidence: readonly Evidence[]
  /** The setting of a profile that makes this program do as the service does. */
  setting?: { name: string; value: string }
}

/** A gap as a question, with the way to its answer. `command` is one whose recording can answer it, or that helps otherwise. */
export type GapQuestion =
  | { question: string; find(known: Known): Answered | readonly (Answered | undefined)[] | undefined; command: string }
  | { question: string; why: string; command?: string }

/** The exchanges of a call that succeeded. */
export const successesOf = ({ seen }: Known, name: EndpointName): SeenCall[] =>
  seen.calls.filter((call) => call.name === name && !isRefusal(name, call))

/** The exchanges of a call that were refused. */
export const refused = ({ seen }: Known, name: EndpointName): SeenCall[] =>
  seen.calls.filter((call) => call.name === name && isRefusal(name, call))

/** How many lines are named as evidence. */
const MOST_LINES = 4

/** The lines of exchanges or deliveries, the first ones. */
const linesOf = (items: readonly { evidence: Evidence }[]): Evidence[] =>
  items
    .map(({ evidence }) => evidence)
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .slice(0, MOST_LINES)

/** A finding, unless there is nothing that shows it. */
export const finding = (
  answer: string,
  items: readonly { evidence: Evidence }[],
  setting?: Answered['setting'],
): Answered | undefined =>
  items.length === 0 || answer === '' ? undefined : { answer, evidence: linesOf(items), ...(setting && { setting }) }

/** Items without repetition, joined. */
export const joined = (items: readonly (string | number)[], between = ', '): string => [...new Set(items)].join(between)

/** The status and the code of a refusal, as a service wrote it. */
export const statusAndCode = (status: number, code: string | undefined): string =>
  code === undefined ? `${status} without a code` : `${status} ${code}`
