import { type FaultKind, WireFault } from '../contract/wire.ts'

/**
 * What a socket's or a parser's error means, whichever library raised it.
 * @param sent whether any byte of the request was written before it
 * @param begun whether the head of an answer had come
 */
export function faultFrom(error: unknown, sent: boolean, begun = false): WireFault {
  const kind = begun && endsEarly(error) ? 'reset' : faultKind(error)
  return new WireFault(kind, sent, faultMessage(error), error)
}

/**
 * How undici tells that a body was cut which the end of the connection was to follow anyway; where it was to be kept, it says so
 * itself.
 */
function endsEarly(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || /\(Invalid EOF state\)/.test(String(message))
}

const REFUSED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EHOSTDOWN',
])

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown; cause?: unknown }
  if (Array.isArray(errors) && errors.length > 0) return errorCode(errors[0])
  return typeof code === 'string' ? code : cause === undefined ? '' : errorCode(cause)
}

function faultKind(error: unknown): FaultKind {
  const code = errorCode(error)
  if (REFUSED.has(code)) return 'refused'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_FAIL') return 'dns'
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout'
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET' || code === 'ECONNABORTED') return 'reset'
  if (code === 'UND_ERR_PRX_TLS' || code === 'ERR_PROXY_TUNNEL' || /proxy/i.test(String((error as Error)?.message)))
    return 'proxy'
  if (/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/.test(code))
    return 'tls'
  // Some of the parser's errors carry no code.
  if (/^(HPE_|UND_ERR_)/.test(code) || (error as Error)?.name === 'HTTPParserError') return 'garbled'
  return 'reset'
}

/** The error's own words hold addresses at most; they are masked and cleaned where they are shown. */
function faultMessage(error: unknown): string {
  const code = errorCode(error)
  return code === '' ? 'the connection failed' : code
}
