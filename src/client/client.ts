import type { Endpoint } from '../contract/calls/call.ts'
import {
  compareData,
  differenceInWords,
  isEmpty,
  type Reading,
  recordIn,
  withImplied,
} from '../contract/compare/data.ts'
import {
  type EndpointName,
  endpointOf,
  type Params,
  type RequestBody,
  type ResponseData,
} from '../contract/endpoints.ts'
import { wireFailureWords } from '../contract/failures/connections.ts'
import { asRefusal } from '../contract/problem.ts'
import { WireFailure, type WireRequest, type WireResponse } from '../contract/wire.ts'
import { addressPrefix, maskTarget } from '../domain/addresses.ts'
import { parseRetryAfter } from '../domain/clock.ts'
import type { BnplError, Exchange } from '../errors.ts'
import { isRecord, parseJsonText } from '../text/json-text.ts'
import { maskWords } from '../text/masking.ts'
import { createSecrets, HIDDEN } from '../text/secrets.ts'
import { type Asked, answerFailure, emptyFailure, interruption, noAnswerFailure, shapeFailure } from './failure.ts'
import { type RawAnswer, type RawRequest, rawCall, type Showing } from './raw-call.ts'
import { type ApiClientOptions, requestOf } from './request.ts'
import { type CallAttempt, callLimitOf, nextAttempt } from './retry.ts'

interface CallInput<N extends EndpointName> {
  params: Params<N>
  body: RequestBody<N>
}

interface Answer<N extends EndpointName> {
  data: ResponseData<N>
  /** The fields of `data` that were not sent, because another field implies them. */
  implied?: readonly string[]
  status: number
  headers: Record<string, string>
  /** A function, because masking the address takes longer than preparing the call, and most answers are used without it. */
  exchange: () => Exchange
}

/**
 * The result of `probe`. If `known` is true, `data` has the type of the contract. Otherwise `data` is exactly what the service sent, and
 * `failure` is the error that `call` would throw. `odd` says how the answer differs from the contract.
 */
export type Probed<N extends EndpointName> = { exchange: () => Exchange } & (
  | { known: true; data: ResponseData<N>; odd?: string }
  | { known: false; data: unknown; odd: string; failure: BnplError }
)

export interface ApiClient {
  /**
   * Calls an endpoint. Throws `usage` (nothing was sent) for a value that cannot be sent, and `config` when the key, or a path that the
   * specification does not show, is not set. Throws `auth`, `refused`, `not-found`, `rate-limited`, `service`, `network` or
   * `outcome-unknown` when the call fails.
   */
  call<N extends EndpointName>(name: N, input: CallInput<N>): Promise<Answer<N>>
  /** Calls an endpoint as `call` does, but returns `data` even if `data` differs from the contract. */
  probe<N extends EndpointName>(name: N, input: CallInput<N>): Promise<Probed<N>>
  raw(request: RawRequest): Promise<RawAnswer>
  prepare<N extends EndpointName>(name: N, input: CallInput<N>): WireRequest
  readonly baseUrl: string
}

