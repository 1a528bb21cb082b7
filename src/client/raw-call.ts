import type { Endpoint } from '../contract/endpoint.ts'
import { endpointOf, matchEndpoint } from '../contract/endpoints.ts'
import { WireFault, type WireRequest, type WireResponse } from '../contract/wire.ts'
import { parseRetryAfter } from '../domain/retry-after.ts'
import { type BnplError, config, type Exchange, usage } from '../errors.ts'
import { maskText } from '../text/masking.ts'
import { addressPrefix } from './address.ts'
import type { ClientOptions } from './client.ts'
import { MAX_ANSWER_BYTES } from './data.ts'
import { answerFailure, faultFailure, interruption } from './failure.ts'

/** A request that need not be in the contract. */
export interface RawRequest {
  method: string
  /** Path under the base address, query included, encoded as it is to be sent. */
  path: string
  body?: Uint8Array
  contentType?: string
}

export interface RawAnswer {
  response: WireResponse
  /** What the answer means where it is no success. */
  failure: BnplError | undefined
}

/**
 * Makes any call with the key, once: nothing is repeated. What the contract knows of the path decides what an answer means.
 * Throws `usage` (nothing sent) for a path that would lead elsewhere, `config` without a key, `network` or `outcome-unknown` without
 * an answer.
 */
export async function rawCall(options: ClientOptions, raw: RawRequest): Promise<RawAnswer> {
  const url = rawAddress(options.baseUrl, raw.path)
  const endpoint = endpointFor(raw.method, raw.path)
  const headers: Record<string, string> = { accept: endpoint.accept, 'user-agent': options.userAgent ?? 'bnpl' }
  if (endpoint.auth === 'key') {
    if (options.apiKey === undefined)
      throw config('no API key is set for this call', 'Set BNPL_API_KEY, or add a profile: bnpl profiles add')
    headers.authorization = `Bearer ${options.apiKey}`
  }
  if (raw.contentType !== undefined) headers['content-type'] = raw.contentType
  const request: WireRequest = {
    method: raw.method,
    url,
    headers,
    ...(raw.body ? { body: raw.body } : {}),
    timeoutMs: options.timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    freshSocket: endpoint.repeat !== 'safe',
    ...(options.signal ? { signal: options.signal } : {}),
  }
  await options.beforeSend?.(endpoint, request)
  const exchange: Exchange = { method: raw.method, url: maskText(url), attempts: 1, sent: true, outcome: 'rejected' }
  const started = options.clock.monotonic()
  const report = (result: number | string) =>
    options.onAttempt?.({ method: raw.method, url: exchange.url, result, ms: options.clock.monotonic() - started })
  try {
    const response = await options.transport(request)
    report(response.status)
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], options.clock.now())
    const isSuccess = (response.status >= 200 && response.status < 300) || response.status === endpoint.success.status
    const failure = isSuccess
      ? undefined
      : answerFailure(endpoint, response, { ...exchange, status: response.status }, retryAfterMs)
    return { response, failure }
  } catch (error) {
    if (!(error instanceof WireFault)) throw error
    report(error.kind)
    if (error.kind === 'aborted') throw interruption(endpoint, error, exchange, options.signal?.reason)
    throw faultFailure(endpoint, error, exchange)
  }
}

/** The address of a raw path: always under the base address, whatever the path says. */
function rawAddress(baseUrl: string, path: string): string {
  const refuse = (why: string) =>
    usage(`the path “${maskText(path)}” cannot be called: ${why}`, 'Write it as /partner/webhook.', 'BAD_PATH')
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || /^[/\\]{2}/.test(path))
    throw refuse('the key goes to the address of the profile and nowhere else, so only a path is taken')
  if (!path.startsWith('/')) throw refuse('it must begin with /')
  if (/[\u0000-\u0020\u007f-\u009f\\#]/.test(path))
    throw refuse('it has a character that an address cannot have as it is')
  const segments = (path.split('?')[0] ?? '').split('/')
  if (segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) throw refuse('“.” and “..” would lead elsewhere')
  const prefix = addressPrefix(baseUrl)
  const url = new URL(prefix + path)
  if (url.origin !== new URL(baseUrl).origin || !url.href.startsWith(`${prefix}/`))
    throw refuse('it would lead elsewhere')
  return url.href
}

/** What the contract knows of a path, or what is true of any: only reads are safe to repeat. */
function endpointFor(method: string, path: string): Endpoint {
  const known = matchEndpoint(method, path.split('?')[0] ?? '')
  if (known) return endpointOf(known.name)
  const isRead = method === 'GET' || method === 'HEAD'
  return {
    ...endpointOf('listLeads'),
    section: '',
    summary: `call ${method} ${maskText(path)}`,
    method: method as Endpoint['method'],
    path,
    success: { status: 200, meaning: 'a success' },
    statuses: {},
    repeat: isRead ? 'safe' : 'never',
    changes: !isRead,
  }
}
