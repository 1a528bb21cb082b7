import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import { type Transport, WireFault, type WireResponse } from '../../contract/wire.ts'
import { type BodyReader, discardBody } from '../../http/body.ts'
import { type HttpVisit, resetConnection } from '../../http/door.ts'
import { environmentOf, isPageAddress } from '../addresses.ts'
import { CutAnswer } from '../service/faults.ts'
import { Refusal, refusalAnswer } from '../service/refusal.ts'
import { isStorageAddress } from '../service/storage.ts'
import { refuse } from './gate.ts'

interface Site {
  bodies: BodyReader
  closing: AbortSignal
  transport: Promise<Transport>
  onEnd: ((end: ExchangeEnd) => void) | undefined
  onFault(error: unknown): void
}

/** A request that reached the transport, and how it ended. `status` is undefined when the connection was cut off. */
export interface ExchangeEnd {
  method: string
  /** The address of the request, which may contain secrets and ids of people. */
  url: string
  status: number | undefined
  ms: number
}

/** An answer whose body is followed by a stream of server-sent events. Code that calls the sandbox without HTTP gets only the body. */
export interface StreamedResponse extends WireResponse {
  /** @param signal is aborted when the browser has disconnected or the server closes */
  stream(signal: AbortSignal): AsyncIterable<Uint8Array>
}

const isStreamed = (response: WireResponse): response is StreamedResponse => 'stream' in response

/** Checks a request, reads its body, and sends the answer. Never throws. */
export async function answerExchange(visit: HttpVisit, site: Site): Promise<void> {
  const { request, response } = visit
  request.on('error', () => {})
  response.on('error', () => {})
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const to: Reader = { response, isHead: request.method === 'HEAD', gone: gone.signal, closing: site.closing }
  try {
    const answer = await respond(visit, gone.signal, site)
    if (request.complete) await send(answer, to)
    else await sendAndHangUp(request, response, answer)
  } catch (error) {
    if (error instanceof CutAnswer) return sendCut(response, error)
    if (error instanceof WireFault && error.kind === 'refused') return resetConnection(request.socket)
    if (error instanceof WireFault || gone.signal.aborted || request.errored) return void request.socket.destroy()
    site.onFault(error)
    await send(refusalAnswer(new Refusal(500, 'ERR_SANDBOX', 'the sandbox itself failed')), to)
  }
}

async function respond(visit: HttpVisit, gone: AbortSignal, site: Site): Promise<WireResponse> {
  const { method = 'GET', url: path = '/', headers, headersDistinct } = visit.request
  const refusal = refuse(visit)
  if (refusal) return refusalAnswer(refusal)
  const body = await readBody(visit, gone, site.bodies)
  if (body instanceof Refusal) return refusalAnswer(body)
  const transport = await site.transport
  const url = `http://${headers.host}${path}`
  const wire = {
    method: methodOf(method, path),
    url,
    headers: Object.fromEntries(
      Object.entries(headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
    ),
    body,
    timeoutMs: 2 ** 31 - 1,
    maxBytes: Number.MAX_SAFE_INTEGER,
    signal: gone,
  }
  const started = performance.now()
  let answer: WireResponse | undefined
  try {
    answer = await transport(wire)
    return answer
  } finally {
    site.onEnd?.({ method: wire.method, url, status: answer?.status, ms: performance.now() - started })
  }
}

/**
 * Returns the method of a request, with HEAD replaced by GET. HEAD is not replaced on the payment page, where a GET can pay. HEAD is also
 * not replaced for a report, because the signature in its link is valid for only one method.
 */
function methodOf(method: string, path: string): string {
  if (method !== 'HEAD') return method
  const pathname = path.split('?')[0] ?? ''
  return isPageAddress(environmentOf(pathname).inside) || isStorageAddress(pathname) ? 'HEAD' : 'GET'
}

/**
 * Returns the body of a request, or the refusal of a body that is too large or comes in thousands of pieces of a few bytes. Rejects when the
 * client closes the connection before the end of the body.
 */
async function readBody({ request, proceed }: HttpVisit, gone: AbortSignal, bodies: BodyReader) {
  const tooLarge = () => new Refusal(413, 'ERR_PAYLOAD_TOO_LARGE', `the body is larger than ${bodies.mostBytes} bytes`)
  if (Number(request.headers['content-length']) > bodies.mostBytes) return tooLarge()
  proceed()
  return new Promise<Uint8Array | Refusal>((resolve, reject) => {
    gone.addEventListener('abort', () => reject(gone.reason), { once: true })
    bodies.read(request, {
      refused: (status) =>
        resolve(
          status === 400
            ? new Refusal(400, 'ERR_BAD_REQUEST', 'the body comes in thousands of chunks of a few bytes')
            : tooLarge(),
        ),
      whole(body, release) {
        release()
        resolve(body)
      },
    })
  })
}

interface Reader {
  response: ServerResponse
  isHead: boolean
  gone: AbortSignal
  closing: AbortSignal
}

async function send(answer: WireResponse, { response, isHead, gone, closing }: Reader): Promise<void> {
  if (closing.aborted) response.setHeader('connection', 'close')
  if (!isStreamed(answer) || isHead) {
    writeHead(response, answer)
    response.end(isHead ? undefined : answer.body)
    return settled(response)
  }
  const signal = AbortSignal.any([gone, closing])
  response.writeHead(answer.status, headersOf(answer))
  response.flushHeaders()
  response.write(answer.body)
  for await (const chunk of answer.stream(signal)) {
    if (signal.aborted) break
    // Wait for a client that reads slowly, so that chunks do not collect in memory.
    if (!response.write(chunk)) await new Promise<void>((resolve) => drained(response, signal, resolve))
  }
  response.end()
  return settled(response)
}

/** How long a client may continue to send after its request was refused, in ms. */
const LINGER_MS = 1_000

/** Closes the connection a moment after the answer, because closing at once would reset it, and the client might never see the answer. */
async function sendAndHangUp(request: IncomingMessage, response: ServerResponse, answer: WireResponse): Promise<void> {
  response.setHeader('connection', 'close')
  writeHead(response, answer)
  response.write(answer.body)
  discardBody(request)
  await finished(request, { signal: AbortSignal.timeout(LINGER_MS) }).catch(() => {})
  response.end()
  await settled(response)
}

function sendCut(response: ServerResponse, { response: answer, bytes }: CutAnswer): void {
  writeHead(response, answer)
  response.flushHeaders()
  response.write(answer.body.subarray(0, bytes), () => response.socket?.destroySoon())
}

function writeHead(response: ServerResponse, answer: WireResponse): void {
  const hasBody = answer.status !== 204 && answer.status !== 304
  response.writeHead(answer.status, {
    ...headersOf(answer),
    ...(hasBody ? { 'content-length': answer.body.length } : {}),
  })
}

function headersOf({ headers }: WireResponse): Record<string, string> {
  return { 'x-content-type-options': 'nosniff', ...headers }
}

async function settled(response: ServerResponse): Promise<void> {
  await finished(response).catch(() => {})
}

function drained(response: ServerResponse, signal: AbortSignal, resolve: () => void): void {
  response.once('drain', resolve)
  signal.addEventListener('abort', resolve, { once: true })
}
