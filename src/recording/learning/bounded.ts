import type { RecordedResponse } from '../entries.ts'

/**
 * A recording that somebody wrote by hand may contain anything. The limits in this file reduce what is learnt to what a sandbox can
 * imitate.
 */

/** At most this many items of a list are kept. Loans have fewer installments. */
export const MOST_ITEMS = 80

const MOST_VALUES = 20_000
const MOST_CHARACTERS = 4096

/**
 * Returns a copy of a value with shortened lists, objects and texts. Lists and objects that are nested too deep, or that come after
 * `MOST_VALUES` other values, are replaced with null.
 */
export function trimmed(whole: unknown): unknown {
  let left = MOST_VALUES
  const copy = (value: unknown, depth: number): unknown => {
    left--
    if (typeof value === 'string') return value.slice(0, MOST_CHARACTERS)
    if (typeof value !== 'object' || value === null) return value
    if (JSON.isRawJSON(value)) return Number(JSON.stringify(value))
    if (depth > 20 || left <= 0) return null
    if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => copy(item, depth + 1))
    const fields = Object.entries(value).filter(([key]) => key !== '__proto__')
    return Object.fromEntries(fields.slice(0, 500).map(([key, item]) => [key, copy(item, depth + 1)]))
  }
  return copy(whole, 0)
}

const OF_TRANSPORT = /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

const isSendable = (name: string, value: string): boolean =>
  /^[!#$%&'*+.^_`|~\w-]{1,256}$/.test(name) && !OF_TRANSPORT.test(name) && /^[\t\x20-\x7e]{0,4096}$/.test(value)

/** Returns the headers that a sandbox can send too. */
export const sendable = (headers: RecordedResponse['headers']) =>
  headers.filter(([name, value]) => isSendable(name, value))

/** Whether a sandbox can send a signature or a token in this header. */
export const mayHoldProof = (header: string | undefined): boolean =>
  header === undefined || (isSendable(header, '') && !/^(?:content-type|user-agent|__proto__)$/i.test(header))
