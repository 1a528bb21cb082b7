import { answerOf } from '../../contract/description.ts'
import { DESTINATION_LIMIT } from '../../contract/integrations.ts'
import { formatDuration, parseDuration } from '../../domain/clock.ts'
import { usage } from '../../errors.ts'
import { CLOCK_LIMIT, DELAY_LIMIT, RETRY_LIMIT } from '../../sandbox/conventions.ts'
import type { ControlResult } from '../../sandbox/service/control.ts'
import { formatTime, timesOf } from '../../terminal/numbers.ts'
import { renderTable, renderWithWhole, tableOn } from '../../terminal/table.ts'
import { type Define, examples } from '../command.ts'
import { sandboxToDrive } from '../global-options.ts'
import { readCount, readDuration, readIdentifier } from '../option-values.ts'

export const define: Define = (command, act) => {
  command
    .option('--limit <n>', 'show at most this many deliveries', '20')
    .option('--event <eventId>', 'show only the deliveries of this event')
    .option(
      '--schedule <durations>',
      'set the waiting times before the retries, such as 5s,30s,5m (`none`: no retries)',
    )
    .action(
      act(async (context, options) => {
        const limit = readCount('--limit', options.limit)
        const stepsMs = options.schedule === undefined ? undefined : await readSchedule(options.schedule)
        const eventId = options.event === undefined ? undefined : readIdentifier('--event', options.event)
        const sandbox = await sandboxToDrive(context)
        if (stepsMs) {
          await sandbox.control('deliverySchedule', { stepsMs })
          context.output.note(
            stepsMs.length === 0
              ? 'From now on there are no retries.'
              : `From now on, the waiting times before the retries are ${stepsMs.map(formatDuration).join(', ')}.`,
          )
        }
        const deliveries = await sandbox.control('deliveries', { limit, eventId })
        const { style } = context.output
        await context.output.result(deliveries, () => {
          if (deliveries.length === 0) return 'No deliveries found. Events are sent only to registered destinations.'
          const timeOf = timesOf(
            deliveries.map(({ createdAt }) => createdAt),
            context.clock.now(),
          )
          return renderWithWhole(
            deliveries,
            [
              { title: 'Created', value: ({ createdAt }) => timeOf(createdAt) },
              { title: 'Event', value: ({ type }) => type },
              { title: 'About', value: ({ subject }) => subject, shrinks: 'middle' },
              { title: 'To', isText: true, value: ({ url }) => url ?? 'deleted', shrinks: 'start' },
              {
                title: 'State',
                isText: true,
                value: ({ state }) => state,
                look: (shown, { state }) =>
                  state === 'delivered' ? style.green(shown) : UNDER_WAY.has(state) ? shown : style.red(shown),
              },
              { title: 'Attempts', value: ({ attempts }) => attempts.map(lastWord).join(' '), shrinks: true },
              {
                title: 'Next',
                value: ({ nextAttemptAt }) => (nextAttemptAt === null ? '' : formatTime(nextAttemptAt).slice(11)),
              },
            ],
            { title: 'Event id', value: ({ eventId }) => eventId, at: 2 },
            tableOn(context.output),
          )
        })
      }),
    )
  examples(command, [
    ['did my receiver get the event?', 'bnpl sandbox deliveries'],
    ['every attempt of one event, with what the receiver answered', 'bnpl sandbox deliveries --event EVENTID --json'],
    ['retry quickly while developing', 'bnpl sandbox deliveries --schedule 1s,2s,5s'],
  ])
}

const UNDER_WAY: ReadonlySet<string> = new Set(['pending', 'sending'])

type Attempt = ControlResult<'deliveries'>[number]['attempts'][number]

const lastWord = ({ status, error, chaos }: Attempt) => `${status ?? error ?? '?'}${chaos === null ? '' : `(${chaos})`}`

async function readSchedule(text: string): Promise<number[]> {
  if (text === 'none') return []
  const parts = text.split(',')
  if (!parts.every((part) => parseDuration(part) !== undefined))
    throw usage(
      `--schedule “${text}” is not a list of durations`,
      'List the wait before each retry, such as --schedule 5s,30s,5m. For no retries, use --schedule none.',
      'INVALID_DURATION',
    )
  if (parts.length > RETRY_LIMIT)
    throw usage(
      `--schedule has ${parts.length} waiting times`,
      `Use at most ${RETRY_LIMIT} waiting times.`,
      'INVALID_DURATION',
    )
  return parts.map((part) => readDuration('--schedule', part, CLOCK_LIMIT))
}

export const defineDeliver: Define = (command, act) => {
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
