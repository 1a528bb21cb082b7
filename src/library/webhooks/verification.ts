import { eventOf } from '../../contract/events.ts'
import { INTEGRATIONS, proofOf } from '../../contract/integrations.ts'
import { readEnvelope } from '../../domain/envelope.ts'
import { readSecretText, secretLines } from '../../domain/secret.ts'
import { verifySignature, verifyToken } from '../../domain/signature.ts'
import {
  DEFAULT_SIGNATURE,
  HMAC_ALGORITHMS,
  HMAC_ENCODINGS,
  type HmacAlgorithm,
  type HmacEncoding,
  type SignatureSettings,
} from '../../domain/signature-settings.ts'
import { isRecord, rawNumbersAsText } from '../../text/json-text.ts'

/** Headers, in the form of node:http, Express, Fastify, a cloud function's event or `Request`. */
export type DeliveryHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** How deliveries of one destination are verified (specification, "Authentication"). */
export interface VerificationOptions {
  /**
   * `hmac` (the default) for a BNPL destination, `token` for a real-estate destination. This is the `verificationScheme` of the
   * destination, which the service writes as `HMAC`.
   */
  scheme?: 'hmac' | 'HMAC' | 'token'
  /**
   * The secret, or several secrets during a rotation. White space around a secret is removed. If this is a function, it is called for every
   * delivery, and not before: use one if the secret is set only when the server runs, and not during its build.
   */
  secret: string | readonly string[] | (() => string | readonly string[] | Promise<string | readonly string[]>)
  /** The hash function of the HMAC. The specification does not show which one the service uses. The default is `sha256`. */
  algorithm?: HmacAlgorithm
  /** How the signature is written, which the specification does not show. The default is `hex`. */
  encoding?: HmacEncoding
  /** The one header with the signature. By default, `service-signature` or `bancame-signature`; if both were sent, they must be equal. */
  signatureHeader?: string
  /** The one header with the token. By default, `service-webhook-secret` or `bancame-webhook-secret`. */
  tokenHeader?: string
  /** What is signed: the body, or a timestamp and the body (`t=…,signature=…`). By default (`any`), the form of the header decides. */
  signatureForm?: 'any' | 'body' | 'timestamp'
  /** How old, or how far in the future, the timestamp of a signature may be. By default, no age is refused. */
  signatureToleranceMs?: number
}

/** Why a delivery is not accepted as genuine. */
export type Distrust = 'missing' | 'wrong' | 'other-scheme'

/**
 * Returns why a delivery is not accepted as genuine; undefined when it is from the service. Throws `TypeError` when there is no secret,
 * when the body is not bytes, or for a scheme, an algorithm or an encoding that is not possible.
 * The signature or token in the header is compared in constant time. Nothing else proves the sender, because anyone can forge the rest.
 * @param body the bytes as they were received. A body that was parsed and written again has other bytes
 */
export async function verifyRawBody(
  body: Uint8Array,
  headers: DeliveryHeaders,
  options: VerificationOptions,
): Promise<Distrust | undefined> {
  requireRawBytes(body)
  const [scheme, settings] = [schemeOf(options.scheme), signatureOf(options)]
  const secrets = secretsOf(typeof options.secret === 'function' ? await options.secret() : options.secret, scheme)
  const sentAs = (name: string) => headerOf(headers, name)
  if (proofOf(sentAs, scheme === 'hmac' ? 'token' : 'hmac', settings.headers) !== undefined) return 'other-scheme'
  const given = proofOf(sentAs, scheme, settings.headers)
  if (given === undefined || given === '') return 'missing'
  const isBelieved = scheme === 'hmac' ? verifySignature(given, body, secrets, settings) : verifyToken(given, secrets)
  return isBelieved ? undefined : 'wrong'
}

