import { STATUS_CODES } from 'node:http'
import type { Difference } from '../../contract/compare/exchange.ts'
import { endpointOf, matchEndpoint, type OwnPaths } from '../../contract/endpoints.ts'
import type { HeaderPairs } from './watch.ts'

export interface ProxyRefusal {
  status: 400 | 403 | 421
  code: string
  message: string
}

/**
 * Returns the reason to refuse a request because of its head; undefined to accept it.
 * The `Host` must be a name of the proxy, because another site may have pointed its name at this machine (DNS rebinding). The target must
 * be a path that stays below the service's address. With --with-key, pages in a browser are refused, because they would use the merchant's
 * key.
 */
export function refusalByHead(
  { target, headers, hostRefusal }: { target: string; headers: HeaderPairs; hostRefusal: 0 | 400 | 421 },
  withKey: boolean,
): ProxyRefusal | undefined {
  if (hostRefusal !== 0)
    return {
      status: hostRefusal,
      code: 'ERR_PROXY_HOST',
      message: 'the request must have exactly one Host header, which names the proxy',
    }
  if (!isOwnPath(target)) return NOT_OWN_PATH
  if (withKey && headers.some(([name]) => /^(origin|sec-fetch-site)$/i.test(name)))
    return {
      status: 403,
      code: 'ERR_PROXY_ORIGIN',
      message: 'with --with-key the proxy refuses calls from a page in a browser',
    }
  return undefined
}

/**
 * Whether the target of a request is a path that no server reads as another host or as a path above it: `//host` and `..` are refused, also
 * with encoded characters, and if they are encoded several times.
 */
function isOwnPath(target: string): boolean {
  if (!/^\/[!-~]*$/.test(target) || /[\\#]/.test(target)) return false
  let path = target.split('?', 1)[0] ?? ''
  for (let before = ''; path !== before; ) {
    before = path
    path = path.replace(/%(2[ef5]|5c)/gi, (code) => decodeURIComponent(code))
  }
  return !/^[/\\]{2}/.test(path) && path.split(/[/\\]/).every((segment) => !/^\.{1,2}(;.*)?$/.test(segment))
}

export const NOT_OWN_PATH: ProxyRefusal = {
  status: 400,
  code: 'ERR_PROXY_TARGET',
  message:
    'the target of the request is not a path below the address of the service. The proxy sends requests only to the service for which it was started',
}

export const OFF_CONTRACT: ProxyRefusal = {
  status: 400,
  code: 'ERR_PROXY_OFF_CONTRACT',
  message: 'the request differs from the contract, so it was not sent',
}

export const NOT_VALID: ProxyRefusal = {
  status: 400,
  code: 'ERR_PROXY_MALFORMED',
  message: 'the request is not valid HTTP/1.1, so it was not passed on',
}

export const refusalBody = ({ code, message }: ProxyRefusal, problems: readonly Difference[]): string =>
  JSON.stringify({ error: { code, message, ...(problems.length > 0 && { problems }) } })

export const REFUSAL_TYPE = 'application/json; charset=utf-8'

/** Returns the complete answer for a refusal, for a connection that has no request. The connection must be closed after it. */
export function refusalBytes(refusal: ProxyRefusal): string {
  const body = refusalBody(refusal, [])
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `Content-Type: ${REFUSAL_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

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
