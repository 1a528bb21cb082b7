import { usage } from '../../errors.ts'
import { parseKeepingDigits } from '../../text/json-text.ts'

function fieldsOf(value: unknown, above: readonly string[] = []): [path: string, names: readonly string[]][] {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const names = [...above, key]
    return [[names.join('.'), names] as [string, readonly string[]], ...fieldsOf(item, names)]
  })
}

/**
 * Returns a copy of `data` in which one field is changed. `assignment` is `path=value`. A text field stays text. For any other field, the
 * value is read as JSON (`null`, `12`, `{"a":1}`), or as text if it is not JSON. Throws `usage` when the path does not exist.
 */
export function setField(data: unknown, assignment: string): unknown {
  const at = assignment.indexOf('=')
  if (at < 1)
    throw usage(
      `--set “${assignment}” has no path`,
      'Write the option as --set path=value, for example --set loanAmount=1000.',
    )
  const path = assignment.slice(0, at).replace(/^data\./, '')
  const fields = fieldsOf(data)
  const names = fields.find(([known]) => known === path)?.[1]
  if (names === undefined) {
    throw usage(
      `--set: this event has no field “${path}”`,
      `Use one of these fields: ${fields.map(([known]) => known).join(', ') || 'none'}`,
      'UNKNOWN_FIELD',
    )
  }
  const text = assignment.slice(at + 1)
  return changed(data, names, (before) => (typeof before === 'string' ? text : asJson(text)))
}

function changed(value: unknown, [name, ...rest]: readonly string[], change: (before: unknown) => unknown): unknown {
  if (name === undefined) return change(value)
  if (Array.isArray(value)) return value.with(Number(name), changed(value[Number(name)], rest, change))
  if (typeof value !== 'object' || value === null) return value
  return { ...value, [name]: changed(Reflect.get(value, name), rest, change) }
}

function asJson(text: string): unknown {
  try {
    return parseKeepingDigits(text)
  } catch {
    return text
  }
}
