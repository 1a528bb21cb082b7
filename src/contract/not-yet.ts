interface NotYet {
  statuses: ReadonlySet<number>
  /** Whether a success with nothing in `data` means “no loan yet”. */
  empty: boolean
}

/**
 * The default of the setting `notYet`: the answers to a verification that mean “no loan yet”. The specification shows no such answer (gap
 * 21).
 */
export const USUALLY_NOT_YET = '404,409,422,empty'

export const NOT_YET_FORM = `statuses from 400 to 499 (not 401, 403 or 429), the word “empty”, or both, such as ${USUALLY_NOT_YET}`

export const EMPTY_DATA = 'EMPTY_DATA'

/** With these statuses the service refused the key or asked for a pause, so they never mean “no loan yet”. */
const NEVER = new Set([401, 403, 429])

/** Reads the setting `notYet`: statuses and `empty`, separated by commas. Returns undefined for a text of another form. */
export function parseNotYet(text: string): NotYet | undefined {
  const words = text.split(',').map((word) => word.trim())
  const statuses = words
    .filter((word) => word !== 'empty')
    .map((word) => (/^4\d\d$/.test(word) ? Number(word) : Number.NaN))
  if (statuses.some((status) => Number.isNaN(status) || NEVER.has(status))) return undefined
  return { statuses: new Set(statuses), empty: words.includes('empty') }
}
