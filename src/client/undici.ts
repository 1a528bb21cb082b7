import type { Dispatcher } from 'undici'
import { type Transport, WireFault, type WireRequest, type WireResponse } from '../contract/wire.ts'
import { BodyBytes } from '../domain/body-bytes.ts'
import { startDeadline } from '../domain/deadline.ts'
import { faultFrom } from './fault.ts'
import { type Line, type LineOptions, type Lines, linesTo } from './lines.ts'

interface Network {
  transport: Transport
  /**
   * Closes the shared connections, so that the program can end, and interrupts the calls that use them. A call with `freshSocket` has its
   * own connection and still gets its answer. A later call opens new connections.
   */
  close(): Promise<void>
}

/** Creates a `Transport` over the network. Redirects are not followed. One deadline and one size limit apply to the whole answer. */
export function createNetwork(options: LineOptions): Network {
  const origins = new Map<string, Lines>()
  const linesOf = (url: URL): Lines => {
    const known = origins.get(url.origin)
    if (known) return known
    const made = linesTo(url, options)
    origins.set(url.origin, made)
    return made
  }
  return {
    transport(request) {
      const url = new URL(request.url)
      const lines = request.freshSocket ? linesTo(url, options) : linesOf(url)
      const line = lines.take()
      return exchange(line, url, request, options.env, (whole) => {
        // Do not wait until the connection is closed, because waiting would delay the answer.
        if (request.freshSocket) void lines.destroy()
        else lines.give(line, whole)
      })
    },
    async close() {
      const open = [...origins.values()]
      origins.clear()
      await Promise.all(open.map((each) => each.destroy()))
    },
  }
}

interface Interruptible {
  end(): void
  at: number
}

const WAITING = new WeakMap<AbortSignal, Interruptible[]>()

/** Returns the exchanges that the signal interrupts. They share one listener, because adding a listener for each exchange would be slow. */
function waitingOn(signal: AbortSignal): Interruptible[] {
  const known = WAITING.get(signal)
  if (known) return known
  // This is a list, because a set would keep earlier exchanges in memory until a full garbage collection.
  const waiting: Interruptible[] = []
  WAITING.set(signal, waiting)
  signal.addEventListener('abort', () => {
    for (const each of [...waiting]) each.end()
  })
  return waiting
}

function enter(waiting: Interruptible[], each: Interruptible): void {
  each.at = waiting.push(each) - 1
}

function leave(waiting: Interruptible[], { at }: Interruptible): void {
  const last = waiting.pop()
  if (last === undefined || last.at === at) return
  waiting[at] = last
  last.at = at
}

/**
 * Sends a request on a connection, and returns the answer. `done` is called before the promise settles. Its argument says whether the
 * answer is complete.
 */
function exchange(
  line: Line,
  url: URL,
  request: WireRequest,
  env: LineOptions['env'],
  done: (whole: boolean) => void,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let sent = false
    let over: WireFault | undefined
    let status = 0
    let headers: Record<string, string> = {}
    const body = new BodyBytes()

    const finish = () => {
      deadline.clear()
      if (request.signal) leave(waitingOn(request.signal), interruptible)
    }
    const stop = (fault: WireFault) => {
      if (over) return
      over = fault
      finish()
      controller?.abort(fault)
      done(false)
      reject(fault)
    }
    const interruptible: Interruptible = {
      end: () => stop(new WireFault('aborted', sent, 'interrupted', request.signal?.reason)),
      at: 0,
    }
    if (request.signal) enter(waitingOn(request.signal), interruptible)
    const deadline = startDeadline(request.timeoutMs, () =>
      stop(new WireFault('timeout', sent, `no complete answer within ${request.timeoutMs} ms`)),
    )
    if (request.signal?.aborted) return interruptible.end()

    line.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
        ...(request.freshSocket ? { reset: true } : {}),
      },
      {
        // Called when the connection exists, just before the first byte is written. From here on the call counts as sent.
        onRequestStart(given) {
          controller = given
          if (over) return given.abort(over)
          sent = true
        },
        onResponseStart(_, statusCode, given) {
          status = statusCode
          headers = flatten(given)
          if (Number(headers['content-length']) > request.maxBytes) stop(tooLarge(request.maxBytes, status))
        },
        onResponseData(_, chunk) {
          body.add(chunk)
          if (body.size > request.maxBytes) stop(tooLarge(request.maxBytes, status))
          else if (body.isShredded)
            stop(new WireFault('garbled', true, 'too many small chunks', undefined, { status, shredded: true }))
        },
        onResponseEnd() {
          if (over) return
          finish()
          done(true)
          resolve({ status, headers, body: body.bytes() })
        },
        onResponseError(_, error) {
          const facts = sent && line.stale ? { stale: true } : {}
          stop(faultFrom(error, sent, { begun: status !== 0, env, ...facts }))
        },
      },
    )
  })
}

function tooLarge(maxBytes: number, status: number): WireFault {
  return new WireFault('too-large', true, `the answer is larger than ${maxBytes} bytes`, undefined, { status })
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}
