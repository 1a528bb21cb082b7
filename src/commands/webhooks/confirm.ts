import type { Context } from '../../context.ts'
import { type Question, questionOf } from '../../contract/events.ts'
import { type Confirmation, differencesOf } from '../../domain/envelope.ts'
import { BnplError, usage } from '../../errors.ts'
import type { Inbox, StoredEvent } from '../../receiver/inbox.ts'
import { showEach } from '../../terminal/output.ts'
import { visible } from '../../text/visible.ts'
import { type Define, examples } from '../command.ts'
import { dryRunOfMany, nextCommand } from '../global-options.ts'
import { readSince } from '../option-values.ts'
import { noLoanAnswers } from '../verification.ts'
import { addDatabaseOptions, openReceived } from './inbox.ts'
import { dataOf, findReceived, oldestFirst } from './stored-events.ts'

interface Confirmed {
  seq: number
  eventId: string | null
  event: string | null
  confirmed: boolean
  result: 'agrees' | 'differs' | 'unknown' | 'not-asked'
  differences: readonly string[]
}

export const define: Define = (command, act) => {
  addDatabaseOptions(command)
    .argument('[id...]', 'numbers or ids of events, or unique beginnings of ids (default: all unconfirmed events)')
    .option('--since <time>', 'confirm only events received since this date, or within this duration, such as 7d')
    .action(
      act(async (context, options, ids) => {
        if (ids.length > 0 && options.since !== undefined)
          throw usage('ids and --since cannot be used together', 'Name events by id, or choose them with --since.')
        const inbox = await openReceived(context, options)
        const since =
          options.since === undefined ? {} : { since: readSince('--since', options.since, context.clock.now()) }
        const events = async () =>
          ids.length === 0
            ? oldestFirst(inbox, { ...since, unconfirmed: true })
            : await Promise.all(ids.map((id) => findReceived(context, inbox, id)))
        if (context.options.dryRun) await dryRunOfMany(await events(), (event) => ask(context, event))
        const results = await showEach(confirmEach(context, inbox, await events()), (done) =>
          context.output.result(done, () => done.map(inWords).join('\n')),
        )
        if (results.length === 0) context.output.note('No event is waiting for a confirmation.')
        conclude(context, results)
      }),
    )
  examples(command, [
    ['confirm all events that are not confirmed yet', 'bnpl webhooks events confirm'],
    ['confirm one event before you act on it', 'bnpl webhooks events confirm 12'],
  ])
}

/** Asks about each event, and stores the answer. */
async function* confirmEach(
  context: Context,
  inbox: Inbox | undefined,
  events: Iterable<StoredEvent> | AsyncIterable<StoredEvent>,
): AsyncGenerator<Confirmed> {
  for await (const event of events) {
    const confirmation = await ask(context, event)
    if (confirmation !== undefined) await inbox?.confirm(event.seq, confirmation)
    yield resultOf(event, confirmation)
  }
}

async function ask(context: Context, event: StoredEvent): Promise<Confirmation | undefined> {
  const reported = dataOf(event)
  const question = questionOf(event.event, reported)
  if (question === undefined) return undefined
  const at = context.clock.now()
  try {
    const differences = differencesOf(reported, await read(context, question))
    return { agrees: differences.length === 0, differences, at }
  } catch (error) {
    if (error instanceof BnplError && (await isUnknown(context, question, error)))
      return { agrees: false, differences: [], at }
    throw error
  }
}

/**
 * Whether an error means that the service does not know the loan, lead or evaluation. For a loan, the profile setting `notYet` can name
 * more such errors.
 */
async function isUnknown(context: Context, { read }: Question, error: BnplError): Promise<boolean> {
  return error.kind === 'not-found' || (read === 'verifyLoan' && (await noLoanAnswers(context)).isNotYet(error))
}

async function read(context: Context, question: Question): Promise<unknown> {
  const api = await context.api()
  switch (question.read) {
    case 'verifyLoan':
      return (await api.call('verifyLoan', { params: question.params, body: {} })).data
    case 'evaluationByRut':
      return (await api.call('evaluationByRut', { params: question.params, body: {} })).data
    case 'evaluationByLead':
    case 'getLead':
      return (await api.call(question.read, { params: question.params, body: {} })).data
  }
}

function resultOf({ seq, eventId, event }: StoredEvent, confirmation: Confirmation | undefined): Confirmed {
  const { agrees = false, differences = [] } = confirmation ?? {}
  const result =
    confirmation === undefined ? 'not-asked' : agrees ? 'agrees' : differences.length > 0 ? 'differs' : 'unknown'
  return { seq, eventId, event, confirmed: agrees, result, differences }
}

const WORDS: Record<Confirmed['result'], string> = {
  agrees: 'the service has the same values as the event',
  differs: 'the service has values that differ from the event: ',
  unknown: 'the service has no loan, lead or evaluation for this event',
  'not-asked': 'the event contains no id to ask the service about',
}

const inWords = ({ seq, event, result, differences }: Confirmed): string =>
  visible(`#${seq}  ${event ?? 'not an event'}  ${WORDS[result]}${differences.join(', ')}`)

function conclude(context: Context, results: readonly Confirmed[]): void {
  const open = results.filter(({ confirmed }) => !confirmed)
  const [first] = open
  if (first === undefined) return
  throw new BnplError('check-failed', `${open.length} of ${results.length} events could not be confirmed`, {
    code: 'NOT_CONFIRMED',
    hint: `See what the event says: ${nextCommand(context, 'bnpl webhooks events show', [String(first.seq)])}. Do not act on an event that could not be confirmed, because anybody who knows the token may have written it.`,
  })
}
