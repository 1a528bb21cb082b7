import type { EndpointName } from '../../../contract/endpoints.ts'
import { isRefusal } from '../refusals.ts'
import type { Evidence, SeenCall, Sightings } from '../sightings.ts'
import type { LearntManner } from '../whole-manner.ts'

export interface Known extends LearntManner {
  seen: Sightings
}

export interface Answered {
  answer: string
  evidence: readonly Evidence[]
  setting?: { name: string; value: string }
}

/**
 * A gap of the specification, as a question. `find` answers it from a recording. Without `find`, `why` says why no recording can answer it.
 * `command` makes a recording that `find` can use. Beside `why`, it helps in another way, and the end of `why` says how.
 */
export type GapQuestion =
  | { question: string; find(known: Known): Answered | readonly (Answered | undefined)[] | undefined; command: string }
  | { question: string; why: string; command?: string }

/** Returns the recorded exchanges in which a call succeeded. */
export const successesOf = ({ seen }: Known, name: EndpointName): SeenCall[] =>
  seen.calls.filter((call) => call.name === name && !isRefusal(name, call))

/** Returns the recorded exchanges in which a call was refused. */
export const refused = ({ seen }: Known, name: EndpointName): SeenCall[] =>
  seen.calls.filter((call) => call.name === name && isRefusal(name, call))

const MOST_LINES = 4

const linesOf = (items: readonly { evidence: Evidence }[]): Evidence[] =>
  items
    .map(({ evidence }) => evidence)
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .slice(0, MOST_LINES)

/** Returns an answer with the recorded lines that show it, taken from `items`; undefined if the answer is empty or there are no items. */
export const finding = (
  answer: string,
  items: readonly { evidence: Evidence }[],
  setting?: Answered['setting'],
): Answered | undefined =>
  items.length === 0 || answer === '' ? undefined : { answer, evidence: linesOf(items), ...(setting && { setting }) }

/** Returns the items as one text, each of them once. */
export const joined = (items: readonly (string | number)[], between = ', '): string => [...new Set(items)].join(between)

/** Returns a text with the status and the code of a refusal, such as `404 ERR_LOAN_NOT_FOUND`. */
export const statusAndCode = (status: number, code: string | undefined): string =>
  code === undefined ? `${status} without a code` : `${status} ${code}`
