import type { Context } from '../../../context.ts'
import { isOnlyEvent } from '../../../contract/integrations.ts'
import { formatDuration } from '../../../domain/clock.ts'
import type { Words } from '../../../language/patterns.ts'
import type { Happening } from '../../../receiver/delivery.ts'
import type { NextAttempt } from '../../../receiver/forwarding/forwarder.ts'
import type { ForwardResult, StoredEvent } from '../../../receiver/inbox.ts'
import { formatTime } from '../../../terminal/numbers.ts'
import type { Style } from '../../../terminal/output.ts'
import { startLive } from '../../../terminal/progress.ts'
import { clip } from '../../../terminal/table.ts'
import { visible } from '../../../text/visible.ts'
import { subjectOf } from '../stored-events.ts'
import type { ListenPlan } from './plan.ts'

type RecordedHappening = Extract<Happening, { what: 'recorded' }>

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
  { io, output: { style, inLanguage } }: Pick<Context, 'io' | 'output'>,
  plan: Pick<ListenPlan, 'forwardTo' | 'scheme'>,
  waiting: number,
  onFailure: (error: Error) => void,
) {
  const forwards = plan.forwardTo !== undefined
  const lines = await screenLines(io.columns, { style, inLanguage }, SUBJECTS[plan.scheme] ?? 'Transaction or lead')
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
    live.show(() => [
      ...waitingLines(shownOpen()),
      // The counts change with each event, which has its own line.
      lines.note(io.accessible ? inLanguage(state) : summary(state, counts, forwards, inLanguage)),
    ])
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
    recorded({ arrival, recorded, ms }: RecordedHappening): void {
      const { seq, fate } = recorded
      if (fate === 'duplicate') counts.again++
      else counts.received++
      const row: ScreenRow = {
        ...rowOf({ seq, ...arrival }, style),
        storedMs: ms,
        answer: ANSWERS[fate],
        look: fate === 'new' ? style.green : style.yellow,
      }
      if (fate !== 'new' || !forwards) return void settled(row)
      counts.waiting++
      if (open.size < OPEN_KEPT) open.set(seq, { ...row, ...UNSENT, look: style.dim })
      redraw()
    },
    forwarded(event: StoredEvent, result: ForwardResult, next: NextAttempt | undefined): void {
      const row = open.get(event.seq) ?? rowOf(event, style)
      if (result.state === 'retrying') {
        open.set(event.seq, { ...row, ...retryTexts(result, next), look: style.yellow })
        return void redraw()
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
    ready(address: string): void {
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

function summary(state: string, counts: typeof noCounts, forwards: boolean, inLanguage: Words): string {
  const parts = [state, `${counts.received} received`]
  if (counts.again > 0) parts.push(`${counts.again} received again`)
  if (forwards) parts.push(`${counts.delivered} forwarded`)
  if (counts.dead > 0) parts.push(`${counts.dead} set aside`)
  return parts.map(inLanguage).join(' · ')
}

const ANSWERS: Record<RecordedHappening['recorded']['fate'], string> = {
  new: 'stored',
  duplicate: 'received again, not forwarded',
  variant: 'same id, another body',
  quarantined: 'not an event, quarantined',
}

interface ScreenRow {
  /** When the event was received, in ms since 1970. */
  at: number
  /** The event's number. With it, every command of `webhooks events` finds the event. */
  number: string
  event: string
  /** The transaction or the lead that the event is about. */
  subject: string
  id: string
  /** How long storing the event took, in ms; undefined for an event of an earlier run. */
  storedMs: number | undefined
  answer: string
  look: (text: string) => string
}

/** Returns the subject and the verb of a sentence, such as `1 event is`. */
export const eventsAre = (count: number) => `${count} event${count === 1 ? ' is' : 's are'}`

interface Widths {
  number: number
  event: number
  subject: number
  id: number
  stored: number
  answer: number
}

const TIME_WIDTH = 8
const EVENT_WIDTH = 13
const STORED_WIDTH = 6
/** The widest usual answer is `not reachable (503), again in 1m30s`. */
const ANSWER_WIDTH = 35
const NUMBER_WIDTH = 5
/** The ids of `bnpl evaluate` have 23 characters. */
const SUBJECT_WIDTH = 23
/** An id is shown whole or not at all, because the number also finds the event. */
const ID_WIDTH = 36
const GAP = 2

const NONE: Widths = { number: NUMBER_WIDTH, event: 0, subject: 0, id: 0, stored: 0, answer: ANSWER_WIDTH }

/** The columns that are left out on a narrow terminal. The last one is left out first. */
const OPTIONAL = [
  ['subject', SUBJECT_WIDTH],
  ['event', EVENT_WIDTH],
  ['stored', STORED_WIDTH],
  ['id', ID_WIDTH],
] as const

/** Returns the width of each column; 0 means that the column is left out. The number and the answer always remain. */
function widthsFor(columns: number): Widths {
  const widths = { ...NONE }
  let left = columns - 1 - TIME_WIDTH - GAP - NUMBER_WIDTH - GAP - ANSWER_WIDTH
  if (left < 0) return { ...NONE, answer: Math.max(4, ANSWER_WIDTH + left) }
  for (const [name, width] of OPTIONAL) {
    if (left < width + GAP) break
    widths[name] = width
    left -= width + GAP
  }
  if (widths.subject > 0) widths.subject += left
  return widths
}

/**
 * Returns the functions that make lines for a terminal with this many columns.
 * @param subject the title of the column with the transaction or the lead
 */
async function screenLines(
  columns: number,
  { style, inLanguage }: { style: Pick<Style, 'dim' | 'bold'>; inLanguage: Words },
  subject: string,
) {
  const { default: stringWidth } = await import('string-width')
  const widths = widthsFor(columns)
  const fit = (text: string, width: number): string => {
    const cut = clip(inLanguage(visible(text)), width, stringWidth)
    return cut + ' '.repeat(Math.max(0, width - stringWidth(cut)))
  }
  const line = (time: string, cells: Record<keyof Widths, string>, look = (text: string) => text): string =>
    [
      time,
      fit(cells.number, widths.number),
      ...(['event', 'subject', 'id', 'stored'] as const).flatMap((name) =>
        widths[name] > 0 ? [fit(cells[name], widths[name])] : [],
      ),
      look(fit(cells.answer, widths.answer).trimEnd()),
    ].join('  ')
  return {
    head: () =>
      style.bold(
        line(inLanguage('Time').padEnd(TIME_WIDTH), {
          number: '#',
          event: 'Event',
          subject,
          id: 'Id',
          stored: 'Stored',
          answer: 'Answer',
        }),
      ),
    row({ at, number, event, subject, id, storedMs, answer, look }: ScreenRow): string {
      const time = style.dim(formatTime(at).slice(-TIME_WIDTH))
      const stored = storedMs === undefined ? '' : `${Math.round(storedMs)} ms`
      // Without the column of the event, the row says which event it is, if the account has several.
      const about = widths.event > 0 || isOnlyEvent(event) ? subject : `${event} ${subject}`
      return line(time, { number, event, subject: about, id, stored, answer }, look)
    },
    note: (text: string) => style.dim(fit(text, columns - 1).trimEnd()),
  }
}
