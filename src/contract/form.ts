/**
 * The encoding of every request body that the specification shows: application/x-www-form-urlencoded.
 * Nested values, which it does not show, follow the bracket convention (gaps 9 and 10): `filters[outcome]=approved`,
 * `eventTypes[]=new_lead`.
 */
export const FORM_TYPE = 'application/x-www-form-urlencoded'

export type FormValue = string | readonly string[] | { readonly [key: string]: string }

/** The encodings of a body where the specification shows none (gap 10); the first where nothing is set. */
export const BODY_ENCODINGS = ['form', 'json'] as const

/** How a list is written in a form, which the specification does not show (gap 27); the first where nothing is set. */
export const LIST_ENCODINGS = ['brackets', 'repeated', 'indexed', 'comma'] as const

export type ListEncoding = (typeof LIST_ENCODINGS)[number]

/** The fields of a list `a` of two items: `a[]=1&a[]=2`, `a=1&a=2`, `a[0]=1&a[1]=2` or `a=1,2`. */
const LIST_FIELDS: Readonly<Record<ListEncoding, (name: string, items: readonly string[]) => [string, string][]>> = {
  brackets: (name, items) => items.map((item) => [`${name}[]`, item]),
  repeated: (name, items) => items.map((item) => [name, item]),
  indexed: (name, items) => items.map((item, i) => [`${name}[${i}]`, item]),
  comma: (name, items) => [[name, items.join(',')]],
}

/**
 * Encodes fields: texts, lists of texts and records of texts; anything else in them is written as `String` does.
 * @returns the body's bytes; an empty object is an empty body
 */
export function encodeForm(fields: object, lists: ListEncoding = 'brackets'): Uint8Array {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    if (Array.isArray(value)) {
      for (const [field, item] of LIST_FIELDS[lists](name, value.map(String))) form.append(field, item)
    } else if (typeof value !== 'object') form.append(name, String(value))
    else for (const [key, item] of Object.entries(value ?? {})) form.append(`${name}[${key}]`, String(item))
  }
  return new TextEncoder().encode(form.toString())
}

/** The reverse of `encodeForm`, as a service reads it. A field that comes twice keeps its last value, unless it is a list. */
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
