import { endpointOf, matchEndpoint, type OwnPaths } from '../contract/endpoints.ts'
import type { HeaderPairs } from './watch.ts'

export interface Destination {
  host: string
  /** The path of the base address, without a slash at its end. */
  prefix: string
  /** The profile's key, which replaces the program's own key; undefined to send the program's key. */
  apiKey: string | undefined
}

/** Returns Node's `rawHeaders` as pairs. */
export function pairsOf(rawHeaders: readonly string[]): HeaderPairs {
  const pairs: HeaderPairs = []
  for (let i = 0; i < rawHeaders.length; i += 2) pairs.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? ''])
  return pairs
}

/**
 * Returns the headers of a request as they are sent to the service: with the service's `Host` and perhaps the profile's key. All other
 * headers keep their order, case and value.
 * @param key whether `apiKey`, if it is defined, is set as the request's only `Authorization`
 */
export function headersForService(headers: HeaderPairs, { host, apiKey }: Destination, key: boolean): HeaderPairs {
  const named = headers.map(([name, value]): [string, string] => [name, /^host$/i.test(name) ? host : value])
  if (!key || apiKey === undefined) return named
  const authorization = `Bearer ${apiKey}`
  const first = named.findIndex(([name]) => isAuthorization(name))
  if (first < 0)
    return named.flatMap((pair) => (/^host$/i.test(pair[0]) ? [pair, ['Authorization', authorization]] : [pair]))
  return named.flatMap(([name, value], i): HeaderPairs => {
    if (i === first) return [[name, authorization]]
    return isAuthorization(name) ? [] : [[name, value]]
  })
}

const isAuthorization = (name: string) => /^authorization$/i.test(name)

/**
 * Whether to put the profile's key in a request. A call of the contract gets the key if the call needs one. Any other request gets the key
 * if the program sent one.
 */
export function isKeyWanted(
  { apiKey }: Destination,
  { method, path, headers }: { method: string; path: string; headers: HeaderPairs },
  paths: OwnPaths,
): boolean {
  if (apiKey === undefined) return false
  const call = matchEndpoint(method, path.split('?')[0] ?? '', paths)
  return call ? endpointOf(call.name).auth === 'key' : headers.some(([name]) => isAuthorization(name))
}

/**
 * Returns the headers for the comparison and the recording. They contain fixed words instead of the profile's key, because no recording may
 * contain the key.
 */
export const withOwnKey = (headers: HeaderPairs): HeaderPairs => [
  ...headers.filter(([name]) => !isAuthorization(name)),
  ['authorization', 'Bearer key-of-the-profile'],
]
