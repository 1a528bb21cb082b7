import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import type { WireResponse } from '../../contract/wire.ts'
import { type CutAnswer, isStreamed } from '../service/cut-answer.ts'

export interface SendOptions {
  method: string
  /** Aborted when the connection has gone. */
  gone: AbortSignal
  /** Aborted when the server closes: no connection is kept after this answer, and streams end. */
  closing: AbortSignal
}

/** Writes an answer. Resolves when it was handed over, or the reader has gone. */
export async function sendResponse(response: ServerResponse, answer: WireResponse, options: SendOptions) {
  if (options.closing.aborted) response.setHeader('connection', 'close')
  if (!isStreamed(answer) || options.method === 'HEAD') {
    writeHead(response, answer)
    response.end(options.method === 'HEAD' ? undefined : answer.body)
    return settled(response)
  }
  const signal = AbortSignal.any([options.gone, options.closing])
  response.writeHead(answer.status, headersOf(answer))
  response.flushHeaders()
  response.write(answer.body)
  for await (const chunk of answer.stream(signal)) {
    if (signal.aborted) break
    // A reader that does not keep up is waited for, never buffered for.
    if (!response.write(chunk)) await new Promise<void>((resolve) => drained(response, signal, resolve))
  }
  response.end()
  return settled(response)
}

/** How long a sender that was refused may go on sending before it is cut. */
const LINGER_MS = 1_000

/**
 * Answers before the request was read to its end, and closes. What still comes is thrown away for a moment: closing at once
 * would reset the connection, and the sender might never see the answer.
 */
export async function sendAndHangUp(request: IncomingMessage, response: ServerResponse, answer: WireResponse) {
  response.setHeader('connection', 'close')
  writeHead(response, answer)
  response.write(answer.body)
  request.resume()
  await finished(request, { signal: AbortSignal.timeout(LINGER_MS) }).catch(() => {})
  response.end()
  await settled(response)
}

/** Announces the whole answer, sends its first bytes, and cuts the connection. */
export function sendCut(response: ServerResponse, { response: answer, bytes }: CutAnswer): void {
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
