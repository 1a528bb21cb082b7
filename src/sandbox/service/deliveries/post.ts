import { type ClientRequest, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { answerOf, type ServiceDescription } from '../../../contract/description.ts'
import { EVENTS } from '../../../contract/events.ts'
import { RECEIVER_ANSWER_BYTES } from '../../../contract/integrations.ts'
import { withParameters } from '../../../domain/addresses.ts'
import { BodyBytes, deliveryText } from '../../../domain/body-bytes.ts'
import { DELIVERY_JITTER } from '../../conventions.ts'
import { loanApprovedRecord, termsOf } from '../../records/records.ts'
import { isOfListener, partnerWebhooks } from '../../store/deliveries.ts'
import { findWidgetSession } from '../../store/payments.ts'
import { newId } from '../../store/store.ts'
import { type EventRow, toJsonColumn, type WebhookRow } from '../../store/tables.ts'
import { deliveryAs, newEventId, proofAs } from '../described.ts'
import { offersOf, readWidgetToken } from '../payments.ts'
import type { Service } from '../service.ts'
import { guardedLookup, mayConnect, PrivateAddress } from './private-addresses.ts'

/**
 * Returns how long a receiver may take to answer, in ms: 3 s for new_lead, as specified. For other events the description says it (gap 12).
 */
export function timeoutOf(type: EventRow['type'], description: ServiceDescription): number {
  return EVENTS[type].timeoutMs ?? answerOf(description, 'deliveryTimeout')
}

/** Returns a constant in place of a random number, so that every wait is exactly as long as in the settings. */
export const NO_JITTER = () => 0.5

/**
 * Returns the wait before the next attempt, in ms; undefined if there is no next attempt. A new_lead is never sent again (specification:
 * "Limits"). Other events follow the waits in the settings, ±20 %. A receiver's Retry-After replaces the wait, but is limited to between
 * one and two times the wait in the settings.
 * @param attempts how many attempts were made so far
 */
export function nextWait(
  type: EventRow['type'],
  attempts: number,
  steps: readonly number[],
  random: () => number,
  retryAfterMs: number | null,
): number | undefined {
  const step = steps[attempts - 1]
  if (EVENTS[type].isSentOnce || step === undefined) return undefined
  const jittered = step * (1 - DELIVERY_JITTER + 2 * DELIVERY_JITTER * random())
  const asked = retryAfterMs === null ? jittered : Math.min(2 * step, Math.max(step, retryAfterMs))
  return Math.round(asked)
}

export interface Message {
  /** POST by default. */
  method?: 'GET'
  headers: Record<string, string>
  body: Uint8Array
}

/**
 * Returns the body of a delivery: `eventId` and `data`, without the type of the event (specification: "Webhook events"). Its bytes are the
 * same for every destination and retry. For its unusual spaces and escapes, see `deliveryText`.
 */
export function deliveryBody(
  event: Pick<EventRow, 'id' | 'data' | 'type'>,
  description: ServiceDescription,
): Uint8Array {
  const own = Buffer.from(deliveryText(`{"eventId":${JSON.stringify(event.id)},"data":${event.data}}`))
  return deliveryAs(description, event.type, own)
}

/**
 * Returns the body and the headers of a delivery, including the header with which the destination verifies it.
 * @param now the sandbox's time, in ms since 1970
 */
export function messageFor(
  webhook: Pick<WebhookRow, 'verificationScheme' | 'secret'>,
  body: Uint8Array,
  description: ServiceDescription,
  now: number,
): Message {
  const headers: Record<string, string> = {
    'content-type': answerOf(description, 'deliveryType'),
    'user-agent': 'bnpl-sandbox',
  }
  const [header, proof] = proofAs(description, webhook.verificationScheme, body, webhook.secret, now)
  return { headers: { ...headers, [header]: proof }, body }
}

/** Returns a destination for which `messageFor` makes a wrong signature or token. */
export const withWrongSecret = <Webhook extends Pick<WebhookRow, 'secret'>>(webhook: Webhook): Webhook => ({
  ...webhook,
  secret: `${webhook.secret}-corrupt`,
})

/** How late a timer may be in a process that is not busy, in ms. */
const HELD_UP_MS = 100

/** The time in which a process reads an answer that has already arrived, in ms. */
const ARRIVED_MS = 100

/** The result of an attempt: the receiver's answer, or in `error` the reason why there was no answer. */
export interface PostResult {
  status: number | null
  answer: string
  error: string | null
  ms: number
  retryAfterMs: number | null
}

interface Post extends Message {
  url: string
  /** The time limit of the whole attempt, from the name lookup to the last byte of the answer that is read. */
  timeoutMs: number
  /**
   * The longest time of the attempt, in ms (default: twice the time limit). If this process was suspended during the attempt, the attempt
   * gets extra time, but not more than this in all. If this time has passed when the process continues, only data that have already arrived
   * are read.
   */
  longestMs?: number
  allowLoopback: boolean
  monotonic: () => number
}

/** Returns where and how a message for a destination is sent. */
export const toDestination = (
  { description, allowHttp, clock }: Service,
  webhook: WebhookRow,
  type: EventRow['type'],
): Omit<Post, keyof Message> => ({
  url: webhook.url,
  timeoutMs: timeoutOf(type, description),
  allowLoopback: allowHttp || isOfListener(webhook),
  monotonic: clock.monotonic,
})

/** Sends a delivery. Redirects are not followed, and at most `RECEIVER_ANSWER_BYTES` of the answer are read. Never throws. */
export function post({
  method,
  url,
  headers,
  body,
  timeoutMs,
  longestMs = 2 * timeoutMs,
  allowLoopback,
  monotonic,
}: Post): Promise<PostResult> {
  const started = monotonic()
  const target = new URL(url)
  const host = target.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    let over = false
    let request: ClientRequest | undefined
    const end = (result: Partial<PostResult>) => {
      if (over) return
      over = true
      clearTimeout(timer)
      request?.destroy()
      resolve({
        status: null,
        answer: '',
        error: null,
        retryAfterMs: null,
        ...result,
        ms: Math.round(monotonic() - started),
      })
    }
    const tooLate = () => end({ error: `no answer within ${timeoutMs} ms` })
    let timer = setTimeout(() => {
      // A process that was busy runs its timers before it reads the data that arrived in the meantime. So extend the
      // limit by the busy time.
      const passedMs = monotonic() - started
      const heldUpMs = passedMs - timeoutMs
      const extensionMs = Math.max(ARRIVED_MS, Math.min(heldUpMs, timeoutMs, longestMs - passedMs))
      if (heldUpMs > HELD_UP_MS) timer = setTimeout(tooLate, extensionMs)
      else tooLate()
    }, timeoutMs)
    // An IP address is checked here, because it is not looked up, so `guardedLookup` does not see it.
    if (isIP(host) !== 0 && !mayConnect(host, allowLoopback)) {
      return end({ error: `${host} is a private address` })
    }
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest
    request = send(target, {
      method: method ?? 'POST',
      headers: { ...headers, ...(method !== 'GET' && { 'content-length': String(body.length) }), connection: 'close' },
      lookup: guardedLookup(allowLoopback),
      agent: false,
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      end({ error: error instanceof PrivateAddress ? error.message : (error.code ?? error.message) })
    })
    request.on('response', (response) => {
      const received = new BodyBytes()
      const done = () =>
        end({
          status: response.statusCode ?? null,
          answer: received.bytes().subarray(0, RECEIVER_ANSWER_BYTES).toString('utf8'),
          retryAfterMs: seconds(response.headers['retry-after']),
        })
      response.on('data', (chunk: Buffer) => {
        received.add(chunk)
        if (received.size >= RECEIVER_ANSWER_BYTES || received.isShredded) done()
      })
      response.on('end', done)
      response.on('aborted', () => end({ error: 'the answer was cut off' }))
    })
    request.end(method === 'GET' ? undefined : body)
  })
}

