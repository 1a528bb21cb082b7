import type { FaultKind } from '../contract/wire.ts'

/** The codes of the errors for an address that cannot be reached. */
const REFUSED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EHOSTDOWN',
])

/** The codes of errors that end waiting calls when bnpl closes its HTTP client. */
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'ABORT_ERR'])

/** Returns the kind of fault that an error code of Node, OpenSSL or undici means; undefined for an unknown code. */
export function kindOfCode(code: string): FaultKind | undefined {
  if (REFUSED.has(code)) return 'refused'
  if (CLOSED.has(code)) return 'aborted'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_FAIL') return 'dns'
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout'
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET' || code === 'ECONNABORTED') return 'reset'
  if (code === 'UND_ERR_PRX_TLS' || code === 'ERR_PROXY_TUNNEL') return 'proxy'
  if (/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/.test(code))
    return 'tls'
  return /^(HPE_|UND_ERR_)/.test(code) ? 'garbled' : undefined
}
