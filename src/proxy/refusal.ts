import type { Difference } from '../contract/differences/exchange.ts'
import { type OwnNames, refuseHost } from '../http/own-host.ts'
import type { Head } from './framing.ts'

export interface ProxyRefusal {
  status: 400 | 403 | 421
  code: string
  message: string
}

const REASONS = { 400: 'Bad Request', 403: 'Forbidden', 421: 'Misdirected Request' } as const

/**
 * Returns the reason to refuse a request because of its head; undefined to accept it.
 * The `Host` must be a name of the proxy, because another site may have pointed its name at this machine (DNS rebinding). The target must
 * be a path. With --with-key, pages in a browser are refused, because they would use the merchant's key.
 */
export function refusalByHead({ start, headers }: Head, names: OwnNames, withKey: boolean): ProxyRefusal | undefined {
  const valuesOf = (name: RegExp) => headers.flatMap(([each, value]) => (name.test(each) ? [value] : []))
  const host = refuseHost(valuesOf(/^host$/i), names)
  if (host !== 0)
    return {
      status: host,
      code: 'ERR_PROXY_HOST',
      message: 'the request must have exactly one Host header, which names the proxy',
    }
  if (!/^\S+ \//.test(start))
    return {
      status: 400,
      code: 'ERR_PROXY_TARGET',
      message:
        'the target of the request is not a path. The proxy sends requests only to the service for which it was started',
    }
  if (withKey && valuesOf(/^(origin|sec-fetch-site)$/i).length > 0)
    return {
      status: 403,
      code: 'ERR_PROXY_ORIGIN',
      message: 'with --with-key the proxy refuses calls from a page in a browser',
    }
  return undefined
}

export const OFF_CONTRACT: ProxyRefusal = {
  status: 400,
  code: 'ERR_PROXY_OFF_CONTRACT',
  message: 'the request differs from the contract, so it was not sent',
}

/** Returns the complete answer for a refusal. The connection must be closed after it. */
export function refusalBytes({ status, code, message }: ProxyRefusal, problems: readonly Difference[]): string {
  const body = JSON.stringify({ error: { code, message, ...(problems.length > 0 && { problems }) } })
  return [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
