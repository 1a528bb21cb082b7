import type { Clock } from '../../../domain/clock.ts'
import type { Happening } from '../../../receiver/delivery.ts'
import type { NextAttempt } from '../../../receiver/forwarding/forwarder.ts'
import type { ForwardResult, StoredEvent } from '../../../receiver/inbox.ts'
import type { explainVerificationFailure as Explain } from '../../../receiver/verification/verifier.ts'
import { countOf, formatTime } from '../../../terminal/numbers.ts'
import { shellQuoted } from '../../../text/shell-word.ts'
import type { ListenPlan } from './plan.ts'

type RemarkPlan = Pick<ListenPlan, 'path' | 'scheme' | 'forwardTo' | 'forwardAttempts'>

/** How often the terminal says that the handler is still not available. */
const AWAY_SAID_MS = 60_000

interface Voice {
  say(text: string): void
  /** Returns a command for the operator to run next, as `nextCommand` does. */
  command(words: string, operands?: readonly string[], options?: readonly string[]): string
}

interface Remarks {
  observe(happening: Happening): void
  forwarded(event: StoredEvent, result: ForwardResult, next: NextAttempt | undefined): void
}

const REFUSALS: Record<number, (plan: RemarkPlan) => string> = {
  404: ({ path }) => `the path is not ${path}`,
  405: () => 'the method is not POST',
  408: () => 'the request arrived too slowly',
  413: () => 'the body is larger than 1 MiB',
  415: () => 'the body is compressed (Content-Encoding)',
  421: () => 'the Host is not a name of this listener. Add the name with --public-host NAME',
  503: () => 'too many deliveries are being received at once',
}

/**
 * Returns an observer that tells the operator about problems. Its remarks contain no secrets and no data of a body.
 * @param onScreen whether a screen already shows the events with the handler's answers
 */
export function createRemarks(
  clock: Clock,
  plan: RemarkPlan,
  explainVerificationFailure: typeof Explain,
  onScreen: boolean,
  { say, command }: Voice,
): Remarks {
  const remark = throttled(clock, say)
  /** Since when the handler is not available, and how many events wait for it. */
  let away: { since: string; waiting: number; saidAt: number } | undefined
  return {
    observe(happening) {
      switch (happening.what) {
        case 'unverified':
          return remark(
            `401 ${happening.why}`,
            `refused a delivery from ${happening.from} with 401: ${explainVerificationFailure(happening.why, plan.scheme, command('bnpl webhooks verify-signature'))}`,
          )
        case 'refused': {
          const why = REFUSALS[happening.status]?.(plan) ?? 'the request is not a delivery of an event'
          return remark(
            `refused ${happening.status}`,
            `refused a request from ${happening.from} with ${happening.status}: ${why}`,
          )
        }
        case 'not-stored':
          if (happening.error.kind === 'network') return
          return remark(
            'not stored',
            `the inbox cannot be written, so deliveries are NOT STORED and not acknowledged (503): ${happening.error.message}`,
          )
        case 'not-read':
          return remark(
            'not read',
            `stored events cannot be read, so they are not printed or forwarded yet: ${happening.error.message}. bnpl tries again each second`,
          )
        case 'recorded':
          if (away !== undefined && happening.recorded.fate === 'new') away.waiting++
          return remarkOnRecord(happening, remark, command)
        case 'unacknowledged':
      }
    },
    forwarded(event, { state, error, attempts }, next) {
      const id = event.eventId ?? `#${event.seq}`
      if (state === 'dead') {
        const to = `--forward-to ${shellQuoted(plan.forwardTo ?? 'URL')}`
        const again = command('bnpl webhooks events replay', [id], [to])
        say(
          `${id} is set aside after ${countOf(attempts, 'attempt')} (${error}). Forward the event again with: ${again}`,
        )
      }
      if (onScreen || state === 'dead') return
      if (next?.away) {
        const now = clock.monotonic()
        const isFirst = away === undefined
        away ??= { since: formatTime(clock.now()), waiting: 1, saidAt: now }
        if (!isFirst && now - away.saidAt < AWAY_SAID_MS) return
        away.saidAt = now
        return remark(
          'away',
          isFirst
            ? `the handler ${plan.forwardTo} is not available (${error}): ${id} and the later events will be forwarded in order when the handler is available`
            : `the handler ${plan.forwardTo} is not available since ${away.since} (${error}): ${countOf(away.waiting, 'event')} will be forwarded in order when the handler is available`,
        )
      }
      if (away !== undefined) say(`the handler ${plan.forwardTo} is available again`)
      away = undefined
      if (state === 'retrying')
        remark(
          'refused by the handler',
          `the handler did not accept ${id}: ${error} (attempt ${attempts} of ${plan.forwardAttempts}); trying again`,
        )
    },
  }
}

function remarkOnRecord(
  { arrival, recorded }: Extract<Happening, { what: 'recorded' }>,
  remark: (kind: string, text: string) => void,
  command: Voice['command'],
): void {
  const shown = command('bnpl webhooks events show', [`#${recorded.seq}`])
  if (recorded.fate === 'variant')
    remark(
      'variant',
      `${arrival.eventId} arrived again with another body; this delivery is stored but not forwarded (${shown})`,
    )
  if (recorded.fate === 'quarantined')
    remark(
      'quarantined',
      `a verified delivery is not an event (${arrival.odd}), so it is kept in quarantine (${shown})`,
    )
}

const QUIET_MS = 1000

/**
 * Returns a function that writes each kind of remark at most once a second, so that an attack or a full disk does
 * not hide all other messages. The next remark of a kind says how many were left out.
 */
function throttled(clock: Pick<Clock, 'monotonic'>, say: (text: string) => void): (kind: string, text: string) => void {
  const kinds = new Map<string, { saidAt: number; left: number }>()
  return (kind, text) => {
    const now = clock.monotonic()
    const known = kinds.get(kind)
    if (known && now - known.saidAt < QUIET_MS) {
      known.left++
      return
    }
    const left = known?.left ?? 0
    kinds.set(kind, { saidAt: now, left: 0 })
    say(left > 0 ? `${text} (and ${left} more like it)` : text)
  }
}
