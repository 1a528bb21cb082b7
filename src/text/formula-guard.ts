/**
 * Matches a text that a spreadsheet would run as a formula, also behind blanks and behind the guard `'`. Programs that convert full-width
 * characters read the last four signs as `= + - @`.
 */
const FORMULA = /^'*\s*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^'*[\t\r]/

/**
 * Returns a text that a spreadsheet does not run: a formula gets a leading `'`, the guard. A text that begins with `'` and would be a
 * formula without it gets one more, so that `unguarded` returns every text as it was.
 */
export const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** Returns the text to which `guarded` added a `'`. Every other text is returned unchanged. */
export const unguarded = (text: string): string =>
  text.charCodeAt(0) === 0x27 && FORMULA.test(text) ? text.slice(1) : text
