import { formatTime } from '../../../../terminal/format.ts'
import type { Style } from '../../../../terminal/style.ts'
import { clip } from '../../../../terminal/table.ts'
import { visible } from '../../../../text/visible.ts'

export interface ScreenRow {
  /** When the event was received, in ms since 1970. */
  at: number
  event: string
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
  event: number
  id: number
  stored: number
  answer: number
}

const TIME_WIDTH = 8
const EVENT_WIDTH = 13
const STORED_WIDTH = 6
/** The widest usual answer is `not reachable (503), again in 1m30s`. */
const ANSWER_WIDTH = 35
const LEAST_ID_WIDTH = 12
const GAP = 2

/**
 * Returns the width of each column; 0 means that the column is left out. The narrower the terminal, the fewer columns: the time of storing
 * is left out first, then the event. The id and the answer always remain.
 */
function widthsFor(columns: number): Widths {
  const left = columns - 1 - TIME_WIDTH - ANSWER_WIDTH - 2 * GAP
  const withEvent = left - EVENT_WIDTH - GAP
  const withBoth = withEvent - STORED_WIDTH - GAP
  const all = { event: EVENT_WIDTH, stored: STORED_WIDTH, answer: ANSWER_WIDTH }
  if (withBoth >= LEAST_ID_WIDTH) return { ...all, id: withBoth }
  if (withEvent >= LEAST_ID_WIDTH) return { ...all, stored: 0, id: withEvent }
  if (left >= LEAST_ID_WIDTH) return { event: 0, stored: 0, id: left, answer: ANSWER_WIDTH }
  const room = Math.max(8, columns - TIME_WIDTH - 2 * GAP)
  return { event: 0, id: Math.floor(room / 2), stored: 0, answer: Math.ceil(room / 2) }
}

/** Returns the functions that make lines for a terminal with this many columns. */
export async function screenLines(columns: number, style: Pick<Style, 'dim' | 'bold'>): Promise<ScreenLines> {
  const { default: stringWidth } = await import('string-width')
  const widths = widthsFor(columns)
  const fit = (text: string, width: number): string => {
    const cut = clip(visible(text), width, stringWidth)
    return cut + ' '.repeat(Math.max(0, width - stringWidth(cut)))
  }
  const line = (time: string, cells: Record<keyof Widths, string>, look = (text: string) => text): string =>
    [
      time,
      ...(widths.event > 0 ? [fit(cells.event, widths.event)] : []),
      fit(cells.id, widths.id),
      ...(widths.stored > 0 ? [fit(cells.stored, widths.stored)] : []),
      look(fit(cells.answer, widths.answer).trimEnd()),
    ].join('  ')
  return {
    head: () =>
      style.bold(line('Time'.padEnd(TIME_WIDTH), { event: 'Event', id: 'Id', stored: 'Stored', answer: 'Answer' })),
    row({ at, event, id, storedMs, answer, look }) {
      const time = style.dim(formatTime(new Date(at).toISOString()).slice(-TIME_WIDTH))
      const stored = storedMs === undefined ? '' : `${Math.round(storedMs)} ms`
      return line(time, { event, id, stored, answer }, look)
    },
    note: (text) => style.dim(fit(text, columns - 1).trimEnd()),
  }
}
