import { accessSync, constants } from 'node:fs'
import { type FaultFacts, type FaultKind, WireFault } from '../contract/wire.ts'
import { codeOf } from '../errors.ts'

interface Beside {
  begun?: boolean
  stale?: boolean
  env?: Readonly<Record<string, string | undefined>>
}

/** Turns an error of Node or undici into a fault. `sent` is true if any byte of the request was written before the error. */
export function faultFrom(error: unknown, sent: boolean, { begun = false, stale, env }: Beside = {}): WireFault {
  if (error instanceof WireFault) return error
  const kind = begun && endsEarly(error) ? 'reset' : faultKind(error)
  const facts = {
    ...(kind === 'tls' && unreadableAuthorities(env?.NODE_EXTRA_CA_CERTS)),
    ...(kind === 'reset' && stale && { stale }),
  }
  return new WireFault(kind, sent, faultMessage(error), error, facts)
}

/**
 * Names the file of certificate authorities if it cannot be read, because Node prints only a warning about it and continues without the
 * file.
 */
function unreadableAuthorities(path: string | undefined): FaultFacts {
  if (!path) return {}
  try {
    accessSync(path, constants.R_OK)
    return {}
  } catch {
    return { missingAuthorities: path }
  }
}

/** undici reports these errors when an answer with `Connection: close` ends in the middle of its body. */
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

/** The codes of errors that end waiting calls when bnpl closes its HTTP client. */
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
  if (/^(HPE_|UND_ERR_)/.test(code) || name === 'HTTPParserError') return 'garbled'
  return 'reset'
}

/** The message of the error is not used, because it may contain addresses. */
function faultMessage(error: unknown): string {
  const code = errorCode(error)
  return code === '' ? 'the connection failed' : code
}
