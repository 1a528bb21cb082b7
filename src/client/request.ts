import * as z from 'zod/mini'
import type { Call, Endpoint } from '../contract/calls/call.ts'
import { encodeForm, FORM_TYPE } from '../contract/form.ts'
import { mismatch } from '../contract/mismatch.ts'
import type { WireRequest } from '../contract/wire.ts'
import { BnplError, usage } from '../errors.ts'
import { callAddress } from './address.ts'
import type { ApiClientOptions } from './options.ts'

/** The largest answer that is read: 10 MiB. */
const MAX_ANSWER_BYTES = 10 * 1024 * 1024

/** The parts of a request. */
interface Parts {
  method: string
  /** Absolute, encoded. */
  url: string
  body?: Uint8Array | undefined
  contentType?: string | undefined
}

/** The request of a call as it is sent, with the key if the call takes one. Throws `config` if the call takes a key and none is set. */
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
    hint: 'Set the API key.',
    advice: { id: 'set-key' },
  })

/**
 * The request of an endpoint. Throws `usage` for a value that cannot be sent, `config` without a key or a path.
 * @param prefix the common start of the addresses of all calls
 */
export function requestOf(
  endpoint: Endpoint,
  prefix: string,
  { params, body }: { params: Record<string, string>; body: object },
  options: ApiClientOptions,
): WireRequest {
  const url = callAddress(prefix, pathOf(endpoint, options), params)
  const form =
    endpoint.request === undefined ? {} : { body: encodeBody(endpoint.request, body), contentType: FORM_TYPE }
  return prepareRequest(endpoint, { method: endpoint.method, url, ...form }, options)
}

function pathOf(
  { method, summary, path: example, pathSetting: setting }: Endpoint,
  { paths }: ApiClientOptions,
): string {
  if (setting === undefined) return example
  const path = paths?.[setting]
  // A text without a leading slash would continue the host name: `@evil.example/`, `.evil.example/`, `99/`.
  if (path?.startsWith('/')) return path
  if (path !== undefined) {
    throw new BnplError('config', `the setting ${setting} is not a path: it must begin with /`, {
      code: 'BAD_PATH',
      hint: `Nothing was sent. Set ${setting} to a path such as ${example}.`,
      advice: { id: 'correct-path', setting, path: example },
    })
  }
  throw new BnplError('config', `the specification does not show the path to ${summary}, and ${setting} is not set`, {
    code: 'PATH_NOT_SET',
    hint: `Set ${setting} to the path that your partner service names, such as ${example}.`,
    advice: { id: 'set-path', setting, method, path: example },
  })
}

function encodeBody(schema: z.ZodMiniType<object, object>, body: object): Uint8Array {
  const result = z.safeEncode(schema, body)
  if (result.success) return encodeForm(result.data)
  const [issue] = result.error.issues
  const problem = issue && mismatch(issue, body)
  throw usage(
    `${issue?.path.join('.') || 'the request'} cannot be sent: ${problem?.startsWith('it ') ? problem : `it is ${problem}`}`,
    undefined,
    'INVALID_REQUEST',
  )
}
