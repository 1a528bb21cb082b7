import type { IncomingHttpHeaders } from 'node:http'
import { proofOf, SCHEME_HEADERS, type VerificationScheme } from '../../contract/integrations.ts'
import type { Clock } from '../../domain/clock.ts'
import { sign, signWithTime, verifySignature, verifyToken } from '../../domain/signature.ts'
import type { SignatureSettings } from '../../domain/signature-settings.ts'
import { singleHeader } from '../../http-server/request.ts'

export type VerificationFailure = 'missing' | 'wrong' | 'other-scheme'

/** The valid secrets, newest first. They may change while the receiver runs. */
export interface SecretsInForce {
  current(): readonly string[]
  /** Reads the secrets again, at most every second. Returns whether they changed. */
  refresh(): Promise<boolean>
}

export interface VerifierOptions {
  /** The scheme is fixed when the receiver starts, so a sender cannot choose it. */
  scheme: VerificationScheme
  signature: SignatureSettings
  secrets: SecretsInForce
  /** For the age of a timestamp. */
  clock?: Pick<Clock, 'now'>
}

/**
 * Checks whether a delivery is from the service, by its header and its raw bytes. A delivery with the other scheme's header is refused,
 * because it is meant for another integration.
 * @returns undefined when the delivery is valid, otherwise why it is not
 */
export function verifyDelivery(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  options: VerifierOptions,
): VerificationFailure | undefined {
  const { scheme, signature, secrets } = options
  // A header that was sent twice arrives as one joined text, which is not a valid signature or token.
  const sentAs = (name: string) => singleHeader(headers, name)
  const given = proofOf(sentAs, scheme, signature.headers)
  if (proofOf(sentAs, scheme === 'hmac' ? 'token' : 'hmac', signature.headers) !== undefined) return 'other-scheme'
  if (given === undefined || given === '') return 'missing'
  const isValid =
    scheme === 'hmac'
      ? verifySignature(given, body, secrets.current(), signature, options.clock?.now())
      : verifyToken(given, secrets.current())
  return isValid ? undefined : 'wrong'
}

/** Verifies a `wrong` delivery again if the secrets have changed. Returns `wrong` if they have not changed. */
export async function verifyDeliveryAgain(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  options: VerifierOptions,
): Promise<VerificationFailure | undefined> {
  return (await options.secrets.refresh()) ? verifyDelivery(headers, body, options) : 'wrong'
}

/**
 * Says why a delivery failed verification, for the operator.
 * @param check the command that checks a signature
 */
export function explainVerificationFailure(
  failure: VerificationFailure,
  scheme: VerificationScheme,
  check: string,
): string {
  const [own, other] = scheme === 'hmac' ? (['hmac', 'token'] as const) : (['token', 'hmac'] as const)
  switch (failure) {
    case 'missing':
      return `it has no ${SCHEME_HEADERS[own][0]} header`
    case 'other-scheme':
      return `it has a ${SCHEME_HEADERS[other][0]} header, but this listener verifies ${own}. To receive such deliveries, use --scheme ${other}`
    case 'wrong':
      return own === 'hmac'
        ? `its signature does not match the secret (run ${check} with the raw body to see why)`
        : 'its token is not the token of this listener'
  }
}

export interface DeliverySigner {
  scheme: VerificationScheme
  signature: SignatureSettings
  secret: string
}

/** Returns the header under which the service sends a signature or a token. */
export const headerSent = ({ scheme, signature }: Omit<DeliverySigner, 'secret'>): string =>
  signature.sent?.[scheme] ?? SCHEME_HEADERS[scheme][0]

/**
 * Returns the header that proves that the service sent this body.
 * @param now ms since 1970, for a signature with a timestamp
 */
export function proofHeader(
  body: Uint8Array,
  signer: DeliverySigner,
  now: number = Date.now(),
): Record<string, string> {
  const { scheme, signature, secret } = signer
  const signed = () =>
    signature.sent?.timed
      ? signWithTime(body, secret, signature, Math.floor(now / 1000))
      : sign(body, secret, signature)
  return { [headerSent(signer)]: scheme === 'hmac' ? signed() : secret }
}
