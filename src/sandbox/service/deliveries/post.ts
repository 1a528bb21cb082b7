import { type ClientRequest, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { RECEIVER_ANSWER_BYTES } from '../../../contract/integrations.ts'
import { BodyBytes } from '../../../domain/body-bytes.ts'
import type { Service } from '../service.ts'
import { guardedLookup, mayConnect, PrivateAddress } from './private-addresses.ts'

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

interface Post {
  method?: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body: Uint8Array
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

/** Sends a delivery. Redirects are not followed, and at most `RECEIVER_ANSWER_BYTES` of the answer are read. Never throws. */
export function post({
  method = 'POST',
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
      method,
      headers: { ...headers, ...(method === 'POST' && { 'content-length': String(body.length) }), connection: 'close' },
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
    request.end(method === 'POST' ? body : undefined)
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
