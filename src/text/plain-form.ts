/**
 * Returns a text in the plain form in which patterns can find a number: digits of all scripts as ASCII digits, and full-width and similar
 * characters as the usual ones (Unicode NFKC).
 */
export function plainForm(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text
  return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)))
}

/** Returns the value of a digit of any script. Unicode assigns consecutive numbers to the digits 0 to 9 of a script. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++
  return before % 10
}
