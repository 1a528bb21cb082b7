import type { Dispatcher } from 'undici'
import { type Transport, WireFault, type WireRequest } from '../contract/wire.ts'
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
    async transport(request) {
      const { maxBytes, freshSocket } = request
      const url = new URL(request.url)
      const lines = freshSocket ? linesTo(url, options) : linesOf(url)
      const line = lines.take()
      const body = new BodyBytes()
      let head = { status: 0, headers: {} as Record<string, string> }
      const taker: AnswerTaker = {
        head(status, headers) {
          head = { status, headers }
          if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes, status)
        },
        data(chunk) {
          body.add(chunk)
          if (body.size > maxBytes) throw tooLarge(maxBytes, head.status)
        },
      }
      await exchange(line, url, request, options.env, taker, (whole) => {
        // Do not wait until the connection is closed, because waiting would delay the answer.
        if (freshSocket) void lines.destroy()
        else lines.give(line, whole)
      })
      return { ...head, body: body.bytes() }
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

interface AnswerTaker {
  /** Receives the head of the answer. Errors of this function and of `data` end the call. */
  head(status: number, headers: Record<string, string>): void
  data(chunk: Uint8Array): void
}

type Sent = Omit<WireRequest, 'maxBytes'> & { idleMs?: number }

/**
 * Sends a request on a connection, and passes the answer on as it arrives. `done` is called before the promise settles. Its argument says
 * whether the answer is complete.
 */
export function exchange(
  line: Line,
  url: URL,
  request: Sent,
  env: LineOptions['env'],
  answer: AnswerTaker,
  done: (whole: boolean) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let sent = false
    let isOver = false
    let status = 0
    const body = new BodyBytes()

    const finish = () => {
      deadline.clear()
      idle?.clear()
      if (request.signal) leave(waitingOn(request.signal), interruptible)
    }
    // Only the first reason counts, because aborting a request causes further errors.
    const stop = (reason: unknown) => {
      if (isOver) return
      isOver = true
      finish()
      controller?.abort(reason as Error)
      done(false)
      reject(reason)
    }
    const guarded = (work: () => void) => {
      try {
        if (!isOver) work()
      } catch (error) {
        stop(error)
      }
    }
    const late = (ms: number, what: string) =>
      startDeadline(ms, () => stop(new WireFault('timeout', sent, `${what} within ${ms} ms`)))
    const interruptible: Interruptible = {
      end: () => stop(new WireFault('aborted', sent, 'interrupted', request.signal?.reason)),
      at: 0,
    }
    if (request.signal) enter(waitingOn(request.signal), interruptible)
    const deadline = late(request.timeoutMs, 'no complete answer')
    const idle = request.idleMs === undefined ? undefined : late(request.idleMs, 'no data arrived')
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
          if (isOver) return given.abort(new Error('the call is over'))
          sent = true
        },
        onResponseStart(_, statusCode, given) {
          status = statusCode
          guarded(() => answer.head(statusCode, flatten(given)))
        },
        onResponseData(_, chunk) {
          idle?.refresh()
          body.skip(chunk)
          if (body.isShredded)
            stop(new WireFault('garbled', true, 'too many small chunks', undefined, { status, shredded: true }))
          else guarded(() => answer.data(chunk))
        },
        onResponseEnd() {
          if (isOver) return
          isOver = true
          finish()
          done(true)
          resolve()
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
