import { answerOf } from '../../contract/description.ts'
import { DESTINATION_LIMIT } from '../../contract/integrations.ts'
import { renderTable, tableOn } from '../../terminal/table.ts'
import { type Define, examples } from '../command.ts'
import { readCount, readDuration, readIdentifier } from '../option-values.ts'
import { sandboxToDrive } from './drive.ts'

export const define: Define = (command, act) => {
  command
    .argument('[eventId]', 'the event to deliver again (default: the latest delivery, see --last)')
    .option('--to <url>', 'send only to this destination')
    .option('--all', 'send an event to each of its destinations (default: to those that have not accepted it yet)')
    .option('--last <n>', 'deliver the last n deliveries again', '1')
    .option('--duplicate', 'send each delivery twice')
    .option('--reorder', 'send the newest first')
    .option('--delay <duration>', 'wait this long before each delivery')
    .option(
      '--corrupt-signature',
      'send each delivery with a wrong signature, or with a wrong token if its destination expects a token',
    )
    .action(
      act(async (context, options, eventId) => {
        const last = readCount('--last', options.last)
        const { DELAY_LIMIT } = await import('../../sandbox/conventions.ts')
        const delayMs = options.delay === undefined ? 0 : readDuration('--delay', options.delay, DELAY_LIMIT)
        const most = eventId === undefined ? last : DESTINATION_LIMIT
        const asked = {
          last,
          delayMs,
          duplicate: options.duplicate === true,
          reorder: options.reorder === true,
          corruptSignature: options.corruptSignature === true,
          all: options.all === true,
          ...(options.to === undefined ? {} : { to: options.to }),
          ...(eventId === undefined ? {} : { eventId: readIdentifier('EVENTID', eventId) }),
        }
        const sandbox = await sandboxToDrive(context)
        const workMs = most * (delayMs + 2 * answerOf(sandbox.description, 'deliveryTimeout'))
        const sent = await sandbox.control('deliver', asked, workMs)
        await context.output.result(sent, () =>
          renderTable(
            sent.flatMap(({ results, ...delivery }) => results.map((result) => ({ ...delivery, ...result }))),
            [
              { title: 'Event', value: ({ eventId: id }) => id, shrinks: true },
              { title: 'To', value: ({ url }) => url, shrinks: 'start' },
              { title: 'Answer', value: ({ status, error }) => String(status ?? error) },
              { title: 'ms', value: ({ ms }) => String(ms), align: 'right' },
            ],
            tableOn(context.output),
          ),
        )
      }),
    )
  examples(command, [
    ['is my receiver idempotent?', 'bnpl sandbox deliver --duplicate'],
    ['does my receiver refuse a wrong signature?', 'bnpl sandbox deliver --corrupt-signature'],
    ['send the last five deliveries again, newest first', 'bnpl sandbox deliver --last 5 --reorder'],
  ])
}
