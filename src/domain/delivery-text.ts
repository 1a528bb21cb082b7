/**
 * Writes a JSON text as the sandbox sends it: the same value in bytes that no library writes. It has a space inside braces and after each
 * comma and colon, `\/` and `\u` escapes, and a zero at the end of each decimal fraction. A receiver that parses a delivery and computes
 * the HMAC over what it writes again then fails here, and not only against the real service.
 * @param compact as `JSON.stringify` writes it
 */
export function deliveryText(compact: string): string {
  return compact.replace(/"(?:[^"\\]|\\.)*"|\{\}|[{},:]|-?\d+\.\d+/g, (part) => {
    if (part.startsWith('"')) return asciiOnly(part).replaceAll('/', '\\/')
    return AROUND[part] ?? (part === '{}' ? part : `${part}0`)
  })
}

const AROUND: Readonly<Record<string, string>> = { '{': '{ ', '}': ' }', ',': ', ', ':': ': ' }

/** A JSON text with an escape for each character outside ASCII. */
export const asciiOnly = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
