import { endpointOf, matchEndpoint } from '../../contract/endpoints.ts'
import { environmentOf } from '../../sandbox/addresses.ts'
import type { RequestRow } from '../../sandbox/store/tables.ts'
import { asItIs, shellQuoted } from '../../text/shell-word.ts'

/** Returns a call as a curl command. The key and each masked value become shell variables. */
export function asCurl(
  baseUrl: string,
  { method, path }: Pick<RequestRow, 'method' | 'path'>,
  sent: Record<string, unknown>,
): string {
  const match = matchEndpoint(method, environmentOf(path).inside.split('?')[0] ?? '')
  const words = ['curl', '-sS']
  if (method !== 'GET') words.push('-X', method)
  if (match === undefined || endpointOf(match.name).auth === 'key')
    words.push('-H', '"Authorization: Bearer $BNPL_API_KEY"')
  for (const [name, value] of pairsOf(sent)) words.push('--data-urlencode', shellPair(formName(name), value))
  words.push(...asItIs(path), address(`${baseUrl}${path}`))
  return words.join(' ')
}

/** Returns the fields of a form, with lists and records written with brackets. */
export function pairsOf(sent: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(sent).flatMap(([name, value]) => pairsIn(name, value))
}

function pairsIn(name: string, value: unknown): [name: string, value: string][] {
  if (Array.isArray(value)) return value.flatMap((item) => pairsIn(`${name}[]`, item))
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, item]) => pairsIn(`${name}[${key}]`, item))
}

/** Encodes the name of a field, because curl encodes only the value. */
const formName = (name: string): string => name.replace(/[^A-Za-z0-9_.[\]-]/gu, encodeURIComponent)

function address(url: string): string {
  return url
    .split(/•+/)
    .map((part) => (part === '' ? '' : shellQuoted(part)))
    .join('"$VALUE"')
}

/** Whether a value was masked. In a command, a masked value becomes a shell variable that the user sets. */
export const isMasked = (value: string): boolean => /•{2,}/.test(value)

/** Returns a word for a shell, quoted if necessary. A masked value becomes `"$NAME"`. @param name of the value's field */
export function shellWord(value: string, name: string): string {
  if (isMasked(value)) return `"$${variableOf(name)}"`
  return shellQuoted(value)
}

/** Returns the text `name=value` as one word for a shell. */
export function shellPair(name: string, value: string): string {
  if (!isMasked(value)) return shellQuoted(`${name}=${value}`)
  return `${shellQuoted(`${name}=`)}"$${variableOf(name)}"`
}

function variableOf(name: string): string {
  const word = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_')
  return word.replace(/^[_\d]+|_+$/g, '').toUpperCase() || 'VALUE'
}