const VISIT_TIMEOUT_MS = 5_000

/** Requests the address to which a customer returns after the payment, as the customer's browser would. Never throws. */
export async function visitMerchant(
  { clock, allowHttp }: Pick<Service, 'clock' | 'allowHttp'>,
  address: string,
): Promise<void> {
  await post({
    method: 'GET',
    url: address,
    headers: { 'user-agent': 'bnpl-sandbox' },
    body: new Uint8Array(),
    timeoutMs: VISIT_TIMEOUT_MS,
    allowLoopback: allowHttp,
    monotonic: clock.monotonic,
  })
}

function seconds(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : null
}

/** How a false delivery differs from a genuine one. */
export interface FalseDelivery {
  /** The secret with which it is signed; undefined for a wrong one. */
  secret?: string
  /** Whether the proof is of the other scheme than that of the destination. */
  isOtherScheme?: boolean
  /** Whether the delivery is genuine, but about a transaction that the merchant does not know. */
  isOfAnother?: boolean
}

/**
 * Sends a false delivery to every destination of a merchant, as an attacker would. The delivery reports a loan for the payment to which the
 * widget token belongs. The sandbox stores nothing about this delivery.
 * @returns the answers of the destinations; an empty list if the token does not belong to a payment
 */
export async function sendFalseLoanApproved(
  service: Service,
  widgetToken: string,
  { secret, isOtherScheme = false, isOfAnother = false }: FalseDelivery = {},
): Promise<PostResult[]> {
  const { store, clock, signingSecret, description } = service
  const signed = await readWidgetToken(signingSecret, widgetToken)
  const session = signed && findWidgetSession(store.db, signed.sessionId)
  if (session === undefined) return []
  const now = clock.now()
  const { approved, options, selected } = offersOf(store.db, session, description)
  const option = selected ?? options[0]
  if (option === undefined) return []
  const data = loanApprovedRecord({
    externalTrxId: isOfAnother ? `another-${session.externalTrxId}` : session.externalTrxId,
    preApproveId: isOfAnother ? newId(now) : (approved?.id ?? newId(now)),
    ...termsOf(session.amount, option, now),
  })
  const body = deliveryBody(
    { id: newEventId(description, now), type: 'loan_approved', data: toJsonColumn(data) },
    description,
  )
  const webhooks = partnerWebhooks(store.db, session.partnerId)
  return Promise.all(
    webhooks.map((webhook) => {
      const other = webhook.verificationScheme === 'hmac' ? 'token' : 'hmac'
      const as = {
        verificationScheme: isOtherScheme ? other : webhook.verificationScheme,
        secret: secret ?? (isOfAnother ? webhook : withWrongSecret(webhook)).secret,
      } as const
      return post({ ...messageFor(as, body, description, now), ...toDestination(service, webhook, 'loan_approved') })
    }),
  )
}

/**
 * Opens the success address of a hosted payment page, as anybody could who knows it: with the parameters of its transaction, and then with
 * those of another.
 * @param fields the parameters with which the page was opened
 * @returns whether the widget token belongs to a payment
 */
export async function openSuccessAddress(service: Service, fields: URLSearchParams): Promise<boolean> {
  const { store, clock, signingSecret } = service
  const signed = await readWidgetToken(signingSecret, fields.get('widgetToken') ?? '')
  const session = signed && findWidgetSession(store.db, signed.sessionId)
  const success = fields.get('successReturnUrl')
  if (session === undefined || success === null || !URL.canParse(success)) return false
  for (const externalTrxId of [session.externalTrxId, `another-${session.externalTrxId}`])
    await visitMerchant(service, withParameters(success, { preApproveId: newId(clock.now()), externalTrxId }))
  return true
}
