import { endpointOf, matchEndpoint } from '../../../contract/endpoints.ts'
import { asItIs, shellQuoted } from '../../../text/shell-word.ts'
import type { RequestRow } from '../../store/tables.ts'
import { shellPair } from './shell-word.ts'

/** A call as a curl command: the key is `$BNPL_API_KEY`, and what was masked is a variable of the field's name. */
export function asCurl(
  baseUrl: string,
  { method, path }: Pick<RequestRow, 'method' | 'path'>,
  sent: Record<string, unknown>,
): string {
  const match = matchEndpoint(method, path.split('?')[0] ?? '')
  const words = ['curl', '-sS']
  if (method !== 'GET') words.push('-X', method)
  if (match === undefined || endpointOf(match.name).auth === 'key')
    words.push('-H', '"Authorization: Bearer $BNPL_API_KEY"')
  for (const [name, value] of pairsOf(sent)) words.push('--data-urlencode', shellPair(formName(name), value))
  words.push(...asItIs(path), address(`${baseUrl}${path}`))
  return words.join(' ')
}

/** The fields of a form as they went over the wire: lists and records by the bracket convention. */
export function pairsOf(sent: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(sent).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return value.map((item) => [`${name}[]`, String(item)])
    if (typeof value !== 'object' || value === null) return [[name, String(value)]]
    return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, String(item)])
  })
}

/** A field's name, encoded: curl encodes the value alone. Brackets stay readable. */
const formName = (name: string): string => name.replace(/[^A-Za-z0-9_.[\]-]/gu, encodeURIComponent)

/** An address whose masked parts are left to the reader. */
function address(url: string): string {
  return url
    .split(/•+/)
    .map((part) => (part === '' ? '' : shellQuoted(part)))
    .join('"$VALUE"')
}
