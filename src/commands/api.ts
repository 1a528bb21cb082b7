import { isUtf8 } from 'node:buffer'
import type { RawRequest } from '../client/raw-call.ts'
import type { Context } from '../context.ts'
import { FORM_TYPE } from '../contract/form.ts'
import type { WireResponse } from '../contract/wire.ts'
import { maskTarget, withQuery } from '../domain/addresses.ts'
import { BnplError, usage } from '../errors.ts'
import { utf16Order } from '../text/file-text.ts'
import { HIDDEN } from '../text/secrets.ts'
import { visible } from '../text/visible.ts'
import { type Command, type Define, examples, type OptionsOf, repeatable } from './command.ts'
import { asText, readBytes } from './file-input.ts'
import { refuseChangedValue } from './option-values.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']

const MAX_BODY_BYTES = 10 * 1024 * 1024

const addOptions = (command: Command) =>
  command
    .argument('<method>', METHODS.join(', '))
    .argument('<path>', 'path under the base address, such as /partner/webhook')
    .option('-f, --field <key=value>', 'add a field to the form (with GET: to the query); repeatable', repeatable)
    .option('--input <file>', 'send this file as the body, JSON or a form; `-` for stdin')
    .option('-i, --include', 'show the status and the headers before the body')
    .option('--raw', 'print the answer byte for byte, also where it repeats your key')

type Options = OptionsOf<ReturnType<typeof addOptions>>

export const define: Define = (command, act) => {
  addOptions(command).action(
    act(async (context, options, method, path) => {
      const request = await readRequest(context, options, method.toUpperCase(), path)
      const api = await context.api()
      const { response, failure } = await api.raw(request)
      const isRaw = options.raw === true
      await show(context, failure && !isRaw ? withoutCaller(response) : response, options)
      if (failure) throw failure
    }),
  )
  command.addHelpText(
    'after',
    `
The body of the answer is printed to stdout as the service sent it, even if the
status is an error. A key or secret of this run is masked in it, and so is the
address of the caller (ip) in an error. With --raw, nothing is masked.
The exit code says whether the call succeeded.`,
  )
  examples(command, [
    ['the registered destinations, as the service sends them', 'bnpl api GET /partner/webhook'],
    ['send a form', 'bnpl api POST /partner/webhook -f url=https://shop.example/hooks'],
    ['send JSON from a file', 'bnpl api POST /partner/webhook --input body.json -i'],
  ])
}

async function readRequest(context: Context, options: Options, method: string, path: string): Promise<RawRequest> {
  const { field: fields = [], input } = options
  if (!METHODS.includes(method))
    throw usage(`“${method}” is not a known HTTP method`, `Use one of: ${METHODS.join(', ')}.`)
  const form = new URLSearchParams()
  for (const field of fields) {
    const at = field.indexOf('=')
    // The error does not repeat the text, because a value without a name may be a national id or a key.
    if (at < 1)
      throw usage('the value of a --field is not key=value', 'Write the option as -f url=https://shop.example/hooks')
    refuseChangedValue('--field', field)
    form.append(field.slice(0, at), field.slice(at + 1))
  }
  const inQuery = method === 'GET' || method === 'HEAD'
  if (input !== undefined) {
    if (fields.length > 0)
      throw usage(
        '--field and --input cannot be used together, because both set the body',
        'Use only --field, or only --input.',
      )
    if (inQuery) throw usage(`a ${method} request has no body`, 'Add query parameters with -f key=value.')
    const given = await readBytes(context, input, MAX_BODY_BYTES)
    // PowerShell writes UTF-16, or UTF-8 with a byte order mark, which no JSON parser of a service accepts. Other bytes are sent as they are.
    const body = isUtf8(given) || utf16Order(given) !== undefined ? asText(input, given) : given
    return { method, path, body, contentType: /^\s*[{[]/.test(body.toString('latin1', 0, 100)) ? JSON_TYPE : FORM_TYPE }
  }
  const text = form.toString()
  if (inQuery) return { method, path: text === '' ? path : withQuery(path, text) }
  if (method === 'DELETE' && text === '') return { method, path }
  return { method, path, body: Buffer.from(text), contentType: FORM_TYPE }
}

const JSON_TYPE = 'application/json'

/** The address of the caller, and that of the call with its ids, which a service may repeat in the body of an error. */
const CALLER = /("(?:ip|url)"\s*:\s*)"((?:[^"\\]|\\.)*)"/g

/** Returns the answer to a refused call without the address of the caller, and with the personal data in its addresses masked. */
function withoutCaller(response: WireResponse): WireResponse {
  const text = Buffer.from(response.body).toString('utf8')
  const shown = text.replace(CALLER, (whole, before: string, value: string) => {
    if (whole.startsWith('"ip"')) return `${before}"••••"`
    const masked = maskTarget(value)
    return masked === value ? whole : `${before}${JSON.stringify(masked)}`
  })
  return shown === text ? response : { ...response, body: Buffer.from(shown) }
}

async function show(
  { io, output, world }: Context,
  response: WireResponse,
  { include, raw }: Pick<Options, 'include' | 'raw'>,
): Promise<void> {
  const { hide } = world.secrets
  const lines = Object.entries(response.headers).map(([name, value]) => `${visible(name)}: ${visible(value)}\n`)
  const sentHead = include === true ? `HTTP/1.1 ${response.status}\n${lines.join('')}\n` : ''
  const head = raw === true ? sentHead : hide(sentHead)
  const body = raw === true ? response.body : withoutSecrets(response.body, hide)
  if (head !== sentHead || body !== response.body)
    output.note('The answer repeats a key or secret of this run, which is masked here. Print it as sent with --raw.')
  if (head !== '') await io.out(head)
  if (body.length === 0) return
  if (!io.stdoutIsTty) return io.out(body)
  if (!isUtf8(body) || body.includes(0))
    throw new BnplError('output', 'the body of the answer is not text, so it cannot be shown on a terminal', {
      code: 'BINARY_BODY',
      hint: 'Write the body to a file: … > answer.bin',
    })
  const text = visible(new TextDecoder().decode(body), true)
  await io.out(text.endsWith('\n') ? text : `${text}\n`)
}

/** Returns the body with its secrets masked; the body itself if it contains none. Bytes that are not UTF-8 are not changed. */
function withoutSecrets(body: Uint8Array, hide: (text: string) => string): Uint8Array {
  const encoding = isUtf8(body) ? 'utf8' : 'latin1'
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString(encoding)
  const shown = hide(text)
  if (shown === text) return body
  return Buffer.from(encoding === 'utf8' ? shown : shown.replaceAll(HIDDEN, '****'), encoding)
}
