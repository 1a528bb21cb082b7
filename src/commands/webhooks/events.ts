import { isUtf8 } from 'node:buffer'
import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import type { EventQuery, StoredEvent } from '../../receiver/inbox.ts'
import { countOf, formatTime } from '../../terminal/numbers.ts'
import { type Field, renderFields, renderTable, tableOn } from '../../terminal/table.ts'
import { firstOf } from '../../text/visible.ts'
import { type Define, examples, offer } from '../command.ts'
import { nextCommand, refuseDryRun, refuseForm } from '../global-options.ts'
import { readCount, readSince } from '../option-values.ts'
import { spaced } from '../record-table.ts'
import { define as confirm } from './confirm.ts'
import { addDatabaseOptions, openReceived } from './inbox.ts'
import { define as replay } from './replay.ts'
import { findReceived, findVariants, MOST_NAMED, receivedRecord, stateOf } from './stored-events.ts'

const STATES = {
  stored: 'stored',
  waiting: 'waiting',
  retrying: 'retrying',
  delivered: 'delivered',
  'set-aside': 'dead',
  variant: 'variant',
  quarantined: 'quarantined',
} as const satisfies Record<string, EventQuery['state']>

const list: Define = (command, act) => {
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
    `Use one of: ${Object.keys(STATES).join(', ')}.`,
    'INVALID_STATE',
  )
}

const WIDE = 110

function renderEvents(context: Context, events: readonly StoredEvent[]): Promise<string> {
  const wide = context.output.width >= WIDE
  const today = formatTime(context.clock.now()).slice(0, 10)
  const allOfToday = events.every(({ receivedAt }) => formatTime(receivedAt).startsWith(today))
  const [from, to] = wide ? [0] : allOfToday ? [11] : [0, -3]
  const timeOf = (ms: number) => formatTime(ms).slice(from, to)
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
      { title: 'Answer', isText: true, value: answer, shrinks: true },
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

const show: Define = (command, act) => {
  addDatabaseOptions(command)
    .argument('<id>', "an event's number, its id, or a unique beginning of the id")
    .option('--reveal', 'show all data as it was sent, including personal data')
    .option('--raw', 'write only the body to stdout, byte for byte')
    .action(
      act(async (context, options, id) => {
        if (options.raw) refuseForm(context, 'the body, byte for byte')
        const reveal = options.reveal ?? false
        const inbox = await openReceived(context, options)
        const event = await findReceived(context, inbox, id)
        if (options.raw) return context.io.out(event.body)
        const variants = await findVariants(inbox, event)
        const record = {
          ...receivedRecord(event, reveal),
          ...(reveal ? { signature: event.signature, ...bodyOf(event) } : {}),
          variants: variants.map((each) => receivedRecord(each, reveal)),
        }
        await context.output.result(record, () => render(context, event, record))
        if (!reveal) context.output.note('Personal data is not shown. Add --reveal to see it.')
      }),
    )
  examples(command, [
    ['an event by its number in the list', 'bnpl webhooks events show 12'],
    ['an event by its id', 'bnpl webhooks events show 0190a5b2-7c3e-7d60-8000-6a1f0c2b9d44'],
    ['the raw body, to check a signature', 'bnpl webhooks events show 12 --raw > body.json'],
  ])
}

const bodyOf = ({ body }: StoredEvent) =>
  isUtf8(body) ? { body: Buffer.from(body).toString('utf8') } : { bodyBase64: Buffer.from(body).toString('base64') }

async function render(
  context: Context,
  event: StoredEvent,
  record: ReturnType<typeof receivedRecord> & { variants: readonly { seq: number }[] },
): Promise<string> {
  const fields: Field[] = [
    ['Number', `#${record.seq}`],
    ['Event', record.event ?? '–'],
    ['Id', record.eventId ?? '–'],
    ['Received', `${formatTime(record.receivedAt)} at ${record.destination}, ${record.bytes} bytes`],
    record.error === null ? ['State', record.state, 'data'] : ['State', `${record.state}: ${record.error}`],
  ]
  if (event.scheme === 'token') fields.splice(3, 0, ['Confirmed', confirmationOf(context, event, record.seq)])
  if (event.forwarding && event.forwarding.attempts > 0)
    fields.push(['Handler', `${record.status ?? 'no answer'}, attempt ${record.attempts}`])
  if (record.answer !== null) fields.push(['Handler’s answer', record.answer])
  if (record.variants.length > 0) {
    const numbers = record.variants.map(({ seq }) => `#${seq}`)
    const all = numbers.length > MOST_NAMED ? ' (--json shows all)' : ''
    fields.push(['Other bodies', `${firstOf(numbers, MOST_NAMED)}${all}`])
  }
  const about = await renderFields(fields, context.output)
  const data = dataFields(record.data)
  return data.length === 0
    ? about
    : `${about}\n\n${await renderFields(
        data.map(([name, value]) => [name, value, 'sent'] as const),
        context.output,
      )}`
}

function confirmationOf(context: Context, { confirmation }: StoredEvent, seq: number): string {
  if (confirmation === null)
    return `no. Ask the service: ${nextCommand(context, 'bnpl webhooks events confirm', [`#${seq}`])}`
  const { agrees, differences, at } = confirmation
  const when = formatTime(at)
  if (agrees) return `yes, the service confirmed it at ${when}`
  if (differences.length === 0) return `no, at ${when} the service did not know this event`
  return `no, at ${when} the service’s values differed from the event: ${differences.join(', ')}`
}

function dataFields(data: unknown): [string, string][] {
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).map(([name, value]) => [name, spaced(value)])
}

const prune: Define = (command, act) => {
  addDatabaseOptions(command)
    .option(
      '--older-than <time>',
      'delete events received before this date, or longer ago than this duration, such as 30d',
      '30d',
    )
    .action(
      act(async (context, options) => {
        refuseDryRun(context)
        const before = readSince('--older-than', options.olderThan, context.clock.now())
        const pruned = (await (await openReceived(context, options))?.prune(before)) ?? 0
        await context.output.result({ pruned }, () => `${countOf(pruned, 'event')} deleted`)
        context.output.note(
          'Events that wait to be printed or forwarded, and events that are set aside, are never deleted. The inbox still recognizes the ids of deleted events, so that no event is accepted twice.',
        )
      }),
    )
  examples(command, [['once a day, from cron', 'bnpl webhooks events prune --older-than 90d --quiet']])
}

export const define: Define = (command, act) => {
  list(command.command('list', { isDefault: true }).description('list received events, the newest first'), act)
  show(command.command('show').alias('get').description('show one event, without its personal data'), act)
  confirm(command.command('confirm').description('ask the service whether the events are true'), act)
  replay(command.command('replay').description('forward events to a handler again'), act)
  prune(command.command('prune').description('delete old events'), act)
  examples(command, [
    ['events of the last 24 hours', 'bnpl webhooks events --since 1d'],
    ['after you fixed the handler', 'bnpl webhooks events replay --set-aside --forward-to http://127.0.0.1:3000/hook'],
  ])
}
