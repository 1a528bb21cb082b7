import type { WireFault } from '../contract/wire.ts'
import type { ErrorKind } from '../errors.ts'

/** A fault as an error says it. */
export interface FaultWords {
  kind: ErrorKind
  /** A clause, with the code of the system or the library: `nothing answers at this address (ECONNREFUSED)`. */
  what: string
  /** What would mend it. */
  hint: string
}

const FAULTS: Record<WireFault['kind'], [kind: ErrorKind, what: string, hint: string]> = {
  refused: [
    'network',
    'nothing answers at this address',
    'Check the base address and that the service is up: bnpl doctor',
  ],
  dns: ['network', 'its name was not found', 'Check the base address and the name service: bnpl doctor'],
  tls: [
    'network',
    'the secure connection failed',
    'A private certificate authority goes into NODE_EXTRA_CA_CERTS; see bnpl doctor.',
  ],
  proxy: ['network', 'the proxy did not connect', 'Check HTTPS_PROXY and NO_PROXY: bnpl doctor'],
  reset: ['network', 'the connection was cut', 'It is safe to run this again.'],
  timeout: ['network', 'no whole answer came in time', 'It is safe to run this again; --timeout 60s allows more time.'],
  'too-large': [
    'service',
    'the answer is larger than any answer of this service',
    'Is the base address right? See bnpl doctor.',
  ],
  garbled: ['service', 'the answer is not HTTP as it should be', 'Is the base address right? See bnpl doctor.'],
  aborted: ['network', 'it was interrupted', 'It is safe to run this again.'],
}

/** What a fault means, as a clause: `nothing answers at this address`. */
export const faultWords = (kind: WireFault['kind']): string => FAULTS[kind][1]

/** What happened, and what would mend it: of a proxy and a certificate too, which a kind alone does not tell. */
export function describeFault(fault: WireFault): FaultWords {
  const [kind, ownWords, ownHint] = FAULTS[fault.kind]
  const code = /^[A-Z][A-Z0-9_]+$/.test(fault.message) ? fault.message : undefined
  const detail = code === undefined ? '' : ` (${code})`
  const { proxy, missingAuthorities } = fault.facts
  if (proxy) return { kind, what: `${proxyWords(fault.kind, proxy)}${detail}`, hint: proxyHint(proxy.status) }
  if (fault.kind !== 'tls') return { kind, what: `${ownWords}${detail}`, hint: ownHint }
  if (missingAuthorities !== undefined) {
    return {
      kind,
      what: `${ownWords}${detail}, and NODE_EXTRA_CA_CERTS names ${missingAuthorities}, which cannot be read`,
      hint: 'Name a file with the certificate of the authority (PEM) that this user can read.',
    }
  }
  return { kind, what: `${ownWords}${detail}`, hint: CERTIFICATE_HINTS[code ?? ''] ?? ownHint }
}

type ProxyFacts = NonNullable<WireFault['facts']['proxy']>

function proxyWords(kind: WireFault['kind'], { name, status }: ProxyFacts): string {
  if (status === 407) return `the proxy ${name} does not accept its user and password (407)`
  if (status === 403) return `the proxy ${name} does not allow this address (403)`
  if (status !== undefined) return `the proxy ${name} could not connect to it (${status})`
  if (kind === 'refused') return `nothing answers at the proxy ${name}`
  if (kind === 'dns') return `the name of the proxy ${name} was not found`
  return kind === 'tls' ? `the secure connection to the proxy ${name} failed` : `the proxy ${name} did not connect`
}

function proxyHint(status: number | undefined): string {
  if (status === 407) return 'Set HTTPS_PROXY with the right ones: http://user:password@proxy.example:3128'
  if (status === 403) return 'Ask its operator to allow the address, or except the address with NO_PROXY.'
  return status === undefined
    ? 'Nothing was sent. Check HTTPS_PROXY and that the proxy is up: bnpl doctor'
    : 'Nothing was sent. Ask the operator of the proxy, or except the address with NO_PROXY.'
}

const AUTHORITY = 'Name a file with the certificate of its authority (PEM) in NODE_EXTRA_CA_CERTS; see bnpl doctor.'
const OWN = 'If it is yours, name its certificate (PEM) in NODE_EXTRA_CA_CERTS; otherwise check the base address.'

/** What mends a certificate that was not believed, by the code of OpenSSL or Node. */
const CERTIFICATE_HINTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Ask the operator of the service for a new certificate, and check the clock of this machine.',
  CERT_NOT_YET_VALID: 'Check the clock of this machine; if it is right, tell the operator of the service.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Check the name in the base address: the certificate is for another one.',
  HOSTNAME_MISMATCH: 'Check the name in the base address: the certificate is for another one.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: OWN,
  ERR_SSL_WRONG_VERSION_NUMBER: 'Check the base address: its port does not speak TLS.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'Check the base address: its port does not speak TLS.',
  EPROTO: 'Check the base address: its port may not speak TLS.',
}
