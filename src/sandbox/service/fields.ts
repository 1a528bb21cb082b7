import * as z from 'zod/mini'
import { parseRut } from '../../domain/identifiers.ts'
import { malformed, Refusal } from './refusal.ts'

type Kind = 'list' | 'record' | 'ignored' | 'one'

/**
 * Converts the fields of a body into the types of the contract. Lists and records may have every usual form, and numbers may be texts of
 * digits (gap 27). Throws a 400 `Refusal` when a field for a single value was sent more than once.
 * @param sent the fields of the form or of the JSON object
 */
export function asExpected(schema: z.ZodMiniType, sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const expected: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(sent)) {
    const kind = kindOf(schema, name)
    // In a JSON body, null means that the field is missing.
    if (kind === 'ignored' || value === null) continue
    if (kind === 'list') expected[name] = asList(value)
    else expected[name] = kind === 'record' ? asRecord(name, value) : asOne(name, value)
  }
  return expected
}

/** Returns how a field of a request is read. A field that the contract does not name is read as a single value (`one`). */
export function kindOf(schema: z.ZodMiniType, name: string): Kind {
  const shape = schema instanceof z.ZodMiniObject ? schema.shape : {}
  const field: unknown = Object.hasOwn(shape, name) ? shape[name] : undefined
  const inner: unknown = field instanceof z.ZodMiniOptional ? field.def.innerType : field
  if (inner instanceof z.ZodMiniUnknown) return 'ignored'
  if (inner instanceof z.ZodMiniArray) return 'list'
  return inner instanceof z.ZodMiniRecord || inner instanceof z.ZodMiniObject ? 'record' : 'one'
}

/**
 * Reads a list in any form: `a=1&a=2`, `a[]=1&a[]=2`, `a[0]=1&a[1]=2`, `a=1,2` and `a=["1","2"]` are the same list. No item of these lists
 * can contain a comma.
 */
function asList(value: unknown): unknown {
  const items = typeof value === 'string' ? [value] : itemsOf(value)
  if (items === undefined) return value
  return items.flatMap((item) => (typeof item === 'string' ? itemsIn(item) : (itemsOf(item) ?? [item])))
}

function itemsIn(text: string): unknown[] {
  const parsed = text.trimStart().startsWith('[') ? fromJson(text) : undefined
  return Array.isArray(parsed) ? parsed : text.split(',').map((item) => item.trim())
}

function itemsOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  return isRecord(value) && Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined
}

/**
 * Reads a record in any form: `a[b]=1`, `a[b][]=1` and `a={"b":"1"}` are the same record. An empty text or an empty list is read as an
 * empty record.
 */
function asRecord(name: string, value: unknown): unknown {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return {}
  if (typeof value === 'string') {
    const parsed = fromJson(value)
    if (isRecord(parsed) || Array.isArray(parsed)) return asRecord(name, parsed)
    throw malformed(`${name} is text, but not a JSON object; send it as ${name}[key]=value`)
  }
  if (!isRecord(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, item]) => [key, Array.isArray(item) && item.length === 1 ? item[0] : item]),
  )
}

function asOne(name: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    throw malformed(
      value.length > 1 ? `${name} was sent ${value.length} times; send it only once` : `${name} must not be a list`,
    )
  }
  return typeof value === 'number' ? String(value) : value
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Checks a national id: digits without dots, a dash, the check character in upper or lower case (gap 24). Throws a 422 `Refusal` for any
 * other text.
 * @returns the id, with the check character in upper case
 */
export function checkRut(idNumber: string): string {
  const parsed = /^\d+-[\dkK]$/.test(idNumber) ? parseRut(idNumber) : undefined
  if (parsed?.ok) return parsed.rut
  throw new Refusal(
    422,
    'ERR_INVALID_ID_NUMBER',
    'a national id must be <digits>-<check character>, without dots, with the correct check character',
  )
}
