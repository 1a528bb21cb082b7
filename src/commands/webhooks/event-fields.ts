import { usage } from '../../errors.ts'
import { parseKeepingDigits } from '../../text/json-text.ts'
import { nearestFirst } from '../../text/similar.ts'

function fieldsOf(value: unknown, above: readonly string[] = []): [path: string, names: readonly string[]][] {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const names = [...above, key]
    return [[names.join('.'), names] as [string, readonly string[]], ...fieldsOf(item, names)]
  })
}

/** The number of similar fields in the hint about an unknown field. */
const SUGGESTED = 6

/**
 * Returns a copy of `data` in which one field is changed. `assignment` is `path=value`. A text field stays text. For any other field, the
 * value is read as JSON (`null`, `12`, `{"a":1}`), or as text if it is not JSON. Throws `usage` when the path does not exist.
 * @param onOtherKind called if the new value is of another kind than the value before
 */
export async function setField(
  data: unknown,
  assignment: string,
  onOtherKind: (path: string, was: string, is: string) => void,
): Promise<unknown> {
  const at = assignment.indexOf('=')
  if (at < 1)
    throw usage(
      `--set “${assignment}” has no path`,
      'Write the option as --set path=value, for example --set loanAmount=1000.',
    )
  const path = assignment.slice(0, at).replace(/^data\./, '')
  const fields = fieldsOf(data)
  const names = fields.find(([known]) => known === path)?.[1]
  if (names === undefined) throw await unknownField(path, fields)
  const text = assignment.slice(at + 1)
  return changed(data, names, (before) => {
    const after = typeof before === 'string' ? text : asJson(text)
    const [was, is] = [kindOf(before), kindOf(after)]
    if (was !== is && was !== 'null') onOtherKind(path, was, is)
    return after
  })
}

async function unknownField(path: string, fields: readonly [path: string, names: readonly string[]][]) {
  // The elements of a list have the same fields, so name the fields of the first element only.
  const known = fields.filter(([, names]) => !names.some((name) => /^[1-9]\d*$/.test(name))).map(([field]) => field)
  const near = nearestFirst(path, known).slice(0, SUGGESTED)
  const all = known.length > near.length ? ' --dry-run shows the whole event.' : ''
  return usage(
    `--set: this event has no field “${path}”`,
    near.length === 0
      ? 'Remove --set, because the data of this event has no fields.'
      : `Use a field such as ${near.join(', ')}.${all}`,
    'UNKNOWN_FIELD',
  )
}

/** Returns the kind of a JSON value in words. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'object' && !JSON.isRawJSON(value)) return Array.isArray(value) ? 'a list' : 'an object'
  return typeof value === 'boolean' ? 'true or false' : 'a number'
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
