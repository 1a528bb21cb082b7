import type { Call } from '../contract/calls/call.ts'
import { endpointOf, matchEndpoint } from '../contract/endpoints.ts'
import { asRefusal } from '../contract/problem.ts'
import { WireFailure, type WireResponse } from '../contract/wire.ts'
import { addressPrefix, gitBashAdvice } from '../domain/addresses.ts'
import { parseRetryAfter } from '../domain/clock.ts'
import { type BnplError, type Exchange, usage } from '../errors.ts'
import { answerFailure, interruption, noAnswerFailure, type Step } from './failure.ts'
import { type ApiClientOptions, prepareRequest } from './request.ts'

export interface RawRequest {
  method: string
  /** Path under the base address, with its query, already encoded. */
  path: string
  body?: Uint8Array
  contentType?: string
}

/** How addresses and answers are shown, without the key of the account. */
export interface Showing {
  /** Returns an address or a path, also without personal data. */
  address(address: string): string
  answer(response: WireResponse): WireResponse
}

export interface RawAnswer {
  response: WireResponse
  /** The error for an answer that is not a success; undefined for a success. */
  failure: BnplError | undefined
}

/**
 * Makes any call with the key, and never repeats it. Throws `usage` (nothing was sent) for a path that leads outside the base address,
 * `config` if no key is set, and `network` or `outcome-unknown` if no answer arrives.
 */
export async function rawCall(options: ApiClientOptions, raw: RawRequest, shown: Showing): Promise<RawAnswer> {
  const url = rawAddress(options.baseUrl, raw.path, shown.address)
  const endpoint = callOf(raw, shown.address)
  const { method, body, contentType } = raw
  const request = prepareRequest(endpoint, { method, url, body, contentType }, options)
  await options.beforeSend?.(endpoint, request)
  const exchange: Exchange = {
    method: raw.method,
    url: shown.address(url),
    attempts: 1,
    sent: true,
    outcome: 'rejected',
  }
  const started = options.clock.monotonic()
  const report = (result: number | string) =>
    options.onAttempt?.({ method: raw.method, url: exchange.url, result, ms: options.clock.monotonic() - started })
  try {
    const response = await options.transport(request)
    const { status } = asRefusal(response)
    report(response.status)
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], options.clock.now())
    const isSuccess = (status >= 200 && status < 300) || status === endpoint.success.status
    const failure = isSuccess
      ? undefined
      : answerFailure(endpoint, { ...shown.answer(response), status }, { ...exchange, status }, retryAfterMs)
    return { response, failure }
  } catch (error) {
    if (!(error instanceof WireFailure)) throw error
    report(error.kind)
    if (error.kind === 'aborted') throw interruption(endpoint, error, exchange, options.signal?.reason)
    throw noAnswerFailure(endpoint, error, exchange)
  }
}

function rawAddress(baseUrl: string, path: string, shown: (address: string) => string): string {
  const refuse = (why: string) =>
    usage(
      `the path “${shown(path)}” cannot be called: ${why}`,
      gitBashAdvice(shown(path)) ?? 'Write a path such as /partner/webhook.',
      'BAD_PATH',
    )
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || /^[/\\]{2}/.test(path))
    throw refuse('it begins like a complete address, but the key is sent only to the address of the profile')
  if (!path.startsWith('/')) throw refuse('it must begin with /')
  if (/[\u0000-\u0020\u007f-\u009f\\#]/.test(path))
    throw refuse('it contains a character that must be encoded in an address')
  const segments = (path.split('?')[0] ?? '').split('/')
  if (segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment)))
    throw refuse('“.” and “..” would lead to another path')
  const prefix = addressPrefix(baseUrl)
  const url = new URL(prefix + path)
  if (!url.href.startsWith(`${prefix}/`)) throw refuse('it would lead to another address')
  return url.href
}

type KnownOfCall = Step & Pick<Call, 'accept' | 'auth' | 'changes'> & { success: Pick<Call['success'], 'status'> }

const UNKNOWN_CALL = {
  accept: 'application/json',
  auth: 'key',
  success: { status: 200 },
  statuses: {},
} as const

/** Returns what is known about a call. If the contract does not have the call, only GET and HEAD count as safe to repeat. */
function callOf({ method, path }: RawRequest, shown: (address: string) => string): KnownOfCall {
  const known = matchEndpoint(method, path.split('?')[0] ?? '')
  if (known) return endpointOf(known.name)
  const isRead = method === 'GET' || method === 'HEAD'
  return {
    ...UNKNOWN_CALL,
    summary: `call ${method} ${shown(path)}`,
    repeat: isRead ? 'safe' : 'never',
    changes: !isRead,
  }
}