/** Returns the scheme of an option. Throws `TypeError` for another word, because every genuine delivery would be refused. */
export function schemeOf(given: VerificationOptions['scheme'] = 'hmac'): 'hmac' | 'token' {
  return oneOf('scheme', String(given).toLowerCase(), [BNPL.scheme, REAL_ESTATE.scheme])
}

/** Returns how signatures are made, with the defaults. Throws `TypeError` for an algorithm or an encoding that is not possible. */
export function signatureOf({
  algorithm = DEFAULT_SIGNATURE.algorithm,
  encoding = DEFAULT_SIGNATURE.encoding,
  signatureHeader: hmac,
  tokenHeader: token,
  signatureForm = 'any',
  signatureToleranceMs: toleranceMs,
}: Partial<VerificationOptions>): SignatureSettings {
  if (toleranceMs !== undefined && !(toleranceMs >= 0))
    throw new TypeError('the option signatureToleranceMs must be a number of milliseconds')
  return {
    form: oneOf('signatureForm', signatureForm, ['any', 'body', 'timestamp']),
    toleranceMs,
    headers: {
      ...(hmac !== undefined && { hmac: hmac.toLowerCase() }),
      ...(token !== undefined && { token: token.toLowerCase() }),
    },
    algorithm: oneOf('algorithm', algorithm, HMAC_ALGORITHMS),
    encoding: oneOf('encoding', encoding, HMAC_ENCODINGS),
  }
}

function oneOf<Word extends string>(option: string, given: string, words: readonly Word[]): Word {
  const known = words.find((word) => word === given)
  if (known !== undefined) return known
  throw new TypeError(`the option ${option} must be one of ${words.join(', ')}`)
}

const { bnpl: BNPL, 'real-estate': REAL_ESTATE } = INTEGRATIONS

/**
 * Returns the secrets in an option, without white space around them. As in a file, each line of a text is a secret of its own. Throws
 * `TypeError` if there is none, or for one that cannot be a secret, because no genuine delivery would match it, or every forger could use it.
 */
export function secretsOf(given: unknown, scheme: 'hmac' | 'token'): readonly string[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  if (list.length === 0) throw badSecret('is missing: the list is empty')
  return list.flatMap((each, i) => {
    const lines: readonly unknown[] = typeof each === 'string' && each.trim() !== '' ? secretLines(each) : [each]
    return lines.map((line) => {
      const read = readSecretText(line, scheme === 'hmac' ? 'signing' : 'token')
      if (read.ok) return read.secret
      throw badSecret(list.length === 1 ? read.reason : `number ${i + 1} ${read.reason}`)
    })
  })
}

/** A program that is built, such as one for Next.js, runs its modules during the build, where the secret is usually not set. */
const badSecret = (reason: string): TypeError =>
  new TypeError(
    `the webhook secret ${reason}. Set the environment variable that contains it. If it is set only when the server runs, and not during the build, pass a function: secret: () => process.env.BNPL_WEBHOOK_SECRET ?? ''`,
  )

/** Whether a request has the header of a scheme. Without it, no body can make the request genuine. */
export function isSigned(
  headers: DeliveryHeaders,
  scheme: 'hmac' | 'token',
  settings: SignatureSettings = DEFAULT_SIGNATURE,
): boolean {
  return Boolean(proofOf((name) => headerOf(headers, name), scheme, settings.headers))
}

/** Returns the value of a header. If the header was sent several times, its values are joined to one text, which matches no signature. */
function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const values = Object.entries(headers).flatMap(([each, value]) => (each.toLowerCase() === name ? (value ?? []) : []))
  return values.length === 0 ? undefined : values.join(', ')
}

/** Whether headers are a `Headers` object. Its class is not checked, because a framework may have its own `Headers` class. */
const isHeaders = (headers: DeliveryHeaders): headers is Headers => typeof headers.get === 'function'

/** Whether a body is a `Uint8Array`. Its class is not checked, because each context of `node:vm`, such as a test of jest, has its own. */
export const isRawBytes = (body: unknown): body is Uint8Array =>
  ArrayBuffer.isView(body) && Object.prototype.toString.call(body) === '[object Uint8Array]'

