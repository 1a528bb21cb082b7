/** The only encoding that the specification shows for request bodies. */
export const FORM_TYPE = 'application/x-www-form-urlencoded'

export type FormValue = string | readonly string[] | { readonly [key: string]: string }

/** The possible encodings of a body whose encoding the specification does not show (gap 10). The first is the default. */
export const BODY_ENCODINGS = ['form', 'json'] as const

/** The ways to write a list in a form-encoded body. The specification shows no way (gap 27). The default is `brackets`. */
export const LIST_ENCODINGS = ['brackets', 'repeated', 'indexed', 'comma'] as const

export type ListEncoding = (typeof LIST_ENCODINGS)[number]

const LIST_FIELDS: Readonly<Record<ListEncoding, (name: string, items: readonly string[]) => [string, string][]>> = {
  brackets: (name, items) => items.map((item) => [`${name}[]`, item]),
  repeated: (name, items) => items.map((item) => [name, item]),
  indexed: (name, items) => items.map((item, i) => [`${name}[${i}]`, item]),
  comma: (name, items) => [[name, items.join(',')]],
}

/** Returns the bytes of a form with texts, lists and records of texts. Any other value is converted with `String`. */
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

type FormField = string | FormField[] | { [name: string]: FormField }

/** Matches a name with one to eight pairs of brackets. A name with more pairs is not split into parts, and no call has such a field. */
const BRACKETED = /^([^[\]]+)((?:\[[^[\]]*\]){1,8})$/

/** Matches a field without `=`. A `?` at the beginning is no part of a name, because `URLSearchParams` leaves it out. */
const NAME_ONLY = /(?<=^\??|&)(?!^\?)[^=&]+(?=&|$)/g

/**
 * Returns the names and values of a form, as `URLSearchParams` reads them. First appends a `=` to each field without one, because Node
 * would search the whole rest of the text for it, and a form of 1 MB could stop the process for five seconds.
 */
export const formEntries = (text: string): URLSearchParams => new URLSearchParams(text.replace(NAME_ONLY, '$&='))

/**
 * Reads a form. `a=1&a=2` and `a[]=1&a[]=2` become lists, and `a[b]=1` becomes a field inside a field. If a field may have only one value,
 * the caller must refuse a list. `a[0]=1` becomes a field `0` inside `a`, because only the caller knows whether `a` is a list.
 * @param hasParts whether a field has parts, so that `a.b=1` is read as `a[b]=1`
 */
export function decodeForm(text: string, hasParts: (name: string) => boolean = () => false): Record<string, FormField> {
  const fields: Record<string, FormField> = Object.create(null)
  for (const [written, value] of formEntries(text)) {
    const isDotted = written.includes('.') && hasParts(written.slice(0, written.indexOf('.')))
    const name = isDotted ? written.replace(/\.([^.[\]]*)/g, '[$1]') : written
    const [, first = name, brackets = ''] = BRACKETED.exec(name) ?? []
    const inner = [...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, part = '']) => part)
    fields[first] = added(fields[first], inner, value)
  }
  return fields
}

/** Returns `before` with a value added at a path. A list or record is changed in place. An empty part of the path means an item of a list. */
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
