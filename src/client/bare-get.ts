import type { BareStep } from '../contract/calls/reports.ts'
import { wireFailureWords } from '../contract/failures/connections.ts'
import { type BodySink, type Download, type DownloadHead, WireFailure } from '../contract/wire.ts'
import { BodyBytes } from '../domain/body-bytes.ts'
import { type Clock, parseRetryAfter } from '../domain/clock.ts'
import type { BnplError, Exchange } from '../errors.ts'
import { maskLink } from '../text/masking.ts'
import { answerFailure, noAnswerFailure } from './failure.ts'
import type { AttemptReport } from './request.ts'
import { type CallAttempt, nextAttempt, type RetryPolicy } from './retry.ts'

export interface BareOptions {
  download: Download
  clock: Clock
  random: () => number
  /** How long the server may send nothing, in ms. The whole GET may take `WHOLE_FACTOR` times as long. */
  timeoutMs: number
  retry?: RetryPolicy
  userAgent: string
  signal?: AbortSignal
  onAttempt?: (attempt: AttemptReport) => void
  onWait?: (waitMs: number, why: string) => void
}

const WHOLE_FACTOR = 4

type Verdict<T> = { done: T } | Failed

export interface Failed {
  failure: BnplError
  attempt: CallAttempt
}

export interface BareAnswer {
  head: DownloadHead
  text: Uint8Array
  exchange: Exchange
}

interface BareTries {
  /**
   * Sends a GET without key, cookie or referer. `sink` receives the status and headers, and returns a receiver for the body. If `sink`
   * returns undefined, only the start of the body is stored. Errors of `sink` and of the receiver are thrown.
   */
  get(url: string, sink: (head: DownloadHead) => BodySink | undefined): Promise<BareAnswer | Failed>
  unwanted(answer: BareAnswer): Failed
}

/**
 * Makes a GET without credentials, and repeats it from the beginning after a temporary failure: it never asks for a range, because a report
 * is drawn anew when its parameters change, and a file must not contain parts of two answers. Returns the result, or throws the failure of the last attempt.
 * @param once makes one attempt
 */
export async function withRetries<T>(
  step: BareStep,
  options: BareOptions,
  once: (tries: BareTries) => Promise<Verdict<T>>,
): Promise<T> {
  const { clock, timeoutMs } = options
  let left = timeoutMs * WHOLE_FACTOR
  for (let made = 1; ; made++) {
    const started = clock.monotonic()
    const verdict = await once(tries(step, options, made, () => left - (clock.monotonic() - started)))
    if ('done' in verdict) return verdict.done
    left -= clock.monotonic() - started
    const next = left > 0 ? nextAttempt(step.repeat, verdict.attempt, made, options.random, options.retry) : undefined
    if (!next) throw verdict.failure
    options.onWait?.(
      next.waitMs,
      verdict.attempt.outcome === 'failure' ? wireFailureWords(verdict.attempt.kind) : `${verdict.attempt.status}`,
    )
    await clock.sleep(next.waitMs, options.signal)
  }
}

function tries(step: BareStep, options: BareOptions, made: number, left: () => number): BareTries {
  const { clock, signal } = options
  return {
    async get(url, sink) {
      const text = new StartOfBody()
      const exchange: Exchange = { method: 'GET', url: maskLink(url), attempts: made, sent: true, outcome: 'rejected' }
      const started = clock.monotonic()
      const report = (result: number | string) =>
        options.onAttempt?.({ method: 'GET', url: exchange.url, result, ms: clock.monotonic() - started })
      let head: DownloadHead | undefined
      try {
        await options.download(
          {
            url,
            headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': options.userAgent },
            idleMs: options.timeoutMs,
            timeoutMs: Math.max(1, left()),
            ...(signal ? { signal } : {}),
          },
          (given) => {
            head = given
            return sink(given) ?? text
          },
        )
      } catch (error) {
        if (error instanceof WireFailure) {
          report(head === undefined ? error.kind : `${head.status} ${error.kind}`)
          if (error.kind === 'aborted') throw signal?.reason
          const attempt: CallAttempt = { outcome: 'failure', kind: error.kind, sent: error.sent }
          return { failure: noAnswerFailure(step, error, exchange), attempt }
        }
        if (!(error instanceof Enough)) {
          report(head?.status ?? 'stopped')
          throw error
        }
      }
      if (head === undefined) throw new WireFailure('garbled', true, 'an answer without a head')
      report(head.status)
      return { head, text: text.bytes(), exchange: { ...exchange, status: head.status } }
    },
    unwanted({ head, text, exchange }) {
      const retryAfterMs = parseRetryAfter(head.headers['retry-after'], clock.now())
      return {
        failure: answerFailure(step, { ...head, body: text }, exchange, retryAfterMs),
        attempt: { outcome: 'answer', status: head.status, retryAfterMs },
      }
    },
  }
}

const ENOUGH_BYTES = 16_384

/** Thrown to stop reading the body of an error answer, because its start is enough to explain the error. */
class Enough extends Error {}

class StartOfBody implements BodySink {
  readonly #body = new BodyBytes()

  take(chunk: Uint8Array): void {
    this.#body.add(Buffer.from(chunk.subarray(0, ENOUGH_BYTES)))
    if (this.#body.size >= ENOUGH_BYTES) throw new Enough()
  }

  bytes(): Uint8Array {
    return this.#body.bytes()
  }
}
