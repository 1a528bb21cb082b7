import * as z from 'zod/mini'
import { type Call, type Endpoint, LIST_SETTING } from '../contract/calls/call.ts'
import { mismatchClause } from '../contract/compare/data.ts'
import { guidance } from '../contract/failures/advice.ts'
import { BODY_ENCODINGS, encodeForm, FORM_TYPE, LIST_ENCODINGS, type ListEncoding } from '../contract/form.ts'
import type { WireRequest } from '../contract/wire.ts'
import { BnplError, usage } from '../errors.ts'
import { callAddress } from './address.ts'
import type { ApiClientOptions } from './options.ts'

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
function encodingOf({ bodySetting }: Endpoint, { bodies }: ApiClientOptions): BodyEncoding {
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
    ? { type: 'form', lists: 'brackets' }
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
  throw new BnplError('config', `the specification does not show the path to ${summary}, and ${setting} is not set`, {
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