/** Creates a client for one account of the service. It sends nothing before the first call. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const prefix = addressPrefix(options.baseUrl)
  const shown = showing(options.apiKey)
  const answerTo = async (name: EndpointName, input: { params: Record<string, string>; body: object }) => {
    const endpoint = endpointOf(name)
    const request = requestOf(endpoint, prefix, input, options)
    const agreed = options.beforeSend?.(endpoint, request)
    if (agreed) await agreed
    const { response, exchange } = await send(endpoint, request, shown, options)
    return { endpoint, path: request.url.slice(prefix.length), response, exchange }
  }
  return {
    baseUrl: options.baseUrl,
    prepare: (name, input) => requestOf(endpointOf(name), prefix, input, options),
    raw: (request) => rawCall(options, request, shown),
    async call<N extends EndpointName>(name: N, input: CallInput<N>) {
      const answer = await answerTo(name, input)
      const { response, exchange, endpoint } = answer
      const checked = checkData(answer)
      const data = dataAsSpecified<ResponseData<N>>(answer, checked)
      if (checked.notes.length > 0) options.onOddShape?.(oddShape(endpoint, checked.notes))
      return {
        data,
        ...(checked.implied && { implied: checked.implied }),
        status: response.status,
        headers: response.headers,
        exchange,
      }
    },
    async probe<N extends EndpointName>(name: N, input: CallInput<N>): Promise<Probed<N>> {
      const answer = await answerTo(name, input)
      const { exchange, endpoint } = answer
      const { data, notes, wrong } = checkData(answer)
      if (wrong !== undefined)
        return { known: false, data, odd: oddShape(endpoint, [wrong]), failure: shapeFailure(answer, wrong), exchange }
      const odd = notes.length === 0 ? {} : { odd: oddShape(endpoint, notes) }
      return { known: true, data: data as ResponseData<N>, ...odd, exchange }
    },
  }
}

/** Returns what may be shown of an account's calls: addresses and answers without its key, which a service may repeat. */
function showing(apiKey: string | undefined): Showing {
  const { hide } = createSecrets(apiKey)
  return {
    address: (address) => maskTarget(hide(address)),
    answer(response) {
      const text = Buffer.from(response.body).toString('latin1')
      const shown = hide(text)
      const headers = Object.entries(response.headers).map(([name, value]) => [name, hide(value)] as const)
      // The mark that replaces a key is not Latin-1, so it is written as the bytes of UTF-8.
      const body = shown === text ? response.body : Buffer.from(shown.replaceAll(HIDDEN, HIDDEN_BYTES), 'latin1')
      return { ...response, body, headers: Object.fromEntries(headers) }
    },
  }
}

const HIDDEN_BYTES = Buffer.from(HIDDEN).toString('latin1')

/** Returns the warning about an answer of another shape. Its field names come from the service, so a person's name in them is masked. */
const oddShape = ({ summary }: Endpoint, notes: readonly string[]): string =>
  maskWords(`the answer to “${summary}” has a shape that the specification does not show: ${notes.join('; ')}`)

async function send(
  endpoint: Endpoint,
  request: WireRequest,
  shown: Showing,
  options: ApiClientOptions,
): Promise<{ response: WireResponse; exchange: () => Exchange }> {
  const { clock, transport } = options
  let left = request.timeoutMs
  let unclear = false
  for (let made = 1; ; made++) {
    const turn = options.pacing?.ready()
    if (turn) await turn
    const started = clock.monotonic()
    let result: WireResponse | WireFailure
    try {
      const timeoutMs = Math.max(1, left)
      // The server may have closed all kept connections, so a repeated attempt uses a new one.
      result = asRefusal(await transport({ ...request, timeoutMs, ...(made > 1 && { freshSocket: true }) }))
    } catch (error) {
      if (!(error instanceof WireFailure)) throw error
      result = error
    }
    options.pacing?.ended?.(result instanceof WireFailure ? undefined : callLimitOf(result.headers, clock.now()))
    const ms = clock.monotonic() - started
    left -= ms
    options.onAttempt?.({
      method: request.method,
      url: shown.address(request.url),
      result: result instanceof WireFailure ? result.kind : result.status,
      ms,
    })
    if (result instanceof WireFailure && result.kind === 'aborted')
      throw interruption(endpoint, result, exchangeOf(request, shown, made), request.signal?.reason)
    if (!(result instanceof WireFailure)) {
      const retryAfterMs = parseRetryAfter(result.headers['retry-after'], clock.now())
      const answer = result
      const exchange = () => exchangeOf(request, shown, made, answer)
      if (result.status >= 200 && result.status < 300) return { response: result, exchange }
      // If an earlier attempt may have deleted the object, a 404 counts as success, because the object does not exist any more.
      if (unclear && endpoint.method === 'DELETE' && result.status === 404)
        return { response: { ...result, status: 200 }, exchange }
      const attempt: CallAttempt = { outcome: 'answer', status: result.status, retryAfterMs }
      const next = left > 0 ? nextAttempt(endpoint.repeat, attempt, made, options.random, options.retry) : undefined
      if (!next) {
        const shownAnswer = shown.answer(result)
        throw answerFailure(endpoint, shownAnswer, exchangeOf(request, shown, made, shownAnswer), retryAfterMs)
      }
      unclear ||= result.status >= 500
      options.onWait?.(next.waitMs, `${result.status}`)
      if (options.pacing && result.status === 429) options.pacing.pause(next.waitMs)
      else await clock.sleep(next.waitMs, request.signal)
      continue
    }
    const failed: CallAttempt = { outcome: 'failure', kind: result.kind, sent: result.sent }
    const next = left > 0 ? nextAttempt(endpoint.repeat, failed, made, options.random, options.retry) : undefined
    if (!next) throw noAnswerFailure(endpoint, result, exchangeOf(request, shown, made))
    unclear ||= result.sent
    options.onWait?.(next.waitMs, wireFailureWords(result.kind))
    await clock.sleep(next.waitMs, request.signal)
  }
}

