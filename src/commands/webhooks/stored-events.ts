import type { Context } from '../../context.ts'
import { questionOf } from '../../contract/events.ts'
import { redactEvent } from '../../contract/fields.ts'
import { isConfirmed } from '../../domain/envelope.ts'
import { BnplError, usage } from '../../errors.ts'
import type { EventQuery, Inbox, StoredEvent } from '../../receiver/inbox.ts'
import { isRecord, parseJsonText } from '../../text/json-text.ts'
import { maskWords } from '../../text/masking.ts'
import { firstOf, toJson } from '../../text/visible.ts'
import { nextCommand } from '../global-options.ts'
import { readIdentifier } from '../option-values.ts'

interface EventRecord {
  eventId: string | null
  event: string | null
  destination: string
  scheme: string
  /** True if the body is signed, or if the service confirmed the event. A token alone does not prove who wrote the body. */
  confirmed: boolean
  receivedAt: string
  data: unknown
}

/** Returns a stored event in the form in which `listen` and `events` print it as JSON. */
const eventRecord = (stored: StoredEvent): EventRecord => ({ ...headOf(stored), data: dataOf(stored) })

const headOf = (stored: StoredEvent): Omit<EventRecord, 'data'> => ({
  eventId: stored.eventId,
  event: stored.event,
  destination: stored.destination,
  scheme: stored.scheme,
  confirmed: isConfirmed(stored),
  receivedAt: timeText(stored.receivedAt),
})

let written = { at: Number.NaN, text: '' }

/** Returns a time as ISO 8601. The last text is kept, because events in a row often have the same time. */
function timeText(at: number): string {
  if (at !== written.at) written = { at, text: new Date(at).toISOString() }
  return written.text
}

/** Returns the record of an event as one line of JSON. */
export function eventLine(stored: StoredEvent): string {
  const { dataText } = stored
  if (dataText === undefined) return `${toJson(eventRecord(stored))}\n`
  return `${toJson(headOf(stored)).slice(0, -1)},"data":${dataText}}\n`
}

/** Returns the id of the transaction or of the lead that an event is about; undefined if the event does not contain the id. */
export function subjectOf({ event, body }: Pick<StoredEvent, 'event' | 'body'>): string | undefined {
  const question = questionOf(event, dataOf({ body }))
  if (question === undefined || question.read === 'evaluationByRut') return undefined
  return question.read === 'verifyLoan' ? question.params.externalTrxId : question.params.leadId
}

/** Returns the field `data` of an event’s body, with every digit of its numbers; undefined if the body has no such field. */
export function dataOf({ body }: Pick<StoredEvent, 'body'>): unknown {
  const parsed = parseJsonText(body)
  return parsed.ok && isRecord(parsed.value) ? parsed.value.data : undefined
}

const MOST_VARIANTS = 100

/**
 * Finds the event with an id. The id can also be a number (`12` or `#12`), a unique beginning, or the two ends that a table shows
 * (`01a200…6f476b5`). Throws `not-found`, and `usage` for an empty id, and if several events fit, for example the same id at several
 * destinations.
 */
export async function findReceived(context: Context, inbox: Inbox | undefined, given: string): Promise<StoredEvent> {
  const id = readIdentifier('EVENTID', given)
  const find = async (query: EventQuery) => (await inbox?.find(query)) ?? []
  const bySeq = (seq: number) => find({ seq, limit: 1 })
  const numbered = /^#?(\d{1,15})$/.exec(id)?.[1]
  // Try the text as a whole id, then as the number of an event, then as a part of an id.
  const exact = /^#\d+$/.test(id) ? [] : await find({ eventId: id, limit: MOST_VARIANTS })
  const number = exact.length === 0 ? numbered : undefined
  const named = exact.length > 0 ? exact : number === undefined ? [] : await bySeq(Number(number))
  const isNumber = exact.length === 0 && named.length > 0
  const found = named.length > 0 || id.startsWith('#') ? named : await byPart(context, find, id)
  if (found.length === 0)
    throw noSuchEvent(
      `${id} is not in this inbox`,
      `See the received events: ${nextCommand(context, 'bnpl webhooks events')}`,
    )
  const oldestFirst = found.toSorted((a, b) => a.seq - b.seq)
  const variants = !isNumber ? oldestFirst.filter(({ fate }) => fate === 'variant') : []
  const events = oldestFirst.filter((each) => !variants.includes(each))
  // Only the newest deliveries with this id were read. The event is the oldest one, so it may have to be read separately.
  const [event, ...others] = events.length > 0 ? events : await bySeq(variants[0]?.variantOf ?? 0)
  if (event === undefined)
    throw noSuchEvent(
      `the event ${id} is no longer in the inbox; the inbox contains only later deliveries with the same id but another body`,
      byNumber(context, variants),
    )
  if (others.length === 0) return event
  const places = events.map(({ destination }) => destination).join(' and ')
  throw usage(`several events have the id ${id}, received at ${places}`, byNumber(context, events), 'AMBIGUOUS_ID')
}

