import * as z from 'zod/mini'
import { type Call, type Endpoint, LIST_SETTING } from '../contract/calls/call.ts'
import { mismatchClause } from '../contract/compare/data.ts'
import { guidance } from '../contract/failures/advice.ts'
import { BODY_ENCODINGS, encodeForm, FORM_TYPE, LIST_ENCODINGS, type ListEncoding } from '../contract/form.ts'
import { SCHEME_HEADERS } from '../contract/integrations.ts'
import type { Transport, WireRequest } from '../contract/wire.ts'
import type { Clock } from '../domain/clock.ts'
import { identifierProblem } from '../domain/identifiers.ts'
import { BnplError, usage } from '../errors.ts'
import { asItIs, quotedForBash } from '../text/shell-word.ts'
import type { Pacing, RetryPolicy } from './retry.ts'

const MAX_ANSWER_BYTES = 10 * 1024 * 1024

interface Parts {
  method: string
  url: string
  body?: Uint8Array | undefined
  contentType?: string | undefined
}

/** Returns a request with the given parts and the headers of a call. Throws `config` if the call needs a key and no key is set. */
export function prepareRequest(
  call: Pick<Call, 'accept' | 'auth' | 'repeat'>,
  { method, url, body, contentType }: Parts,
  options: ApiClientOptions,
): WireRequest {
  const headers: Record<string, string> = { accept: call.accept, 'user-agent': options.userAgent ?? 'bnpl' }
  if (call.auth === 'key') {
    if (options.apiKey === undefined) throw noKey()
    headers.authorization = `Bearer ${options.apiKey}`
  }
  if (contentType !== undefined) headers['content-type'] = contentType
  return {
    method,
    url,
    headers,
    ...(body ? { body } : {}),
    timeoutMs: options.timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    freshSocket: call.repeat !== 'safe',
    ...(options.signal ? { signal: options.signal } : {}),
  }
}

const noKey = () =>
  new BnplError('config', 'no API key is set for this call', {
    code: 'CONFIG',
    ...guidance({ id: 'set-key' }),
  })

/**
 * Returns the request for a call. Throws `usage` for a value that cannot be sent, and `config` if the key, or a path that the specification
 * does not show, is not set.
 */
export function requestOf(
  endpoint: Endpoint,
  prefix: string,
  { params, body }: { params: Record<string, string>; body: object },
  options: ApiClientOptions,
): WireRequest {
  const url = callAddress(prefix, pathOf(endpoint, options), params)
  const sent = endpoint.request === undefined ? {} : encodeBody(endpoint.request, body, encodingOf(endpoint, options))
  return prepareRequest(endpoint, { method: endpoint.method, url, ...sent }, options)
}

interface BodyEncoding {
  type: (typeof BODY_ENCODINGS)[number]
  lists: ListEncoding
}

/** Returns the encoding of a body. If the specification does not show the encoding, the settings decide (gaps 10 and 27). */
function encodingOf({ bodySetting, writesJson }: Endpoint, { bodies }: ApiClientOptions): BodyEncoding {
  const word = <Word extends string>(setting: string, words: readonly [Word, ...Word[]]): Word => {
    const given = bodies?.[setting] ?? words[0]
    const known = words.find((each) => each === given)
    if (known !== undefined) return known
    throw new BnplError('config', `the setting ${setting} is not valid: it must be one of ${words.join(', ')}`, {
      code: 'BAD_BODY_ENCODING',
      hint: `Set ${setting} to ${words.join(' or ')}. Nothing was sent.`,
    })
  }
  return bodySetting === undefined
    ? { type: writesJson ? 'json' : 'form', lists: 'brackets' }
    : { type: word(bodySetting, BODY_ENCODINGS), lists: word(LIST_SETTING, LIST_ENCODINGS) }
}

function pathOf(
  { method, summary, path: example, pathSetting: setting }: Endpoint,
  { paths }: ApiClientOptions,
): string {
  if (setting === undefined) return example
  const path = paths?.[setting]
  // Without a leading slash the text would extend the host name, as in `@evil.example/`, `.evil.example/`, `99/`.
  if (path?.startsWith('/')) return path
  if (path !== undefined) {
    throw new BnplError('config', `the setting ${setting} is not a path: it must begin with /`, {
      code: 'BAD_PATH',
      ...guidance({ id: 'correct-path', setting, path: example }),
    })
  }
  throw new BnplError('config', `the path to ${summary} is not published, and ${setting} is not set`, {
    code: 'PATH_NOT_SET',
    ...guidance({ id: 'set-path', setting, method, path: example }),
  })
}

