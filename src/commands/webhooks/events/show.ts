import { isUtf8 } from 'node:buffer'
import type { Context } from '../../../context.ts'
import type { StoredEvent } from '../../../receiver/inbox.ts'
import { formatTime } from '../../../terminal/numbers.ts'
import { renderFields } from '../../../terminal/table.ts'
import { firstOf } from '../../../text/visible.ts'
import { type Define, examples } from '../../command.ts'
import { addDatabaseOptions } from '../../database-option.ts'
import { nextCommand, refuseForm } from '../../global-options.ts'
import { spaced } from '../../record-table.ts'
import { openReceived } from '../open-inbox.ts'
import { findReceived, findVariants, MOST_NAMED, receivedRecord } from './stored.ts'

export const define: Define = (command, act) => {
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
  const fields: [string, string][] = [
    ['Number', `#${record.seq}`],
    ['Event', record.event ?? '–'],
    ['Id', record.eventId ?? '–'],
    ['Received', `${formatTime(record.receivedAt)} at ${record.destination}, ${record.bytes} bytes`],
    ['State', `${record.state}${record.error === null ? '' : `: ${record.error}`}`],
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
  return data.length === 0 ? about : `${about}\n\n${await renderFields(data, context.output)}`
}

function confirmationOf(context: Context, { confirmation }: StoredEvent, seq: number): string {
  if (confirmation === null)
    return `no. Ask the service: ${nextCommand(context, 'bnpl webhooks events confirm', [`#${seq}`])}`
  const { agrees, differences, at } = confirmation
  const when = formatTime(new Date(at).toISOString())
  if (agrees) return `yes, the service confirmed it at ${when}`
  if (differences.length === 0) return `no, at ${when} the service did not know this event`
  return `no, at ${when} the service’s values differed from the event: ${differences.join(', ')}`
}

function dataFields(data: unknown): [string, string][] {
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).map(([name, value]) => [name, spaced(value)])
}
