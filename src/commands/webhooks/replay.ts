import type { Context } from '../../context.ts'
import { maskTarget } from '../../domain/addresses.ts'
import { BnplError, usage } from '../../errors.ts'
import type { ForwardResult, Inbox, StoredEvent } from '../../receiver/inbox.ts'
import { showEach } from '../../terminal/output.ts'
import { shellQuoted } from '../../text/shell-word.ts'
import { visible } from '../../text/visible.ts'
import { type Command, type Define, examples, type OptionsOf } from '../command.ts'
import { nextCommand, refuseDryRun } from '../global-options.ts'
import { addDatabaseOptions, openReceived } from './inbox.ts'
import { readForwardTo } from './signature-options.ts'
import { findReceived, oldestFirst } from './stored-events.ts'

interface Replay {
  eventId: string | null
  seq: number
  status: number | null
  error: string | null
  ms: number
}

/** `sent`: whether any byte was sent. If so, the handler may have accepted the event, even if it did not answer. */
type Handed = Replay & { sent: boolean }

const addOptions = (command: Command) =>
  addDatabaseOptions(command)
    .argument('[id...]', 'numbers or ids of events, or unique beginnings of ids')
    .option('--forward-to <url>', 'address of the handler to which the events are forwarded')
    .option('--set-aside', 'replay all events that were set aside, the oldest first')

type Options = OptionsOf<ReturnType<typeof addOptions>>

export const define: Define = (command, act) => {
  addOptions(command).action(
    act(async (context, options, ids) => {
      refuseDryRun(
        context,
        '--dry-run shows requests to the service, but a replay sends only to a handler; nothing was sent',
      )
      if (options.forwardTo === undefined)
        throw usage(
          'the address of a handler is missing',
          `Add the address: ${runnable(context, options, ids)}`,
          'NO_FORWARD_TO',
        )
      const url = readForwardTo(options.forwardTo)
      if (ids.length > 0 === (options.setAside ?? false))
        throw usage(
          'either the ids of events or --set-aside is needed, not both',
          `Run the command with one of them, such as: ${runnable(context, { ...options, setAside: true }, [])}`,
        )
      const inbox = await openReceived(context, options)
      const events = options.setAside
        ? oldestFirst(inbox, { state: 'dead' })
        : await Promise.all(ids.map((id) => findReceived(context, inbox, id)))
      const handed = await showEach(replayEach(context, inbox, events, url), (done) =>
        context.output.result(
          done.map(({ sent: _, ...shown }): Replay => shown),
          () => done.map(inWords).join('\n'),
        ),
      )
      if (options.setAside && handed.length === 0)
        context.output.note('There are no set-aside events, so nothing was replayed.')
      conclude(handed, url, options.setAside ?? false)
    }),
  )
  examples(command, [
    ['after you fixed the handler', 'bnpl webhooks events replay --set-aside --forward-to http://127.0.0.1:3000/hook'],
  ])
}

function runnable(context: Context, { forwardTo, setAside }: Options, ids: readonly string[]): string {
  const to = `--forward-to ${shellQuoted(forwardTo ?? 'http://127.0.0.1:3000/hook')}`
  const command = 'bnpl webhooks events replay'
  return setAside || ids.length === 0
    ? nextCommand(context, command, [], [`--set-aside ${to}`])
    : nextCommand(context, command, ids, [to])
}

/** Replays the events, and yields each as soon as it was sent. After that, stores that it was delivered. */
async function* replayEach(
  context: Context,
  inbox: Inbox | undefined,
  events: Iterable<StoredEvent> | AsyncIterable<StoredEvent>,
  url: string,
): AsyncGenerator<Handed> {
  const { forwardEvent } = await import('../../receiver/forwarding/forward-attempt.ts')
  const { clock, world, options } = context
  const target = {
    url,
    transport: await context.network(),
    clock,
    timeoutMs: options.timeoutMs,
    userAgent: `bnpl/${world.version}`,
  }
  for await (const event of events) {
    const attempts = (event.forwarding?.attempts ?? 0) + 1
    const { status, error, answer, sent, ms } = await forwardEvent(event, attempts, target, context.signal)
    if (status === null) context.signal.throwIfAborted()
    yield { eventId: event.eventId, seq: event.seq, status, error, sent, ms: Math.round(ms) }
    await note(inbox, event, {
      seq: event.seq,
      receivedAt: event.receivedAt,
      state: 'delivered',
      attempts,
      status,
      error,
      answer,
      ms,
      at: clock.now(),
    })
    context.signal.throwIfAborted()
  }
}

async function note(inbox: Inbox | undefined, { fate }: StoredEvent, result: ForwardResult): Promise<void> {
  if (result.error !== null || fate !== 'new') return
  await inbox?.commit({ arrivals: [], forwards: [result], emittedUpTo: undefined })
}

const inWords = ({ eventId, seq, status, error, ms }: Replay): string =>
  `${visible(eventId ?? `#${seq}`)}  ${error ?? `${status} in ${ms} ms`}`

function conclude(replays: readonly Handed[], url: string, setAside: boolean): void {
  const failed = replays.filter(({ error }) => error !== null)
  const [first] = failed
  if (first === undefined) return
  if (failed.length < replays.length)
    throw new BnplError('partial', `the handler did not accept ${failed.length} of ${replays.length} events`, {
      code: 'NOT_TAKEN',
      hint: setAside
        ? 'Run the command again. It replays only the events that are still set aside.'
        : 'Replay these events again. The result shows the error of each.',
    })
  const isOne = replays.length === 1
  const exchange = { method: 'POST', url: maskTarget(url), attempts: 1 }
  if (first.status !== null)
    throw new BnplError(
      'check-failed',
      `the handler did not accept ${isOne ? 'the event' : `any of the ${replays.length} events`}: ${first.error}`,
      { code: 'NOT_TAKEN', exchange: { ...exchange, status: first.status, sent: true, outcome: 'rejected' } },
    )
  const sent = failed.some((each) => each.sent)
  const those = isOne ? 'the event' : `the ${replays.length} events`
  throw new BnplError(
    'network',
    sent
      ? `the handler did not answer, but it may have accepted ${isOne ? 'the event' : 'events'}: ${first.error}`
      : `the handler did not get ${those}: ${first.error}`,
    {
      code: 'NOT_TAKEN',
      hint: sent
        ? `Replay ${those} again. This is safe if the handler processes each eventId only once.`
        : `Start the handler, or check the address in --forward-to. Then replay ${those} again.`,
      exchange: { ...exchange, sent, outcome: sent ? 'unknown' : 'not_sent' },
    },
  )
}