function encodeBody(
  schema: z.ZodMiniType<object, object>,
  body: object,
  encoding: BodyEncoding,
): Required<Pick<Parts, 'body' | 'contentType'>> {
  const result = z.safeEncode(schema, body)
  if (result.success) {
    return encoding.type === 'form'
      ? { body: encodeForm(result.data, encoding.lists), contentType: FORM_TYPE }
      : { body: new TextEncoder().encode(JSON.stringify(result.data)), contentType: 'application/json' }
  }
  const [issue] = result.error.issues
  const problem = issue && mismatchClause(issue, body)
  throw usage(`${issue?.path.join('.') || 'the request'} cannot be sent: ${problem}`, undefined, 'INVALID_REQUEST')
}

/** Returns the address of a call. Throws `usage` for a parameter that would change the path (`.`, `..`, empty, control characters). */
export function callAddress(prefix: string, template: string, params: Record<string, string>): string {
  let address = prefix
  for (const [i, part] of partsOf(template).entries()) address += i % 2 === 0 ? part : encodeSegment(part, params[part])
  return address
}

const PARTS = new Map<string, readonly string[]>()

function partsOf(template: string): readonly string[] {
  const known = PARTS.get(template)
  if (known) return known
  const parts = template.split(/\{(\w+)\}/)
  PARTS.set(template, parts)
  return parts
}

function encodeSegment(name: string, value: string | undefined): string {
  // A JavaScript program may pass a number instead of text.
  const problem =
    typeof value === 'string' ? identifierProblem(value) : value === undefined ? 'it is missing' : 'it is not text'
  if (value === undefined || problem !== undefined)
    throw usage(`${name} cannot be sent: ${problem}`, undefined, 'INVALID_IDENTIFIER')
  return encodeURIComponent(value)
}

export interface ApiClientOptions {
  transport: Transport
  /** The base address of the service for which the key is valid. Calls are only sent there. */
  baseUrl: string
  apiKey: string | undefined
  clock: Clock
  random: () => number
  /** The time limit of one call with all its attempts, in ms. The waits between the attempts do not count. */
  timeoutMs: number
  retry?: RetryPolicy
  /** Paths that the specification does not show (gap 14), by setting name. */
  paths?: Partial<Record<string, string>>
  /**
   * Encodings that the specification does not show, by setting name. A body is encoded as `form` or `json` (gap 10), and a list in one of
   * `LIST_ENCODINGS` (gap 27).
   */
  bodies?: Partial<Record<string, string>>
  userAgent?: string
  signal?: AbortSignal
  /** Called before anything is sent, and awaited. If it throws, nothing is sent. */
  beforeSend?: (call: Pick<Call, 'summary' | 'changes'>, request: WireRequest) => Promise<void> | undefined
  /** Called after every attempt, with a masked address. */
  onAttempt?: (attempt: AttemptReport) => void
  onWait?: (waitMs: number, why: string) => void
  onOddShape?: (what: string) => void
  pacing?: Pacing
}

export interface AttemptReport {
  method: string
  url: string
  /** The status, or the kind of failure. */
  result: number | string
  ms: number
}

/** Headers such as `service-webhook-secret`, also under a name of the merchant’s settings. */
const isTokenHeader = (name: string) => SCHEME_HEADERS.token.includes(name) || /secret|token/.test(name)

/** Returns a curl command that can be run unchanged, with `$BNPL_API_KEY` and `$BNPL_WEBHOOK_SECRET` in place of the secrets. */
export function toCurl(request: WireRequest): string {
  const words = ['curl', '-sS']
  // With `-X HEAD` curl would wait for a body.
  if (request.method === 'HEAD') words.push('--head')
  else if (request.method !== 'GET') words.push('-X', request.method)
  for (const [name, value] of Object.entries(request.headers)) {
    if (name === 'authorization') words.push('-H', '"Authorization: Bearer $BNPL_API_KEY"')
    else if (isTokenHeader(name)) words.push('-H', `"${name}: $BNPL_WEBHOOK_SECRET"`)
    else words.push('-H', quotedForBash(`${name}: ${value}`))
  }
  if (request.method === 'POST' || request.body !== undefined)
    words.push('--data-raw', quotedForBash(request.body ? new TextDecoder().decode(request.body) : ''))
  words.push(...asItIs(request.url), quotedForBash(request.url))
  return words.join(' ')
}
