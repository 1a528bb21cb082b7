declare global {
  // V8 has had these functions of `JSON` since version 11.4, but TypeScript's library does not declare them.
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
    rawJSON(text: string): object
    isRawJSON(value: unknown): boolean
  }
}

/** The library also runs on Node 20, which has no raw JSON numbers. There, a number that would lose digits becomes text. */
export const HAS_RAW_NUMBERS = 'rawJSON' in JSON

/** Whether a value is a raw JSON number. A function of its own, because Node 20 has none. */
export const isRawNumber = (value: unknown): boolean => HAS_RAW_NUMBERS && JSON.isRawJSON(value)

/**
 * Returns a value with text in the place of each raw JSON number, which a program could neither print nor compare. Returns the value
 * itself if it contains none.
 */
export function rawNumbersAsText<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (isRawNumber(value)) return JSON.stringify(value) as T
  if (Array.isArray(value)) {
    const changed = value.map(rawNumbersAsText)
    return changed.some((each, i) => each !== value[i]) ? (changed as T) : value
  }
  const fields = Object.entries(value)
  const changed = fields.map(([name, each]) => [name, rawNumbersAsText(each)] as const)
  return changed.some(([, each], i) => each !== fields[i]?.[1]) ? (Object.fromEntries(changed) as T) : value
}
