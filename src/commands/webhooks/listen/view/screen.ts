import type { Context } from '../../../../context.ts'
import { formatDuration } from '../../../../domain/clock.ts'
import type { Happening } from '../../../../receiver/delivery.ts'
import type { NextAttempt } from '../../../../receiver/forwarding/forwarder.ts'
import type { ForwardResult, StoredEvent } from '../../../../receiver/inbox.ts'
import type { Style } from '../../../../terminal/output.ts'
import { startLive } from '../../../../terminal/progress.ts'
import { subjectOf } from '../../event-record.ts'
import type { ListenPlan } from '../plan.ts'
import { eventsAre, type ScreenRow, screenLines } from './lines.ts'

type RecordedHappening = Extract<Happening, { what: 'recorded' }>

interface Screen {
  recorded(happening: RecordedHappening): void
  forwarded(event: StoredEvent, result: ForwardResult, next: NextAttempt | undefined): void
  ready(address: string): void
  ending(): void
  around(write: () => void): void
  end(): Promise<void>
}

/** An event that waits to be forwarded, or to be forwarded again. */
interface OpenRow extends ScreenRow {
  /** What the row says when the listener ends before the event is forwarded. */
  atEnd: string
}

const UNSENT = { answer: 'waiting for its turn', atEnd: 'waiting' } as const

const SUBJECTS: Readonly<Record<string, string>> = { hmac: 'Transaction', token: 'Lead' }

const OPEN_SHOWN = 5
const OPEN_KEPT = 100

const noCounts = { received: 0, again: 0, waiting: 0, delivered: 0, dead: 0 }

/**
 * Returns the table of `listen`, which is drawn on stdout.
 * @param waiting the number of events of earlier runs that wait to be forwarded
 * @param onFailure gets the error when the terminal cannot be written to
 */
export async function createScreen(
  { io, output: { style } }: Pick<Context, 'io' | 'output'>,
  plan: Pick<ListenPlan, 'forwardTo' | 'scheme'>,
  waiting: number,
  onFailure: (error: Error) => void,
): Promise<Screen> {
  const forwards = plan.forwardTo !== undefined
  const lines = await screenLines(io.columns, style, SUBJECTS[plan.scheme] ?? 'Transaction or lead')
  const live = startLive(io, (error) => onFailure(error instanceof Error ? error : new Error(String(error))))
  const open = new Map<number, OpenRow>()
  const counts = { ...noCounts, waiting: forwards ? waiting : 0 }
  let state = 'starting'

  const waitingLines = (rows: readonly ScreenRow[]): string[] => {
    const unseen = counts.waiting - rows.length
    return [...rows.map(lines.row), ...(unseen > 0 ? [lines.note(`… and ${unseen} more wait to be forwarded`)] : [])]
  }
  const shownOpen = (): OpenRow[] => open.values().take(OPEN_SHOWN).toArray()
  const redraw = (): void =>
    live.show(() => [...waitingLines(shownOpen()), lines.note(summary(state, counts, forwards))])
  let isHeaded = false
  const head = (): void => {
    if (!isHeaded) live.add(lines.head())
    isHeaded = true
  }
  const settled = (row: ScreenRow): void => {
    head()
    live.add(lines.row(row))
    redraw()
  }
  return {
    recorded({ arrival, recorded, ms }) {
      const { seq, fate } = recorded
      if (fate === 'duplicate') counts.again++
      else counts.received++
      const row: ScreenRow = {
        ...rowOf({ seq, ...arrival }, style),
        storedMs: ms,
        answer: ANSWERS[fate],
        look: fate === 'new' ? style.green : style.yellow,
      }
      if (fate !== 'new' || !forwards) return settled(row)
      counts.waiting++
      if (open.size < OPEN_KEPT) open.set(seq, { ...row, ...UNSENT, look: style.dim })
      redraw()
    },
    forwarded(event, result, next) {
      const row = open.get(event.seq) ?? rowOf(event, style)
      if (result.state === 'retrying') {
        open.set(event.seq, { ...row, ...retryTexts(result, next), look: style.yellow })
        return redraw()
      }
      open.delete(event.seq)
      counts.waiting = Math.max(0, counts.waiting - 1)
      const { state: fate, status, error, ms, attempts } = result
      counts[fate]++
      const tries = attempts > 1 ? `, attempt ${attempts}` : ''
      settled(
        fate === 'delivered'
          ? { ...row, answer: `${status} in ${Math.round(ms)} ms${tries}`, look: style.green }
          : { ...row, answer: `set aside: ${error}`, look: style.red },
      )
    },
    ready(address) {
      state = `● ${address} (${plan.scheme})`
      head()
      if (!forwards && waiting > 0)
        live.add(lines.note(`${eventsAre(waiting)} waiting from an earlier run; add --forward-to URL to forward them`))
      redraw()
    },
    ending() {
      state = 'ending'
      redraw()
    },
    around: live.around,
    async end() {
      // The events that are still open wait for the next listener. Their rows stay on the terminal, so that the user can read them later.
      live.add(...waitingLines(shownOpen().map((row) => ({ ...row, answer: row.atEnd }))))
      await live.end()
    },
  }
}

function rowOf(
  { receivedAt, event, eventId, seq, body }: Pick<StoredEvent, 'receivedAt' | 'event' | 'eventId' | 'seq' | 'body'>,
  style: Pick<Style, 'dim'>,
): ScreenRow {
  return {
    at: receivedAt,
    number: String(seq),
    event: event ?? '?',
    subject: subjectOf({ event, body }) ?? '–',
    id: eventId ?? '–',
    storedMs: undefined,
    answer: '',
    look: style.dim,
  }
}

function retryTexts({ status }: ForwardResult, next: NextAttempt | undefined): Pick<OpenRow, 'answer' | 'atEnd'> {
  const away = status === null ? 'no connection' : `not reachable (${status})`
  const answer = next?.away ? away : String(status ?? 'no answer')
  return {
    answer: next === undefined ? answer : `${answer}, again in ${formatDuration(next.waitMs)}`,
    atEnd: `${answer}, waiting`,
  }
}

function summary(state: string, counts: typeof noCounts, forwards: boolean): string {
  const parts = [state, `${counts.received} received`]
  if (counts.again > 0) parts.push(`${counts.again} received again`)
  if (forwards) parts.push(`${counts.delivered} forwarded`)
  if (counts.dead > 0) parts.push(`${counts.dead} set aside`)
  return parts.join(' · ')
}

const ANSWERS: Record<RecordedHappening['recorded']['fate'], string> = {
  new: 'stored',
  duplicate: 'received again, not forwarded',
  variant: 'same id, another body',
  quarantined: 'not an event, quarantined',
}
