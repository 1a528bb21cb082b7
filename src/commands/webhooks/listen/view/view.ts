import type { Context } from '../../../../context.ts'
import type { Happening } from '../../../../receiver/delivery.ts'
import type { NextAttempt } from '../../../../receiver/forwarding/forwarder.ts'
import type { ForwardResult, Inbox, StoredEvent } from '../../../../receiver/inbox.ts'
import { eventLine } from '../../event-record.ts'
import type { ListenPlan } from '../listen.ts'
import type { Stop } from '../stop-signal.ts'
import { createRemarks } from './remarks.ts'
import { createScreen } from './screen.ts'

/** What the listener shows of its work, and when it has seen enough. */
export interface View {
  emit(events: readonly StoredEvent[]): Promise<{ taken: number; more: boolean }>
  observe(happening: Happening): void
  forwarded(event: StoredEvent, result: ForwardResult, next: NextAttempt | undefined): void
  ready(address: string): Promise<void>
  ending(): void
  end(): Promise<void>
}

/** Lines of JSON in a pipe; on a terminal a table that lives. */
export async function createView(context: Context, plan: ListenPlan, stop: Stop, inbox: Inbox): Promise<View> {
  const { output, io } = context
  const { explainDisbelief } = await import('../../../../receiver/verification/verifier.ts')
  const onTerminal = output.forPeople && io.stdoutIsTty && io.redraws
  const screen = onTerminal ? await createScreen(context, plan, stop.now) : undefined
  const remarks = createRemarks(context, plan, explainDisbelief, onTerminal, (text) =>
    screen ? screen.around(() => output.warn(text)) : output.warn(text),
  )
  const enough = countdown(plan, () => stop.now(undefined))
  // Another receiver may hand on what this one wrote out.
  const asking = inbox.shared && plan.until !== undefined ? setInterval(() => void ask(), ASK_MS) : undefined
  const ask = async () => {
    for (const seq of enough.open()) {
      const [found] = await inbox.find({ seq, limit: 1 }).catch(() => [])
      if (found?.forwarding?.state === 'delivered' || found?.forwarding?.state === 'dead') enough.forwarded(seq)
    }
  }
  return {
    async emit(events) {
      const wanted = events.slice(0, enough.left())
      if (!screen && plan.print) await io.out(wanted.map(eventLine).join(''))
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
    async ready(address) {
      const { waiting } = await inbox.backlog()
      if (screen) screen.ready(address, waiting)
      else output.note(`Listening on ${address} (${plan.scheme}); a test delivery went through. Ctrl-C ends it.`)
      if (!screen && waiting > 0) output.note(waitingNote(plan, waiting))
    },
    ending() {
      screen?.ending()
    },
    async end() {
      clearInterval(asking)
      await screen?.end()
      const { waiting } = await inbox.backlog().catch(() => ({ waiting: 0 }))
      if (waiting > 0) output.note(`${events(waiting)} still to be handed on; that goes on at the next start.`)
    },
  }
}

/** How often a shared inbox is asked what became of an event, in ms. */
const ASK_MS = 500

const events = (count: number) => `${count} event${count === 1 ? ' is' : 's are'}`

const waitingNote = ({ forwardTo }: ListenPlan, waiting: number) =>
  forwardTo === undefined
    ? `${events(waiting)} still to be handed on from before; --forward-to does that.`
    : `${events(waiting)} handed on first, from before.`

/** Counts down to the end that `--until` asks for: events written, and with a handler those it took or that were set aside. */
function countdown({ until, forwardTo }: ListenPlan, done: () => void) {
  let left = until ?? Number.POSITIVE_INFINITY
  const open = new Set<number>()
  const closed = new Set<number>()
  const check = () => {
    if (left <= 0 && open.size === 0) done()
  }
  return {
    left: () => left,
    /** Written out, and not known to be handed on. */
    open: () => [...open],
    emitted(events: readonly StoredEvent[]): void {
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
