import { type Download, type Transport, WireFailure, type WireRequest } from '../contract/wire.ts'
import { BodyBytes } from '../domain/body-bytes.ts'
import type { Clock } from '../domain/clock.ts'
import { paymentPageAddress } from '../domain/payment-page.ts'
import type { Headers } from './headers.ts'
import type { Recorder } from './recorder.ts'
import type { RawMessage } from './sanitiser.ts'

interface CallRecording {
  recorder: Pick<Recorder, 'exchange'>
  clock: Clock
  baseUrl: string | undefined
  paymentUrl: string | undefined
}

/** Returns a transport that also records each exchange with the service. Every attempt is a separate exchange. */
export function recordedTransport(
  inner: Transport,
  { recorder, clock, baseUrl, paymentUrl }: CallRecording,
): Transport {
  const origin = baseUrl === undefined ? undefined : new URL(baseUrl).origin
  const page = paymentUrl === undefined ? undefined : paymentPageAddress(paymentUrl).href
  return async (request) => {
    const url = new URL(request.url)
    // Requests to other origins or to the payment page are not calls of the service, so they are not recorded.
    if (url.origin !== origin || url.origin + url.pathname === page) return inner(request)
    const at = clock.now()
    const started = clock.monotonic()
    const seen = () =>
      ({ by: 'client', at, ms: clock.monotonic() - started, request: rawOf(request, baseUrl) }) as const
    try {
      const response = await inner(request)
      const { status, headers, body } = response
      recorder.exchange({ ...seen(), response: { status, headers: Object.entries(headers), body } })
      return response
    } catch (error) {
      if (error instanceof WireFailure) recorder.exchange({ ...seen(), ended: error.kind })
      throw error
    }
  }
}

/** Returns a download that also records each exchange. Of a PDF or a body above `MOST_BYTES`, only the kind and the size are recorded. */
export function recordedDownload(inner: Download, { recorder, clock, baseUrl }: CallRecording): Download {
  return async (request, begin) => {
    const at = clock.now()
    const started = clock.monotonic()
    let head: { status: number; headers: Headers } | undefined
    const passing = passingBody()
    const seen = () =>
      ({
        by: 'client',
        at,
        ms: clock.monotonic() - started,
        request: rawOf({ ...request, method: 'GET' }, baseUrl),
        response: head && { ...head, body: passing.body() },
      }) as const
    try {
      await inner(request, ({ status, headers }) => {
        head = { status, headers: Object.entries(headers) }
        const sink = begin({ status, headers })
        return {
          take(chunk) {
            passing.take(chunk)
            sink.take(chunk)
          },
        }
      })
    } catch (error) {
      // An error that is not a `WireFailure` was thrown by the code that receives the body.
      recorder.exchange({ ...seen(), ended: error instanceof WireFailure ? error.kind : 'stopped' })
      throw error
    }
    recorder.exchange(seen())
  }
}

function rawOf(
  { method, url, headers, body }: Pick<WireRequest, 'method' | 'url' | 'headers' | 'body'>,
  baseUrl: string | undefined,
): RawMessage {
  const prefix = baseUrl?.replace(/\/+$/, '')
  const path = prefix !== undefined && url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url
  return { method, path, headers: Object.entries(headers), body }
}

const MOST_BYTES = 64 * 1024

function passingBody() {
  const beginning = new BodyBytes()
  let bytes = 0
  return {
    take(chunk: Uint8Array): void {
      if (bytes < MOST_BYTES) beginning.add(Buffer.from(chunk.subarray(0, MOST_BYTES - bytes)))
      bytes += chunk.length
    },
    body(): Uint8Array | { bytes: number; beginning: Uint8Array } {
      return bytes > beginning.size ? { bytes, beginning: beginning.bytes() } : beginning.bytes()
    },
  }
}
