import { usage } from '../../errors.ts'

/** Fields of an event's `data` by path: names and list positions joined by dots, as `installments.0.state`. */

/** Every path of a value that can be set: leaves, and what contains them. */
export function pathsOf(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`
    return [path, ...pathsOf(item, path)]
  })
}

/**
 * Sets one field, given as `path=value`. A text stays a text; anything else is read as JSON (`null`, `12`, `{"a":1}`), else taken as text.
 * Throws `usage` that lists the paths there are when this one is none of them.
 * @returns a changed copy
 */
export function setField(data: unknown, assignment: string): unknown {
  const at = assignment.indexOf('=')
  if (at < 1) throw usage(`--set “${assignment}” has no path`, 'Write it as path=value, for example loanAmount=1000.')
  const path = assignment.slice(0, at).replace(/^data\./, '')
  if (!pathsOf(data).includes(path)) {
    throw usage(
      `--set: this event has no field “${path}”`,
      `Fields: ${pathsOf(data).join(', ') || 'none'}`,
      'UNKNOWN_FIELD',
    )
  }
  const copy: unknown = structuredClone(data)
  const names = path.split('.')
  const last = String(names.pop())
  const parent = names.reduce((value, name) => (value as Record<string, unknown>)[name], copy) as Record<
    string,
    unknown
  >
  parent[last] = typeof parent[last] === 'string' ? assignment.slice(at + 1) : asJson(assignment.slice(at + 1))
  return copy
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
