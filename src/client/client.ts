import * as z from 'zod/mini'
import type { Endpoint } from '../contract/endpoint.ts'
import {
  type EndpointName,
  endpointOf,
  type Params,
  type RequestBody,
  type ResponseData,
} from '../contract/endpoints.ts'
import { encodeForm, FORM_TYPE, type FormValue } from '../contract/form.ts'
import { mismatch } from '../contract/mismatch.ts'
import { type Transport, WireFault, type WireRequest, type WireResponse } from '../contract/wire.ts'
import type { Clock } from '../domain/clock.ts'
import { parseRetryAfter } from '../domain/retry-after.ts'
import { config, type Exchange, usage } from '../errors.ts'
import { maskText } from '../text/masking.ts'
import { addressPrefix, callAddress } from './address.ts'
import { checkData, MAX_ANSWER_BYTES, readData } from './data.ts'
import { answerFailure, faultFailure, interruption } from './failure.ts'
import { faultWords } from './fault-words.ts'
import { type RawAnswer, type RawRequest, rawCall } from './raw-call.ts'
import { type Attempt, nextAttempt, type Pacing, type RetryPolicy } from './retry.ts'

export interface ClientOptions {
  transport: Transport
  /** The address the key belongs to; every call goes there and nowhere else. */
  baseUrl: string
  apiKey: string | undefined
  clock: Clock
  random: () => number
  /** Milliseconds on the wire for one call, all its attempts together; waits the service asked for are not counted. */
  timeoutMs: number
  retry?: RetryPolicy
  /** Paths of endpoints that the specification does not show (gap 14), by setting name. */
  paths?: Partial<Record<string, string>>
  userAgent?: string
  signal?: AbortSignal
  /** Called before anything is sent, and awaited where it gives something to wait for; what it throws ends the call with nothing sent. */
  beforeSend?: (endpoint: Endpoint, request: WireRequest) => Promise<void> | undefined
  /** Called after every attempt, for `--verbose`; the address is masked. */
  onAttempt?: (attempt: AttemptReport) => void
  /** Called before a wait, for a line on stderr. */
  onWait?: (waitMs: number, why: string) => void
  /** When attempts may go out, where many calls share one service's patience. */
  pacing?: Pacing
}

export interface AttemptReport {
  method: string
  url: string
  /** The status, or the kind of fault. */
  result: number | string
  ms: number
}

export interface CallInput<N extends EndpointName> {
  params: Params<N>
  body: RequestBody<N>
}

export interface Answer<N extends EndpointName> {
  data: ResponseData<N>
  status: number
  headers: Record<string, string>
  exchange: Exchange
}

export interface Client {
  /**
   * Calls an endpoint. Throws `usage` (nothing sent) for a value that cannot be sent, `config` without a key or a path,
   * and one of `auth refused not-found rate-limited service network outcome-unknown` for what came back.
   */
  call<N extends EndpointName>(name: N, input: CallInput<N>): Promise<Answer<N>>
  /**
   * The same, with `data` as it came, not held against the contract: for checks that say what is off. Throws as `call` does for all
   * else.
   */
  probe<N extends EndpointName>(name: N, input: CallInput<N>): Promise<{ data: unknown; exchange: Exchange }>
  /** Any call with the key, in the contract or not, once; see `rawCall`. */
  raw(request: RawRequest): Promise<RawAnswer>
  /** The request as it would be sent, for `--dry-run`. Sends nothing. */
  prepare<N extends EndpointName>(name: N, input: CallInput<N>): WireRequest
  readonly baseUrl: string
}

export function createClient(options: ClientOptions): Client {
  const prefix = addressPrefix(options.baseUrl)
  const exchangeOf = async (name: EndpointName, input: { params: Record<string, string>; body: object }) => {
    const endpoint = endpointOf(name)
    const request = prepare(endpoint, prefix, input, options)
    const agreed = options.beforeSend?.(endpoint, request)
    if (agreed) await agreed
    const { response, exchange } = await send(endpoint, request, options)
    return { endpoint, response, exchange }
  }
  return {
    baseUrl: options.baseUrl,
    prepare: (name, input) => prepare(endpointOf(name), prefix, input, options),
    raw: (request) => rawCall(options, request),
    async call(name, input) {
      const { endpoint, response, exchange } = await exchangeOf(name, input)
      const data = checkData(endpoint, readData(endpoint, response, exchange), exchange)
      return { data: data as never, status: response.status, headers: response.headers, exchange }
    },
    async probe(name, input) {
      const { endpoint, response, exchange } = await exchangeOf(name, input)
      return { data: readData(endpoint, response, exchange), exchange }
    },
  }
}

function prepare(
  endpoint: Endpoint,
  prefix: string,
  input: { params: Record<string, string>; body: object },
  options: ClientOptions,
): WireRequest {
  const headers: Record<string, string> = { accept: endpoint.accept, 'user-agent': options.userAgent ?? 'bnpl' }
  if (endpoint.auth === 'key') {
    if (options.apiKey === undefined)
      throw config('no API key is set for this call', 'Set BNPL_API_KEY, or add a profile: bnpl profiles add')
    headers.authorization = `Bearer ${options.apiKey}`
  }
  const url = callAddress(prefix, pathOf(endpoint, options), input.params)
  const body = endpoint.request === undefined ? undefined : encodeForm(encodeBody(endpoint, input.body))
  if (body) headers['content-type'] = FORM_TYPE
  return {
    method: endpoint.method,
    url,
    headers,
    ...(body ? { body } : {}),
    timeoutMs: options.timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    freshSocket: endpoint.repeat !== 'safe',
    ...(options.signal ? { signal: options.signal } : {}),
  }
}

