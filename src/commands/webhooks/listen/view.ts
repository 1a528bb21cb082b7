import type { Context } from '../../../context.ts'
import type { Clock } from '../../../domain/clock.ts'
import { BnplError, ClosedPipe, tellable } from '../../../errors.ts'
import type { Happening } from '../../../receiver/delivery.ts'
import type { EmitterOptions } from '../../../receiver/emitter.ts'
import type { NextAttempt } from '../../../receiver/forwarding/forwarder.ts'
import type { ForwardResult, Inbox, StoredEvent } from '../../../receiver/inbox.ts'
import {
  type explainVerificationFailure as Explain,
  explainVerificationFailure,
} from '../../../receiver/verification/verifier.ts'
import { countOf, formatTime } from '../../../terminal/numbers.ts'
import type { Output } from '../../../terminal/output.ts'
import { writtenBefore } from '../../../terminal/standard-output.ts'
import { shellQuoted } from '../../../text/shell-word.ts'
import { nextCommand } from '../../global-options.ts'
import type { Stop } from '../../long-run.ts'
import { eventLine } from '../stored-events.ts'
import type { ListenPlan } from './plan.ts'
import { createScreen, eventsAre } from './screen.ts'

export interface View {
  emit: EmitterOptions['emit']
  observe(happening: Happening): void
  forwarded(event: StoredEvent, result: ForwardResult, next: NextAttempt | undefined): void
  /** Removes the redrawn lines while `write` writes lines that stay on the screen. */
  around(write: () => void): void
  ready(address: string): Promise<void>
  ending(): void
  end(): Promise<void>
}

const ASK_MS = 500

/** Whether a listener draws a table on a terminal. Otherwise it prints lines of JSON. */
export const drawsTable = ({ output, io }: Context): boolean =>
  output.forPeople && io.stdoutIsTty && (io.redraws || io.accessible === true)

/** Returns the output of a listener: lines of JSON for a pipe, or a table that is redrawn on a terminal. */
export async function createView(
  context: Context,
  plan: ListenPlan,
  stop: Pick<Stop, 'now'>,
  inbox: Inbox,
): Promise<View> {
  const { output } = context
  const onTerminal = drawsTable(context)
  // Do not count the waiting events of a shared inbox, because other receivers forward some of these events.
  const waiting = inbox.shared ? 0 : (await inbox.backlog()).waiting
  const screen = onTerminal
    ? await createScreen(context, plan, waiting, (error) => {
        // A receiver whose terminal was closed still receives. Whether it ends is decided by the signal SIGHUP.
        if (!isOutputFailure(error)) stop.now(error)
      })
    : undefined
  const around = (write: () => void): void => (screen ? screen.around(write) : write())
  const say = (text: string) => around(() => output.warn(text))
  const remarks = createRemarks(context.clock, plan, explainVerificationFailure, onTerminal, {
    say,
    command: (...words) => nextCommand(context, ...words),
  })
  const ended = new AbortController()
  const print = steadyOutput(context, plan, say, ended.signal)
  const enough = countdown(plan, () => stop.now(undefined))
  // Another receiver of a shared inbox, or `events replay`, may have forwarded an event, so read from the inbox whether it was forwarded.
  const ask = async () => {
    for (const seq of enough.open()) {
      const [found] = await inbox.find({ seq, limit: 1 }).catch(() => [])
      const state = found?.forwarding?.state
      if (state === 'delivered' || state === 'dead') enough.forwarded(seq)
      // With its own inbox, a listener ends after the oldest event at the earliest. So do not read the others yet.
      else if (!inbox.shared) return
    }
  }
  const asking = plan.until !== undefined ? setInterval(() => void ask(), ASK_MS) : undefined
  return {
    async emit(events) {
      const wanted = events.slice(0, enough.left())
      if (!screen && plan.print) await print(wanted.map(eventLine).join(''))
      enough.emitted(wanted)
      return { taken: wanted.length, more: enough.left() > 0 }
    },
    observe(happening) {
      remarks.observe(happening)
      if (happening.what === 'recorded') screen?.recorded(happening)
    },
    forwarded(event, result, next) {
      remarks.forwarded(event, result, next)
      screen?.forwarded(event, result, next)
      if (result.state !== 'retrying') enough.forwarded(event.seq)
    },
    around,
    async ready(address) {
      if (screen) return screen.ready(address)
      output.note(`Listening on ${address} (${plan.scheme}). A test delivery has succeeded. Ctrl-C ends the listener.`)
      if (waiting > 0) output.note(waitingNote(plan, waiting))
    },
    ending() {
      screen?.ending()
    },
    async end() {
      clearInterval(asking)
      ended.abort()
      await screen?.end()
      const { waiting } = await inbox.backlog().catch(() => ({ waiting: 0 }))
      if (waiting > 0)
        output.note(
          `${eventsAre(waiting)} waiting to be forwarded. Forwarding continues when a listener runs with --forward-to.`,
        )
    },
  }
}

