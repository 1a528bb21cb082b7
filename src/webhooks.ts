import {
  type Answer,
  type FastifyPlugin,
  type FetchHandler,
  fastifyPlugin,
  fetchHandler,
  type Handling,
  type NodeHandler,
  nodeHandler,
} from './library/webhooks/adapters.ts'
import type { EventStore } from './library/webhooks/store.ts'
import {
  type DeliveryHeaders,
  isSigned,
  readEvent,
  schemeOf,
  secretsOf,
  signatureOf,
  type VerificationOptions,
  verifyRawBody,
  type WebhookEvent,
} from './library/webhooks/verification.ts'

export type { Answer, FastifyPlugin, FetchHandler, NodeHandler } from './library/webhooks/adapters.ts'
export type { EventStore } from './library/webhooks/store.ts'
export { memoryStore } from './library/webhooks/store.ts'
export type {
  DeliveryHeaders,
  Distrust,
  EventData,
  EventResult,
  LoanApproved,
  NewLead,
  PreApprove,
  VerificationOptions,
  WebhookEvent,
} from './library/webhooks/verification.ts'
export { readEvent, verifyRawBody } from './library/webhooks/verification.ts'

/** Why a delivery was refused. The reason contains nothing that helps a forger. */
export interface Refusal {
  status: 400 | 401
  /**
   * With status 401: `missing` or `wrong` (the signature or the token), or `other-scheme` (a header of the other scheme was sent).
   * With status 400: what is wrong with a body whose signature or token is valid.
   */
  reason: string
}

/** How the deliveries to one destination are handled. */
export interface WebhookOptions<Tx> extends VerificationOptions {
  /** Stores which events were processed. Without a store, an event that is sent again is processed again. */
  store?: EventStore<Tx>
  /**
   * Called with each event, inside the transaction of the `store`. With a `store`, it is called again for an event only after a failure.
   * When it returns, the service gets the answer 200. When it throws, the service gets 500 and sends the delivery again (except a
   * `new_lead`, which is sent only once). It must return within 3 s, so put long work into a queue of your own.
   */
  onEvent(event: WebhookEvent, transaction: Tx): void | Promise<void>
  /** Called with each delivery that was refused. Its own errors are passed to `onError`. */
  onRefused?(refusal: Refusal): void
  /**
   * Called with errors of `onEvent`, of the store, of `onRefused` and of a `secret` function, and when a handler was mounted in the wrong
   * place. If `onError` itself throws or rejects, that error is printed on stderr, and the process continues.
   */
  onError(error: unknown): void
  /** The largest body that is read, in bytes. The default is 1 MiB. */
  mostBytes?: number
}

/** A receiver of deliveries, as a handler for each kind of server. With `handle`, your code must send the answer. */
export interface Webhooks {
  /** For node:http, Express and Connect. In Express, mount it before `express.json()`. */
  node: NodeHandler
  /** For Fastify: `app.register(webhooks.fastify, { path: '/webhooks' })`. */
  fastify: FastifyPlugin
  /** For frameworks with `Request` and `Response`: Next, Hono, workers. */
  fetch: FetchHandler
  /**
   * For any other server. Takes the raw bytes and the headers, and returns the answer. Never throws. If the body is text or was parsed, the
   * answer is 500, and `onError` gets an error that says so.
   */
  handle(body: Uint8Array, headers: DeliveryHeaders): Promise<Answer>
}

const MOST_BYTES = 1024 * 1024

/**
 * Returns a receiver for the deliveries of one destination. It verifies the raw bytes, reads the event, passes it to `onEvent`, and
 * answers. Throws `TypeError` if the secret, `onEvent` or `onError` is missing, or if the scheme, the algorithm or the encoding is not
 * possible.
 */
export function createWebhooks<Tx = void>(options: WebhookOptions<Tx>): Webhooks {
  const scheme = schemeOf(options.scheme)
  const signature = signatureOf(options)
  if (typeof options.secret !== 'function') secretsOf(options.secret, scheme)
  for (const name of ['onEvent', 'onError'] as const)
    if (typeof options[name] !== 'function') throw new TypeError(`${name} is missing. It must be a function`)
  const onError = guarded(
    (error: unknown) => options.onError(error),
    // biome-ignore lint/suspicious/noConsole: an error of the error handler itself has no other place.
    (error) => console.error('bnpl/webhooks: onError failed:', error),
  )
  const onRefused = guarded((refusal: Refusal) => options.onRefused?.(refusal), onError)
  const handling: Handling = {
    onError,
    mostBytes: options.mostBytes ?? MOST_BYTES,
    isSigned: (headers) => isSigned(headers, scheme, signature),
    async handle(body, headers) {
      try {
        return await receive(body, headers, { ...options, scheme, onRefused })
      } catch (error) {
        onError(error)
        return { status: 500, text: 'fault\n' }
      }
    },
  }
  return {
    node: nodeHandler(handling),
    fastify: fastifyPlugin(handling),
    fetch: fetchHandler(handling),
    handle: handling.handle,
  }
}

/** Returns a listener that never throws or rejects. Its errors are passed to `failed`, so that they neither change the answer nor end the process. */
function guarded<T>(listen: (what: T) => unknown, failed: (error: unknown) => void): (what: T) => void {
  return (what) => {
    try {
      // A listener may be an `async` function, whose errors are rejections.
      Promise.resolve(listen(what)).catch(failed)
    } catch (error) {
      failed(error)
    }
  }
}

async function receive<Tx>(body: Uint8Array, headers: DeliveryHeaders, options: WebhookOptions<Tx>): Promise<Answer> {
  const { scheme, store, onEvent, onRefused } = options
  const distrust = await verifyRawBody(body, headers, options)
  if (distrust !== undefined) {
    onRefused?.({ status: 401, reason: distrust })
    return { status: 401, text: 'not verified\n' }
  }
  const read = readEvent(body, scheme)
  if (!read.ok) {
    onRefused?.({ status: 400, reason: read.reason })
    return { status: 400, text: 'not an event\n' }
  }
  const { event } = read
  // Without a store there is no transaction, and `Tx` is void.
  if (store === undefined) await onEvent(event, undefined as Tx)
  else await store.once(event.eventId, async (transaction) => onEvent(event, transaction))
  return OK
}

const OK: Answer = { status: 200, text: 'ok\n' }
