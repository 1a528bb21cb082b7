/**
 * The encoding of every request body that the specification shows: application/x-www-form-urlencoded.
 * Nested values, which it does not show, follow the bracket convention (gaps 9 and 10): `filters[outcome]=approved`,
 * `eventTypes[]=new_lead`.
 */
export const FORM_TYPE = 'application/x-www-form-urlencoded'

export type FormValue = string | readonly string[] | { readonly [key: string]: string }

/** The encodings of a body for which the specification shows none (gap 10); the first one is the default. */
export const BODY_ENCODINGS = ['form', 'json'] as const

/** How a list is written in a form, which the specification does not show (gap 27); the first one is the default. */
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

/** A field of a form as it was read: a text, a list (repeated, or written with `[]`), or fields with names of their own. */
type FormField = string | FormField[] | { [name: string]: FormField }

/** A field's name and up to eight names or empty brackets inside it. A deeper one is a plain name, which no call has. */
const BRACKETED = /^([^[\]]+)((?:\[[^[\]]*\]){1,8})$/

/**
 * Reads a form as services read it: `a=1&a=2` and `a[]=1&a[]=2` are a list, `a[b]=1` and `a[b][c]=1` are fields inside a field. A field
 * that was sent twice keeps every value, so that a reader can refuse it. `a[0]=1` is a field named `0`: only the reader knows whether `a`
 * is a list.
 * @param hasParts whether a field has parts, so that `a.b=1` is `a[b]=1`; a dot belongs to the name otherwise
 */
export function decodeForm(text: string, hasParts: (name: string) => boolean = () => false): Record<string, FormField> {
  const fields: Record<string, FormField> = Object.create(null)
  for (const [written, value] of new URLSearchParams(text)) {
    const isDotted = written.includes('.') && hasParts(written.slice(0, written.indexOf('.')))
    const name = isDotted ? written.replace(/\.([^.[\]]*)/g, '[$1]') : written
    const [, first = name, brackets = ''] = BRACKETED.exec(name) ?? []
    const inner = [...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, part = '']) => part)
    fields[first] = added(fields[first], inner, value)
  }
  return fields
}

/** A field with one more value at a path inside it; an empty part of the path is an item of a list. Lists and fields are changed in place. */
function added(before: FormField | undefined, [part, ...rest]: readonly string[], value: string): FormField {
  if (part === undefined) return before === undefined ? value : pushed(before, value)
  if (part === '') return pushed(before ?? [], added(undefined, rest, value))
  if (typeof before === 'string' || Array.isArray(before))
    return pushed(before, added(undefined, [part, ...rest], value))
  const record: { [name: string]: FormField } = before ?? Object.create(null)
  record[part] = added(record[part], rest, value)
  return record
}

function pushed(before: FormField, item: FormField): FormField[] {
  const list = Array.isArray(before) ? before : [before]
  list.push(item)
  return list
}