/** Returns the newest deliveries that had the id of an event with another body, oldest first. */
export async function findVariants(
  inbox: Inbox | undefined,
  { seq, fate, eventId }: StoredEvent,
): Promise<StoredEvent[]> {
  if (fate !== 'new' || eventId === null) return []
  const found = (await inbox?.find({ eventId, limit: MOST_VARIANTS })) ?? []
  // The id can also be that of an event at another destination, which has its own variants.
  return found.filter(({ variantOf }) => variantOf === seq).toReversed()
}

/** How many events are read at once. Few, because each body may have 1 MiB. */
const PAGE = 20

/**
 * Yields the events that match a query, oldest first. Events that are stored after the first one was read are left out, so that a listener
 * that receives all the time does not keep the command running.
 */
export async function* oldestFirst(
  inbox: Inbox | undefined,
  query: Pick<EventQuery, 'since' | 'state' | 'unconfirmed'>,
): AsyncGenerator<StoredEvent> {
  const { since: _, ...ofAnyTime } = query
  const [newest] = (await inbox?.find({ ...ofAnyTime, limit: 1 })) ?? []
  if (inbox === undefined || newest === undefined) return
  for (let after = 0, isMore = true; isMore; ) {
    const page = await inbox.find({ ...query, after, limit: PAGE })
    for (const event of page) {
      if (event.seq > newest.seq) return
      yield event
      after = event.seq
    }
    isMore = page.length === PAGE
  }
}

const NAMED = 5

async function byPart(
  context: Context,
  find: (query: EventQuery) => Promise<StoredEvent[]>,
  part: string,
): Promise<StoredEvent[]> {
  const [head = '', tail = ''] = part.split('…')
  if (head === '') return []
  const found = await find({ idPart: { head, tail }, limit: NAMED })
  const [only, ...others] = new Set(found.map(({ eventId }) => eventId))
  if (others.length > 0)
    throw usage(`several events have an id that matches ${part}`, byNumber(context, found), 'AMBIGUOUS_ID')
  return typeof only === 'string' ? find({ eventId: only, limit: MOST_VARIANTS }) : []
}

const noSuchEvent = (message: string, hint: string) =>
  new BnplError('not-found', message, { code: 'NO_SUCH_EVENT', hint })

function byNumber(context: Context, events: readonly StoredEvent[]): string {
  const numbers = events.map(({ seq }) => `'#${seq}'`)
  const more = numbers.length > MOST_NAMED ? `. See their numbers: ${nextCommand(context, 'bnpl webhooks events')}` : ''
  return `Name one event by its number: ${firstOf(numbers, MOST_NAMED)}${more}`
}

/** The most numbers of events that one line contains. */
export const MOST_NAMED = 10

export function stateOf({ fate, forwarding }: StoredEvent): string {
  if (fate !== 'new') return fate
  if (forwarding === null) return 'stored'
  return forwarding.state === 'dead' ? 'set-aside' : forwarding.state
}

const NOT_FORWARDED = { attempts: 0, status: null, error: null, answer: null }

/** Returns a stored event as JSON. @param reveal whether personal data is included */
export function receivedRecord(stored: StoredEvent, reveal: boolean) {
  const { data, ...record } = eventRecord(stored)
  const { attempts, status, error, answer } = stored.forwarding ?? NOT_FORWARDED
  return {
    seq: stored.seq,
    ...record,
    state: stateOf(stored),
    attempts,
    status,
    error: error ?? stored.odd,
    answer: answer === null || reveal ? answer : maskWords(answer),
    bytes: stored.body.length,
    data: reveal ? data : redactEvent(data),
  }
}