/** @param made how many attempts were made */
function exchangeOf(request: WireRequest, shown: Showing, made: number, answer?: WireResponse): Exchange {
  return {
    method: request.method,
    url: shown.address(request.url),
    attempts: made,
    sent: true,
    outcome: 'rejected',
    ...(answer && { status: answer.status, ...requestId(answer) }),
  }
}

function requestId(response: WireResponse): { requestId?: string } {
  const id = response.headers['x-request-id'] ?? response.headers['x-amzn-requestid'] ?? response.headers['request-id']
  return id === undefined ? {} : { requestId: id.slice(0, 128) }
}

interface AnsweredCall extends Asked {
  endpoint: Endpoint
  response: WireResponse
}

function readData(answer: AnsweredCall): { data: unknown; notes: readonly string[] } {
  const { endpoint, response } = answer
  if (endpoint.emptyData !== undefined && response.status === 204 && response.body.length === 0)
    return { data: {}, notes: [] }
  const parsed = parseJsonText(response.body)
  if (!parsed.ok) {
    if (!endpoint.bodyShown) return { data: {}, notes: [] }
    throw shapeFailure(answer, parsed.reason)
  }
  const data = isRecord(parsed.value) ? parsed.value.data : undefined
  if (!endpoint.bodyShown) return { data: recordIn(data) ?? [data, parsed.value].find(isRecord) ?? {}, notes: [] }
  if (data !== undefined) return { data, notes: [] }
  if (!isBare(endpoint, parsed.value)) throw shapeFailure(answer, 'it has no `data`')
  return { data: parsed.value, notes: ['it has no `data`, so the fields were read from its top level'] }
}

/** Whether an answer without `data` has exactly the fields of `data` at its top level. */
function isBare(endpoint: Endpoint, value: unknown): boolean {
  if (!isRecord(value) || compareData(endpoint, {}, 'lenient').differences.length === 0) return false
  return compareData(endpoint, withImplied(endpoint, value).data, 'lenient').differences.length === 0
}

interface CheckedData extends Reading {
  wrong?: string
  /** The fields that were not sent, because another field implies them. */
  implied?: readonly string[]
}

/**
 * Returns an answer's `data`. `wrong` says how the data differs from the contract. Other likely shapes of `data` are accepted too. Throws
 * `service`, `outcome-unknown`, or the error that the contract names for an empty `data`.
 */
export function checkData(answer: AnsweredCall): CheckedData {
  const { endpoint } = answer
  const sent = readData(answer)
  const { data, implied } = withImplied(endpoint, sent.data)
  const { differences, ...compared } = compareData(endpoint, data, 'lenient')
  const read = { ...compared, notes: [...sent.notes, ...compared.notes], ...(implied.length > 0 && { implied }) }
  const [first] = differences
  if (first === undefined && read.notes.length > 0) return read
  if (endpoint.emptyData && isEmpty(data) && (first !== undefined || !endpoint.dataShapeShown))
    throw emptyFailure(answer, endpoint.emptyData)
  return { ...read, ...(first && { wrong: differenceInWords(first, data) }) }
}

/** Returns the data with the type of the contract. Throws `service` or `outcome-unknown` if the data has another shape. */
export function dataAsSpecified<Data>(answer: AnsweredCall, { data, wrong }: CheckedData): Data {
  if (wrong !== undefined) throw shapeFailure(answer, wrong)
  return data as Data
}
