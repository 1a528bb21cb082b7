import { formatDuration, parseDuration } from '../../domain/clock.ts'
import { usage } from '../../errors.ts'
import type { ControlResult } from '../../sandbox/service/controls/controls.ts'
import { formatTime, timesOf } from '../../terminal/numbers.ts'
import { renderWithWhole, tableOn } from '../../terminal/table.ts'
import { type Define, examples } from '../command.ts'
import { readCount, readDuration, readIdentifier } from '../option-values.ts'
import { sandboxToDrive } from './drive.ts'

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
              { title: 'To', value: ({ url }) => url ?? 'deleted', shrinks: 'start' },
              {
                title: 'State',
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
  const { CLOCK_LIMIT, RETRY_LIMIT } = await import('../../sandbox/conventions.ts')
  if (parts.length > RETRY_LIMIT)
    throw usage(
      `--schedule has ${parts.length} waiting times`,
      `Use at most ${RETRY_LIMIT} waiting times.`,
      'INVALID_DURATION',
    )
  return parts.map((part) => readDuration('--schedule', part, CLOCK_LIMIT))
}
