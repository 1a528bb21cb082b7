import type { Context } from '../../../context.ts'
import { BnplError, ClosedPipe, tellable } from '../../../errors.ts'
import type { Happening } from '../../../receiver/delivery.ts'
import type { EmitterOptions } from '../../../receiver/emitter.ts'
import type { NextAttempt } from '../../../receiver/forwarding/forwarder.ts'
import type { ForwardResult, Inbox, StoredEvent } from '../../../receiver/inbox.ts'
import { explainVerificationFailure } from '../../../receiver/verification/verifier.ts'
import type { Output } from '../../../terminal/output.ts'
import { writtenBefore } from '../../../terminal/standard-output.ts'
import { nextCommand } from '../../global-options.ts'
import type { Stop } from '../../long-run.ts'
import { eventLine } from '../stored-events.ts'
import type { ListenPlan } from './plan.ts'
import { createRemarks } from './remarks.ts'
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