function pathOf(endpoint: Endpoint, { paths }: ClientOptions): string {
  if (endpoint.pathSetting === undefined) return endpoint.path
  const path = paths?.[endpoint.pathSetting]
  // What does not begin with a slash would go on writing the host's name: `@evil.example/`, `.evil.example/`, `99/`.
  if (path?.startsWith('/')) return path
  if (path !== undefined) {
    throw config(
      `the ${endpoint.pathSetting} that is set is no path: it must begin with /`,
      `Nothing was sent. Set it: bnpl profiles set ${endpoint.pathSetting} ${endpoint.path}`,
      'BAD_PATH',
    )
  }
  throw config(
    `the specification does not show the path to ${endpoint.summary}, and this profile does not set it`,
    `Set it: bnpl profiles set ${endpoint.pathSetting} ${endpoint.path} — or use: bnpl api ${endpoint.method} PATH`,
    'PATH_NOT_SET',
  )
}

function encodeBody(endpoint: Endpoint, body: object): Record<string, FormValue> {
  const result = z.safeEncode(endpoint.request as z.ZodMiniType, body as never)
  if (result.success) return result.data as Record<string, FormValue>
  const [issue] = result.error.issues
  const problem = issue && mismatch(issue, body)
  throw usage(
    `${issue?.path.join('.') || 'the request'} cannot be sent: ${problem?.startsWith('it ') ? problem : `it is ${problem}`}`,
    undefined,
    'INVALID_REQUEST',
  )
}

async function send(
  endpoint: Endpoint,
  request: WireRequest,
  options: ClientOptions,
): Promise<{ response: WireResponse; exchange: Exchange }> {
  const { clock, transport } = options
  let left = request.timeoutMs
  let unclear = false
  let ownConnection = false
  for (let made = 1; ; made++) {
    const exchange: Exchange = {
      method: request.method,
      url: maskText(request.url),
      attempts: made,
      sent: true,
      outcome: 'rejected',
    }
    const turn = options.pacing?.ready()
    if (turn) await turn
    const started = clock.monotonic()
    let result: WireResponse | WireFault
    try {
      const timeoutMs = Math.max(1, left)
      result = await transport({ ...request, timeoutMs, ...(ownConnection && { freshSocket: true }) })
    } catch (error) {
      if (!(error instanceof WireFault)) throw error
      result = error
    }
    const ms = clock.monotonic() - started
    left -= ms
    options.onAttempt?.({
      method: request.method,
      url: exchange.url,
      result: result instanceof WireFault ? result.kind : result.status,
      ms,
    })
    if (result instanceof WireFault && result.kind === 'aborted')
      throw interruption(endpoint, result, exchange, request.signal?.reason)
    const retryAfterMs =
      result instanceof WireFault ? undefined : parseRetryAfter(result.headers['retry-after'], clock.now())
    if (!(result instanceof WireFault)) {
      const known: Exchange = { ...exchange, status: result.status, ...requestId(result) }
      if (result.status >= 200 && result.status < 300) return { response: result, exchange: known }
      if (result.status === 302 && endpoint.success.status === 302) return { response: result, exchange: known }
      // Deleting what an unclear attempt may already have deleted: gone is what was asked for.
      if (unclear && endpoint.method === 'DELETE' && result.status === 404)
        return { response: { ...result, status: 200 }, exchange: known }
      const next =
        left > 0
          ? nextAttempt(endpoint.repeat, answered(result, retryAfterMs), made, options.random, options.retry)
          : undefined
      if (!next) throw answerFailure(endpoint, result, known, retryAfterMs)
      unclear ||= result.status >= 500
      options.onWait?.(next.waitMs, `${result.status}`)
      if (options.pacing && result.status === 429) options.pacing.pause(next.waitMs)
      else await clock.sleep(next.waitMs, request.signal)
      continue
    }
    const stale = result.facts.stale === true
    const failed: Attempt = { outcome: 'fault', kind: result.kind, sent: result.sent, stale }
    const next = left > 0 ? nextAttempt(endpoint.repeat, failed, made, options.random, options.retry) : undefined
    if (!next) throw faultFailure(endpoint, result, exchange)
    unclear ||= result.sent
    // Other kept connections may be closed as well.
    ownConnection ||= stale
    if (next.waitMs === 0) continue
    options.onWait?.(next.waitMs, faultWords(result.kind))
    await clock.sleep(next.waitMs, request.signal)
  }
}

const answered = (response: WireResponse, retryAfterMs: number | undefined): Attempt => ({
  outcome: 'answer',
  status: response.status,
  retryAfterMs,
})

function requestId(response: WireResponse): { requestId?: string } {
  const id = response.headers['x-request-id'] ?? response.headers['x-amzn-requestid'] ?? response.headers['request-id']
  return id === undefined ? {} : { requestId: id.slice(0, 128) }
}