const PRINT_AGAIN_MS = 5000

const isOutputFailure = (error: unknown) =>
  error instanceof ClosedPipe || (error instanceof BnplError && error.kind === 'output')

/**
 * Returns a function that prints events. If stdout cannot be written, for example because the disk is full, it continues later at the same
 * byte, because the receiver must not end for that reason. A closed pipe is an error, so that a supervisor can start the receiver and the
 * program that reads its events again. With `--until`, every failure is an error, because the command exists only to print events.
 */
function steadyOutput(
  { io, clock }: Pick<Context, 'io' | 'clock'>,
  { until }: Pick<ListenPlan, 'until'>,
  say: (text: string) => void,
  ended: AbortSignal,
): (text: string) => Promise<void> {
  return async (text) => {
    let rest: string | Buffer = text
    for (let failures = 0; ; failures++) {
      try {
        await io.out(rest)
        if (failures > 0) say('events are printed again, and none is missing on stdout')
        return
      } catch (error) {
        if (until !== undefined || error instanceof ClosedPipe || !isOutputFailure(error)) throw error
        rest = Buffer.from(rest).subarray(writtenBefore(error))
        if (failures === 0)
          say(
            `events cannot be printed (${tellable(error)}). They are still stored, acknowledged and forwarded. bnpl tries to print them every ${PRINT_AGAIN_MS / 1000} s`,
          )
      }
      await clock.sleep(PRINT_AGAIN_MS, ended).catch(() => {})
      // The receiver has ended, and knows that these events are not printed.
      if (ended.aborted) return
    }
  }
}

/**
 * Returns a context for work that writes lines while the view is shown. These lines stay on the screen when the view
 * is redrawn.
 */
export function besideView(context: Context, { around }: Pick<View, 'around'>): Context {
  const { output } = context
  const beside: Output = {
    ...output,
    note: (text) => around(() => output.note(text)),
    warn: (text) => around(() => output.warn(text)),
    say: (...lines) => around(() => output.say(...lines)),
  }
  return { ...context, output: beside }
}

const waitingNote = ({ forwardTo }: ListenPlan, waiting: number) =>
  forwardTo === undefined
    ? `${eventsAre(waiting)} waiting from an earlier run. Add --forward-to URL to forward them.`
    : `${eventsAre(waiting)} waiting from an earlier run and will be forwarded first.`

/**
 * Returns a counter of events, which calls `done` when it reaches the number of `--until`. Without a handler, an event counts when it is
 * printed. With a handler, it must also be accepted by the handler, or set aside because the handler refused it too often.
 * @param done called when enough events are counted
 */
export function countdown({ until, forwardTo }: Pick<ListenPlan, 'until' | 'forwardTo'>, done: () => void) {
  let left = until ?? Number.POSITIVE_INFINITY
  const open = new Set<number>()
  const closed = new Set<number>()
  const check = () => {
    if (left <= 0 && open.size === 0) done()
  }
  return {
    left: () => left,
    open: () => [...open],
    emitted(events: readonly Pick<StoredEvent, 'seq'>[]): void {
      if (until === undefined) return
      left -= events.length
      if (forwardTo !== undefined) for (const { seq } of events) if (!closed.delete(seq)) open.add(seq)
      check()
    },
    forwarded(seq: number): void {
      if (until === undefined) return
      if (!open.delete(seq)) closed.add(seq)
      check()
    },
  }
}

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
  // Most deliveries end here, before the words of a command are put together.
  if (recorded.fate !== 'variant' && recorded.fate !== 'quarantined') return
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
