import { identifierProblem } from '../domain/identifiers.ts'
import { usage } from '../errors.ts'

/** Returns the address of a call. Throws `usage` for a parameter that would change the path (`.`, `..`, empty, control characters). */
export function callAddress(prefix: string, template: string, params: Record<string, string>): string {
  let address = prefix
  for (const [i, part] of partsOf(template).entries()) address += i % 2 === 0 ? part : encodeSegment(part, params[part])
  return address
}

const PARTS = new Map<string, readonly string[]>()

function partsOf(template: string): readonly string[] {
  const known = PARTS.get(template)
  if (known) return known
  const parts = template.split(/\{(\w+)\}/)
  PARTS.set(template, parts)
  return parts
}

function encodeSegment(name: string, value: string | undefined): string {
  // A JavaScript program may pass a number instead of text.
  const problem =
    typeof value === 'string' ? identifierProblem(value) : value === undefined ? 'it is missing' : 'it is not text'
  if (value === undefined || problem !== undefined)
    throw usage(`${name} cannot be sent: ${problem}`, undefined, 'INVALID_IDENTIFIER')
  return encodeURIComponent(value)
}
