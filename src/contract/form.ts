/**
 * The encoding of every request body that the specification shows: application/x-www-form-urlencoded.
 * Nested values, which it does not show, follow the bracket convention (gaps 9 and 10): `filters[outcome]=approved`,
 * `eventTypes[]=new_lead`.
 */
export const FORM_TYPE = 'application/x-www-form-urlencoded'

export type FormValue = string | readonly string[] | { readonly [key: string]: string }

/**
 * Encodes fields: texts, lists of texts and records of texts; anything else in them is written as `String` does.
 * @returns the body's bytes; an empty object is an empty body
 */
export function encodeForm(fields: object): Uint8Array {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    if (Array.isArray(value)) for (const item of value) form.append(`${name}[]`, String(item))
    else if (typeof value !== 'object') form.append(name, String(value))
    else for (const [key, item] of Object.entries(value ?? {})) form.append(`${name}[${key}]`, String(item))
  }
  return new TextEncoder().encode(form.toString())
}

/** The reverse of `encodeForm`, as a service reads it. A field that occurs twice keeps its last value, unless it is a list. */
export function decodeForm(text: string): Record<string, FormValue> {
  const fields: Record<string, FormValue> = Object.create(null)
  for (const [rawName, value] of new URLSearchParams(text)) {
    const list = /^([^[\]]+)\[\]$/.exec(rawName)
    const nested = /^([^[\]]+)\[([^[\]]+)\]$/.exec(rawName)
    if (list?.[1] !== undefined) {
      const before = fields[list[1]]
      fields[list[1]] = [...(Array.isArray(before) ? before : []), value]
    } else if (nested?.[1] !== undefined && nested[2] !== undefined) {
      const before = fields[nested[1]]
      const record = typeof before === 'object' && !Array.isArray(before) ? before : Object.create(null)
      fields[nested[1]] = Object.assign(Object.create(null), record, { [nested[2]]: value })
    } else fields[rawName] = value
  }
  return fields
}
