import { accessSync, constants } from 'node:fs'
import { type FaultFacts, type FaultKind, WireFault } from '../contract/wire.ts'
import { codeOf } from '../errors.ts'

/** What is known beside an error. */
interface Beside {
  /** The head of an answer had come. */
  begun?: boolean
  /** See `FaultFacts`. */
  stale?: boolean
  /** Where NODE_EXTRA_CA_CERTS is looked up when a certificate was not believed. */
  env?: Readonly<Record<string, string | undefined>>
}

/**
 * What a socket's or a parser's error means, whichever library raised it.
 * @param sent whether any byte of the request was written before it
 */
export function faultFrom(error: unknown, sent: boolean, { begun = false, stale, env }: Beside = {}): WireFault {
  if (error instanceof WireFault) return error
  const kind = begun && endsEarly(error) ? 'reset' : faultKind(error)
  const facts = {
    ...(kind === 'tls' && unreadableAuthorities(env?.NODE_EXTRA_CA_CERTS)),
    ...(kind === 'reset' && stale && { stale }),
  }
  return new WireFault(kind, sent, faultMessage(error), error, facts)
}

/** Node itself only prints a warning about such a file, and goes on without it. */
function unreadableAuthorities(path: string | undefined): FaultFacts {
  if (!path) return {}
  try {
    accessSync(path, constants.R_OK)
    return {}
  } catch {
    return { missingAuthorities: path }
  }
}

/**
 * How undici tells that a body was cut which the end of the connection was to follow anyway; where it was to be kept, it says so
 * itself.
 */
function endsEarly(error: unknown): boolean {
  return (
    codeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' ||
    (error instanceof Error && /\(Invalid EOF state\)/.test(error.message))
  )
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

/** The network was closed while a call still waited. */
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'ABORT_ERR'])

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return errorCode(error.errors[0])
  return codeOf(error) ?? ('cause' in error ? errorCode(error.cause) : '')
}

function faultKind(error: unknown): FaultKind {
  const code = errorCode(error)
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  if (REFUSED.has(code)) return 'refused'
  if (CLOSED.has(code)) return 'aborted'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_FAIL') return 'dns'
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout'
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET' || code === 'ECONNABORTED') return 'reset'
  if (code === 'UND_ERR_PRX_TLS' || code === 'ERR_PROXY_TUNNEL' || /proxy/i.test(message)) return 'proxy'
  if (/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/.test(code))
    return 'tls'
  // Some of the parser's errors carry no code.
  if (/^(HPE_|UND_ERR_)/.test(code) || name === 'HTTPParserError') return 'garbled'
  return 'reset'
}

/** The error's own words hold addresses at most; they are masked and cleaned where they are shown. */
function faultMessage(error: unknown): string {
  const code = errorCode(error)
  return code === '' ? 'the connection failed' : code
}