/** Throws `TypeError` if a body is not a `Uint8Array` (such as a `Buffer`), because the signature is computed over the raw bytes. */
export function requireRawBytes(body: unknown): asserts body is Uint8Array {
  if (isRawBytes(body)) return
  throw new TypeError(
    `the body is ${kindOf(body)}, not a Uint8Array. Pass the raw bytes that the server received, because the signature is computed over them`,
  )
}

/** Returns what a value is, in words. Only the name of its kind is used, never its content. */
function kindOf(body: unknown): string {
  if (body === undefined || body === null) return 'missing'
  if (typeof body === 'string') return 'text'
  if (typeof body !== 'object') return `a ${typeof body}`
  if (Array.isArray(body)) return 'a list'
  if ('pipe' in body || 'getReader' in body || Symbol.asyncIterator in body) return 'a stream'
  const kind = Object.prototype.toString.call(body).slice('[object '.length, -1)
  if (kind !== 'Object') return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`
  return 'type' in body && body.type === 'Buffer' ? 'a Buffer that was written as JSON' : 'an object'
}

/** The fields of an event. A whole number that JavaScript cannot hold exactly, such as an id of 19 digits, is text with the digits that were sent. */
export type EventData = Readonly<Record<string, unknown>>

interface Received<Name extends string> {
  /** The type of the event. The envelope does not contain it, so it is derived from the scheme and the fields. */
  event: Name
  /** The id of the event. It is the same in every delivery of the event, so that the event can be processed only once. */
  eventId: string
  /** The `data` of the envelope. The specification names few of its fields. */
  data: EventData
}

/** A loan was granted. Verify the loan (`verifyLoan`) before you send the goods, because the loan may have changed since the event. */
export type LoanApproved = Received<'loan_approved'>

/** A new lead, before any evaluation. The event is sent only once and must be answered within 3 s. */
export type NewLead = Received<'new_lead'>

/** The evaluation of a lead is finished. */
export interface PreApprove extends Received<'pre_approve'> {
  /** `idPreAprobacion`, with which the report can be downloaded at any time (`getInforme`). Undefined if it is missing. */
  preApproveId: string | undefined
  /** A signed link to the report. Keep it secret, because anyone who has the link can read the report without an API key. */
  urlInforme: string | undefined
}

/** Every event of the service (specification, "Webhook events"). */
export type WebhookEvent = LoanApproved | NewLead | PreApprove

/** An event, or the reason why a body is not an event. */
export type EventResult = { ok: true; event: WebhookEvent } | { ok: false; reason: string }

/**
 * Reads the body of a delivery. Does not verify the body, so verify the same bytes first. Throws `TypeError` if the body is not bytes,
 * or for an unknown scheme.
 * @param scheme the scheme of the destination, which limits the possible events
 */
export function readEvent(body: Uint8Array, scheme: VerificationOptions['scheme']): EventResult {
  requireRawBytes(body)
  const read = readEnvelope(body)
  if (!read.ok) return { ok: false, reason: read.reason }
  const { eventId } = read.envelope
  const data = rawNumbersAsText(read.envelope.data)
  if (!isRecord(data)) return { ok: false, reason: 'its data is not an object' }
  const event = eventOf(schemeOf(scheme), data)
  if (event !== 'pre_approve') return { ok: true, event: { event, eventId, data } }
  const { idPreAprobacion, urlInforme } = data
  return {
    ok: true,
    event: { event, eventId, data, preApproveId: text(idPreAprobacion), urlInforme: text(urlInforme) },
  }
}

/** Returns an id or an address as text, because the service may send an id as a number. */
const text = (value: unknown): string | undefined => {
  const is = Number.isSafeInteger(value) ? String(value) : value
  return typeof is === 'string' && is !== '' ? is : undefined
}
