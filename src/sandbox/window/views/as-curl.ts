import { endpointOf, matchEndpoint } from '../../../contract/endpoints.ts'
import { asItIs, shellQuoted } from '../../../text/shell-word.ts'
import { environmentOf } from '../../addresses.ts'
import type { RequestRow } from '../../store/tables.ts'

/** A call as a curl command. The key is `$BNPL_API_KEY`, and each masked value is a variable with the field's name. */
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

/** The fields of a form as they were sent: lists and records by the bracket convention. */
export function pairsOf(sent: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(sent).flatMap(([name, value]) => pairsIn(name, value))
}

function pairsIn(name: string, value: unknown): [name: string, value: string][] {
  if (Array.isArray(value)) return value.flatMap((item) => pairsIn(`${name}[]`, item))
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, item]) => pairsIn(`${name}[${key}]`, item))
}

/** A field's name, encoded, because curl only encodes the value. Brackets stay readable. */
const formName = (name: string): string => name.replace(/[^A-Za-z0-9_.[\]-]/gu, encodeURIComponent)

/** An address with a variable of the shell for each masked part. */
function address(url: string): string {
  return url
    .split(/•+/)
    .map((part) => (part === '' ? '' : shellQuoted(part)))
    .join('"$VALUE"')
}

/** Whether a value was masked. The reader has to fill it in, so a command has a variable of the shell in its place. */
export const isMasked = (value: string): boolean => /•{2,}/.test(value)

/** A word for a shell, quoted if necessary; a masked value becomes `"$NAME"`. @param name of the value's field */
export function shellWord(value: string, name: string): string {
  if (isMasked(value)) return `"$${variableOf(name)}"`
  return shellQuoted(value)
}

/** `name=value` as one word. */
export function shellPair(name: string, value: string): string {
  if (!isMasked(value)) return shellQuoted(`${name}=${value}`)
  return `${shellQuoted(`${name}=`)}"$${variableOf(name)}"`
}

/** `idNumber` → `ID_NUMBER`. */
function variableOf(name: string): string {
  const word = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_')
  return word.replace(/^[_\d]+|_+$/g, '').toUpperCase() || 'VALUE'
}
