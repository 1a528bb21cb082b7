/** The answers to a verification that mean “not yet” (gap 21: the specification does not show the answer before the payment). */
interface NotYet {
  statuses: ReadonlySet<number>
  /** Whether a success with nothing in `data` means “not yet”. */
  empty: boolean
}

/**
 * The answers that mean “not yet” when the setting is empty: not found, a conflict, an unprocessable request, and a success with nothing in
 * `data`.
 */
export const USUALLY_NOT_YET = '404,409,422,empty'

/** How the value of the setting must be written. */
export const NOT_YET_FORM = `statuses from 400 to 499 (not 401, 403 or 429) and the word empty, such as ${USUALLY_NOT_YET}`

/** The error code for a success with nothing in `data`. */
export const EMPTY_DATA = 'EMPTY_DATA'

/** Statuses that never mean “not yet”. With them the service refused the key, or asked for a pause. */
const NEVER = new Set([401, 403, 429])

/** Reads the setting: statuses and `empty`, separated by commas. @returns undefined for a text of another form */
export function parseNotYet(text: string): NotYet | undefined {
  const words = text.split(',').map((word) => word.trim())
  const statuses = words
    .filter((word) => word !== 'empty')
    .map((word) => (/^4\d\d$/.test(word) ? Number(word) : Number.NaN))
  if (statuses.some((status) => Number.isNaN(status) || NEVER.has(status))) return undefined
  return { statuses: new Set(statuses), empty: words.includes('empty') }
}
