import { formatTime } from '../../../../terminal/numbers.ts'
import type { Style } from '../../../../terminal/output.ts'
import { clip } from '../../../../terminal/table.ts'
import { visible } from '../../../../text/visible.ts'

export interface ScreenRow {
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

interface ScreenLines {
  head(): string
  row(row: ScreenRow): string
  note(text: string): string
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
export async function screenLines(
  columns: number,
  style: Pick<Style, 'dim' | 'bold'>,
  subject: string,
): Promise<ScreenLines> {
  const { default: stringWidth } = await import('string-width')
  const widths = widthsFor(columns)
  const fit = (text: string, width: number): string => {
    const cut = clip(visible(text), width, stringWidth)
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
        line('Time'.padEnd(TIME_WIDTH), {
          number: '#',
          event: 'Event',
          subject,
          id: 'Id',
          stored: 'Stored',
          answer: 'Answer',
        }),
      ),
    row({ at, number, event, subject, id, storedMs, answer, look }) {
      const time = style.dim(formatTime(new Date(at).toISOString()).slice(-TIME_WIDTH))
      const stored = storedMs === undefined ? '' : `${Math.round(storedMs)} ms`
      // Without the column of the event, the row of a lead says which of its two events it is.
      const about = widths.event > 0 || event === 'loan_approved' ? subject : `${event} ${subject}`
      return line(time, { number, event, subject: about, id, stored, answer }, look)
    },
    note: (text) => style.dim(fit(text, columns - 1).trimEnd()),
  }
}
