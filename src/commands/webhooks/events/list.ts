import type { Context } from '../../../context.ts'
import { usage } from '../../../errors.ts'
import type { EventQuery, StoredEvent } from '../../../receiver/inbox.ts'
import { formatTime } from '../../../terminal/numbers.ts'
import { renderTable, tableOn } from '../../../terminal/table.ts'
import { type Define, examples, offer } from '../../command.ts'
import { addDatabaseOptions } from '../../database-option.ts'
import { nextCommand } from '../../global-options.ts'
import { readCount, readSince } from '../../option-values.ts'
import { openReceived } from '../open-inbox.ts'
import { receivedRecord, stateOf } from './stored.ts'

const STATES = {
  stored: 'stored',
  waiting: 'waiting',
  retrying: 'retrying',
  delivered: 'delivered',
  'set-aside': 'dead',
  variant: 'variant',
  quarantined: 'quarantined',
} as const satisfies Record<string, EventQuery['state']>

export const define: Define = (command, act) => {
  addDatabaseOptions(command)
    .option('--since <time>', 'list only events received since this date, or within this duration, such as 7d')
    .option('--limit <n>', 'list at most this many events', '50')
    .option('--state <state>', `list only events in this state: ${Object.keys(STATES).join(', ')}`)
    .option('--reveal', 'show all data as it was sent, including personal data')
    .action(
      act(async (context, options) => {
        const limit = readCount('--limit', options.limit)
        const query: EventQuery = {
          limit,
          ...(options.since === undefined ? {} : { since: readSince('--since', options.since, context.clock.now()) }),
          ...(options.state === undefined ? {} : { state: readState(options.state) }),
        }
        const found = (await (await openReceived(context, options))?.find(query)) ?? []
        const records = found.map((stored) => receivedRecord(stored, options.reveal ?? false))
        await context.output.result(records, () => (found.length === 0 ? '' : renderEvents(context, found)))
        const isFiltered = options.since !== undefined || options.state !== undefined
        if (found.length === 0 && isFiltered) context.output.note('No event in the inbox matches the given options.')
        else if (found.length === 0)
          context.output.note(
            `There are no events in the inbox. Receive events with: ${nextCommand(context, 'bnpl webhooks listen')}`,
          )
        else if (found.length === limit)
          context.output.note('There may be more events. Use a larger --limit to see them.')
      }),
    )
  offer(command, '--state', Object.keys(STATES))
  examples(command, [
    ['events of the last 24 hours', 'bnpl webhooks events list --since 1d'],
    ['events that a handler did not accept', 'bnpl webhooks events list --state set-aside --json'],
  ])
}

function readState(text: string): EventQuery['state'] & string {
  const state = new Map<string, EventQuery['state'] & string>(Object.entries(STATES)).get(text)
  if (state !== undefined) return state
  throw usage(
    `--state “${text}” is not a state of an event`,
    `Use one of: ${Object.keys(STATES).join(', ')}`,
    'INVALID_STATE',
  )
}

const WIDE = 110

function renderEvents(context: Context, events: readonly StoredEvent[]): Promise<string> {
  const wide = context.output.width >= WIDE
  const at = (ms: number) => formatTime(new Date(ms).toISOString())
  const today = at(context.clock.now()).slice(0, 10)
  const allOfToday = events.every(({ receivedAt }) => at(receivedAt).startsWith(today))
  const timeOf = (ms: number) => (wide ? at(ms) : allOfToday ? at(ms).slice(11) : at(ms).slice(0, -3))
  if (!wide && events.some(({ eventId }) => eventId !== null && ends(eventId) !== eventId))
    context.output.note(
      `Ids with … are shortened. Show one event with its whole id: ${nextCommand(context, 'bnpl webhooks events show', ['#N'])}`,
    )
  return renderTable<StoredEvent>(
    events,
    [
      { title: '#', value: ({ seq }) => String(seq), align: 'right' },
      { title: 'Received', value: ({ receivedAt }) => timeOf(receivedAt) },
      { title: 'Event', value: ({ event }) => event ?? '–' },
      { title: 'Id', value: ({ eventId }) => (eventId === null ? '–' : wide ? eventId : ends(eventId)) },
      { title: 'State', value: stateOf },
      { title: 'Answer', value: answer, shrinks: true },
    ],
    tableOn(context.output),
  )
}

function answer({ odd, forwarding }: StoredEvent): string {
  if (odd !== null) return odd
  if (forwarding === null || forwarding.attempts === 0) return forwarding?.error ?? ''
  const { status, error, ms, attempts } = forwarding
  const tries = attempts > 1 ? ` ×${attempts}` : ''
  return `${error ?? `${status} in ${ms} ms`}${tries}`
}

const ends = (id: string) => (id.length <= 14 ? id : `${id.slice(0, 6)}…${id.slice(-7)}`)
