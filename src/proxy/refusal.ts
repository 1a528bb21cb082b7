import { STATUS_CODES } from 'node:http'
import type { Difference } from '../contract/compare/exchange.ts'
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

/** Returns the body of the answer for a refusal. */
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
