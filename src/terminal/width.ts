/** Text in which every character takes one column: Latin letters, digits, and the punctuation that our own words use. */
const PLAIN = /^[ -~¡-¬®-ɏ–—‘’“”•…→]*$/

/**
 * How many columns texts take on a terminal.
 * @param texts what will be measured: the library that knows every script is loaded only where one of them needs it
 */
export async function measureFor(texts: readonly string[]): Promise<(text: string) => number> {
  if (texts.every((text) => PLAIN.test(text))) return (text) => text.length
  const { default: stringWidth } = await import('string-width')
  return stringWidth
}
