import type { Advice, CertificateProblem } from '../../errors.ts'
import type { WireFailure, WireFailureKind } from '../wire.ts'
import { type Guidance, guidance } from './advice.ts'

interface FailureInWords extends Guidance {
  kind: 'network' | 'service'
  /** What happened, as a clause with the error code: `nothing answers at this address (ECONNREFUSED)`. */
  what: string
}

/** What each failure of a connection means, and what to do about it. */
const FAILURES: Record<WireFailureKind, { kind: FailureInWords['kind']; what: string; advice: Advice }> = {
  refused: { kind: 'network', what: 'nothing answers at this address', advice: { id: 'check-address' } },
  dns: { kind: 'network', what: 'the host name was not found', advice: { id: 'check-name-service' } },
  tls: {
    kind: 'network',
    what: 'the secure connection failed',
    advice: { id: 'check-certificate', problem: 'unknown' },
  },
  proxy: { kind: 'network', what: 'no connection through the proxy', advice: { id: 'check-proxy' } },
  reset: { kind: 'network', what: 'the connection was cut off', advice: { id: 'repeat' } },
  timeout: { kind: 'network', what: 'no complete answer arrived in time', advice: { id: 'allow-more-time' } },
  'too-large': {
    kind: 'service',
    what: 'the answer is too large to come from this service',
    advice: { id: 'check-base-address' },
  },
  garbled: { kind: 'service', what: 'the answer is not valid HTTP', advice: { id: 'check-base-address' } },
  aborted: { kind: 'network', what: 'the call was interrupted', advice: { id: 'repeat' } },
}

const CERTIFICATES: Readonly<Record<string, CertificateProblem>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other-name',
  HOSTNAME_MISMATCH: 'other-name',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown-authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown-authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no-tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no-tls',
  EPROTO: 'no-tls',
}

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

/** Returns the kind of failure that an error code of Node, OpenSSL or undici means; undefined for an unknown code. */
export function kindOfCode(code: string): WireFailureKind | undefined {
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

/** Returns the meaning of a failure, as a clause: `nothing answers at this address`. */
export const wireFailureWords = (kind: WireFailureKind): string => FAILURES[kind].what

export const WIRE_FAILURE_KINDS = Object.keys(FAILURES) as WireFailureKind[]

/** Returns the code of a failure in JSON, such as `REFUSED` or `TOO_LARGE`. */
export const wireFailureCode = (kind: WireFailureKind): string => kind.toUpperCase().replace('-', '_')

/** Returns a failure in words: what happened, and what to do about it. */
export function describeWireFailure(failure: WireFailure): FailureInWords {
  const code = /^[A-Z][A-Z0-9_]+$/.test(failure.message) ? failure.message : undefined
  const detail = code === undefined ? '' : ` (${code})`
  const { what, advice } = inDetail(failure, code, detail)
  return { kind: FAILURES[failure.kind].kind, what, ...guidance(advice) }
}

function inDetail(failure: WireFailure, code: string | undefined, detail: string): { what: string; advice: Advice } {
  const { what: general, advice } = FAILURES[failure.kind]
  const what = `${general}${detail}`
  const { proxy, missingAuthorities, shredded } = failure.facts
  if (shredded)
    return { what: 'the answer comes in thousands of chunks of a few bytes, so it was not read to its end', advice }
  if (proxy) {
    const { name, status } = proxy
    return {
      what: `${proxyWords(failure.kind, proxy)}${detail}`,
      advice: { id: 'check-proxy', proxy: name, ...(status === undefined ? {} : { status }) },
    }
  }
  if (failure.kind !== 'tls') return { what, advice }
  if (missingAuthorities !== undefined)
    return {
      what: `${what}, and NODE_EXTRA_CA_CERTS names ${missingAuthorities}, which cannot be read`,
      advice: { id: 'check-certificate', problem: 'authorities-unread' },
    }
  return { what, advice: { id: 'check-certificate', problem: CERTIFICATES[code ?? ''] ?? 'unknown' } }
}

type ProxyFacts = NonNullable<WireFailure['facts']['proxy']>

function proxyWords(kind: WireFailureKind, { name, status }: ProxyFacts): string {
  if (status === 407) return `the proxy ${name} requires a user and a password, or refused those in HTTPS_PROXY (407)`
  if (status === 403) return `the proxy ${name} does not allow this address (403)`
  if (status !== undefined) return `the proxy ${name} could not connect to the address (${status})`
  if (kind === 'refused') return `nothing answers at the proxy ${name}`
  if (kind === 'dns') return `the name of the proxy ${name} was not found`
  return kind === 'tls' ? `the secure connection to the proxy ${name} failed` : `the proxy ${name} did not connect`
}
