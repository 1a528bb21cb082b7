import type { Advice, CertificateProblem } from '../advice.ts'
import type { FaultKind, WireFault } from '../contract/wire.ts'
import type { ErrorKind } from '../errors.ts'

interface FaultInWords {
  kind: ErrorKind
  /** What happened, as a clause with the error code: `nothing answers at this address (ECONNREFUSED)`. */
  what: string
  hint: string
  advice: Advice
}

const BASE_ADDRESS = { hint: 'Check the base address.', advice: { id: 'check-base-address' } } as const
const REPEAT = { hint: 'Repeat the call, which is safe.', advice: { id: 'repeat' } } as const

const FAULTS: Record<FaultKind, FaultInWords> = {
  refused: {
    kind: 'network',
    what: 'nothing answers at this address',
    hint: 'Check the base address and that the service is up.',
    advice: { id: 'check-address' },
  },
  dns: {
    kind: 'network',
    what: 'the host name was not found',
    hint: 'Check the base address and the DNS.',
    advice: { id: 'check-name-service' },
  },
  tls: {
    kind: 'network',
    what: 'the secure connection failed',
    hint: 'Check the base address. If a private certificate authority signed the server’s certificate, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of this authority.',
    advice: { id: 'check-certificate', problem: 'unknown' },
  },
  proxy: {
    kind: 'network',
    what: 'no connection through the proxy',
    hint: 'Check HTTPS_PROXY and NO_PROXY.',
    advice: { id: 'check-proxy' },
  },
  reset: { kind: 'network', what: 'the connection was cut off', ...REPEAT },
  timeout: {
    kind: 'network',
    what: 'no complete answer arrived in time',
    hint: 'Repeat the call, which is safe, and allow more time.',
    advice: { id: 'allow-more-time' },
  },
  'too-large': { kind: 'service', what: 'the answer is too large to come from this service', ...BASE_ADDRESS },
  garbled: { kind: 'service', what: 'the answer is not valid HTTP', ...BASE_ADDRESS },
  aborted: { kind: 'network', what: 'the call was interrupted', ...REPEAT },
}

/** Returns the meaning of a fault, as a clause: `nothing answers at this address`. */
export const faultWords = (kind: FaultKind): string => FAULTS[kind].what

export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[]

/** Returns the code of a fault in JSON, such as `REFUSED` or `TOO_LARGE`. */
export const faultCode = (kind: FaultKind): string => kind.toUpperCase().replace('-', '_')

/** Returns a fault in words: what happened, and what to do about it. */
export function describeFault(fault: WireFault): FaultInWords {
  const general = FAULTS[fault.kind]
  const code = /^[A-Z][A-Z0-9_]+$/.test(fault.message) ? fault.message : undefined
  const detail = code === undefined ? '' : ` (${code})`
  const what = `${general.what}${detail}`
  const { proxy, missingAuthorities, shredded } = fault.facts
  if (shredded)
    return { ...general, what: 'the answer comes in thousands of chunks of a few bytes, so it was not read to its end' }
  if (proxy)
    return {
      ...general,
      what: `${proxyWords(fault.kind, proxy)}${detail}`,
      hint: proxyHint(proxy.status),
      advice: {
        id: 'check-proxy',
        proxy: proxy.name,
        ...(proxy.status === undefined ? {} : { status: proxy.status }),
      },
    }
  if (fault.kind !== 'tls') return { ...general, what }
  if (missingAuthorities !== undefined) {
    return {
      ...general,
      what: `${what}, and NODE_EXTRA_CA_CERTS names ${missingAuthorities}, which cannot be read`,
      hint: 'Set NODE_EXTRA_CA_CERTS to a PEM file that you can read. It must contain the certificate of the authority that signed the server’s certificate.',
      advice: { id: 'check-certificate', problem: 'authorities-unread' },
    }
  }
  const known = CERTIFICATES[code ?? '']
  if (known === undefined) return { ...general, what }
  const [problem, hint] = known
  return { ...general, what, hint, advice: { id: 'check-certificate', problem } }
}

type ProxyFacts = NonNullable<WireFault['facts']['proxy']>

function proxyWords(kind: FaultKind, { name, status }: ProxyFacts): string {
  if (status === 407) return `the proxy ${name} requires a user and a password, or refused those in HTTPS_PROXY (407)`
  if (status === 403) return `the proxy ${name} does not allow this address (403)`
  if (status !== undefined) return `the proxy ${name} could not connect to the address (${status})`
  if (kind === 'refused') return `nothing answers at the proxy ${name}`
  if (kind === 'dns') return `the name of the proxy ${name} was not found`
  return kind === 'tls' ? `the secure connection to the proxy ${name} failed` : `the proxy ${name} did not connect`
}

function proxyHint(status: number | undefined): string {
  if (status === 407) return 'Set HTTPS_PROXY with the right user and password: http://user:password@proxy.example:3128'
  if (status === 403) return 'Ask the operator of the proxy to allow the address, or add the address to NO_PROXY.'
  return status === undefined
    ? 'Check HTTPS_PROXY and that the proxy is up. Nothing was sent.'
    : 'Ask the operator of the proxy for the reason, or add the address to NO_PROXY. Nothing was sent.'
}

type CertificateHint = readonly [problem: CertificateProblem, hint: string]

const OTHER_NAME: CertificateHint = [
  'other-name',
  'Check the host name in the base address, because the certificate is for another name.',
]
const AUTHORITY: CertificateHint = [
  'unknown-authority',
  'Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of the authority that signed the server’s certificate.',
]
const NO_TLS: CertificateHint = ['no-tls', 'Check the base address, because its port does not speak TLS.']

const CERTIFICATES: Readonly<Record<string, CertificateHint>> = {
  CERT_HAS_EXPIRED: [
    'expired',
    'Ask the operator of the service for a new certificate, and check the clock of this machine.',
  ],
  CERT_NOT_YET_VALID: [
    'not-yet-valid',
    'Check the clock of this machine. If the clock is right, tell the operator of the service about the certificate.',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME,
  HOSTNAME_MISMATCH: OTHER_NAME,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'self-signed',
    'Set NODE_EXTRA_CA_CERTS to the certificate of the server (PEM), if the server is yours. Otherwise check the base address.',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: ['no-tls', 'Check the base address, because its port probably does not speak TLS.'],
}
