import type { Context } from '../../../../context.ts'
import { formatDuration } from '../../../../domain/duration.ts'
import type { Happening } from '../../../../receiver/delivery.ts'
import type { NextAttempt } from '../../../../receiver/forwarding/forwarder.ts'
import type { ForwardResult, StoredEvent } from '../../../../receiver/inbox.ts'
import { formatTime } from '../../../../terminal/format.ts'
import { startLive } from '../../../../terminal/live.ts'
import { clip } from '../../../../terminal/table.ts'
import { visible } from '../../../../text/visible.ts'
import type { ListenPlan } from '../listen.ts'

type Recorded = Extract<Happening, { what: 'recorded' }>

/** The table of `listen` on a terminal: a line for each event once its fate is known, what is still open at the bottom, then a summary. */
export interface Screen {
  recorded(happening: Recorded): void
  forwarded(event: StoredEvent, result: ForwardResult, next: NextAttempt | undefined): void
  ready(address: string, waiting: number): void
  ending(): void
  around(write: () => void): void
  end(): Promise<void>
}

interface Row {
  at: number
  event: string
  id: string
  /** How long the record took, in ms; undefined for one from before this start. */
  storedMs: number | undefined
  answer: string
  look: (text: string) => string
}

/** Events at the bottom; more are only counted. */
const OPEN_SHOWN = 5
/** Open events that are remembered; the queue itself is on the disk. */
const OPEN_KEPT = 100
const TIME_WIDTH = 8

interface Widths {
  event: number
  id: number
  stored: number
  answer: number
}

/**
 * What fits beside the time: on a narrow terminal which event it is, and what became of it. A line that wrapped could not be drawn
 * over.
 */
function widthsFor(columns: number): Widths {
  const all = { event: 13, stored: 6, answer: 26 }
  const id = columns - TIME_WIDTH - all.event - all.stored - all.answer - 8
  if (id >= 12) return { ...all, id }
  const room = Math.max(8, columns - TIME_WIDTH - 4)
  return { event: 0, id: Math.floor(room / 2), stored: 0, answer: Math.ceil(room / 2) }
}

export async function createScreen(
  context: Context,
  plan: ListenPlan,
  onFailure: (error: Error) => void,
): Promise<Screen> {
  const { default: stringWidth } = await import('string-width')
  const { style } = context.output
  const columns = context.io.columns
  const widths = widthsFor(columns)
  const live = startLive(context.io, (error) => onFailure(error as Error))
  const open = new Map<number, Row>()
  const counts = { received: 0, again: 0, waiting: 0, delivered: 0, dead: 0 }
  let state = 'starting'

  const fit = (text: string, width: number): string => {
    const cut = clip(visible(text), width, stringWidth)
    return cut + ' '.repeat(Math.max(0, width - stringWidth(cut)))
  }
  const cells = (time: string, cell: Record<keyof Widths, string>, look = (text: string) => text): string =>
    [
      time,
      ...(widths.event > 0 ? [fit(cell.event, widths.event)] : []),
      fit(cell.id, widths.id),
      ...(widths.stored > 0 ? [fit(cell.stored, widths.stored)] : []),
      look(fit(cell.answer, widths.answer).trimEnd()),
    ].join('  ')
  const line = ({ at, event, id, storedMs, answer, look }: Row): string => {
    const stored = storedMs === undefined ? '' : `${Math.round(storedMs)} ms`
    return cells(
      style.dim(formatTime(new Date(at).toISOString()).slice(-TIME_WIDTH)),
      { event, id, stored, answer },
      look,
    )
  }
  const redraw = (): void => {
    const rows = [...open.values()].slice(0, OPEN_SHOWN).map(line)
    const unseen = counts.waiting - rows.length
    const more = unseen > 0 ? [style.dim(fit(`… and ${unseen} more to be handed on`, columns - 1).trimEnd())] : []
    const parts = [state, `${counts.received} received`]
    if (counts.again > 0) parts.push(`${counts.again} again`)
    if (plan.forwardTo !== undefined) parts.push(`${counts.delivered} handed on`)
    if (counts.dead > 0) parts.push(`${counts.dead} set aside`)
    live.show([...rows, ...more, style.dim(fit(parts.join(' · '), columns - 1).trimEnd())])
  }
  const final = (row: Row): void => {
    live.add(line(row))
    redraw()
  }
  return {
    recorded({ arrival, recorded, ms }) {
      const row: Row = {
        at: arrival.receivedAt,
        event: arrival.event ?? '?',
        id: arrival.eventId ?? `#${recorded.seq}`,
        storedMs: ms,
        answer: ANSWERS[recorded.fate],
        look: recorded.fate === 'new' ? style.green : style.yellow,
      }
      if (recorded.fate === 'duplicate') counts.again++
      else counts.received++
      if (recorded.fate !== 'new' || plan.forwardTo === undefined) return final(row)
      counts.waiting++
      if (open.size < OPEN_KEPT) open.set(recorded.seq, { ...row, answer: 'waiting for its turn', look: style.dim })
      redraw()
    },
    forwarded(event, { state: fate, status, error, ms, attempts }, next) {
      const row: Row = open.get(event.seq) ?? {
        at: event.receivedAt,
        event: event.event ?? '?',
        id: event.eventId ?? `#${event.seq}`,
        storedMs: undefined,
        answer: '',
        look: style.dim,
      }
      if (fate === 'retrying') {
        const again = next === undefined ? '' : `, again in ${formatDuration(next.waitMs)}`
        const what = next?.away ? `away (${status ?? 'no connection'})` : (status ?? 'no answer')
        open.set(event.seq, { ...row, answer: `${what}${again}`, look: style.yellow })
        return redraw()
      }
      open.delete(event.seq)
      counts.waiting = Math.max(0, counts.waiting - 1)
      if (fate === 'delivered') counts.delivered++
      else counts.dead++
      const tries = attempts > 1 ? `, attempt ${attempts}` : ''
      final(
        fate === 'delivered'
          ? { ...row, answer: `${status} in ${Math.round(ms)} ms${tries}`, look: style.green }
          : { ...row, answer: `set aside: ${error}`, look: style.red },
      )
    },
    ready(address, waiting) {
      state = `● ${address} (${plan.scheme})`
      live.add(
        style.bold(cells('Time'.padEnd(TIME_WIDTH), { event: 'Event', id: 'Id', stored: 'Stored', answer: 'Answer' })),
      )
      if (plan.forwardTo !== undefined) counts.waiting += waiting
      else if (waiting > 0) live.add(style.dim(`${waiting} from before still to be handed on; --forward-to does that`))
      redraw()
    },
    ending() {
      state = 'ending'
      redraw()
    },
    around: live.around,
    end: live.end,
  }
}

const ANSWERS: Record<Recorded['recorded']['fate'], string> = {
  new: 'stored',
  duplicate: 'again, not handed on',
  variant: 'again with another body',
  quarantined: 'no envelope, quarantined',
}
