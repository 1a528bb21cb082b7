import type { Context } from '../../context.ts'
import { type EventType, INTEGRATIONS, type VerificationScheme } from '../../contract/integrations.ts'
import { NEW_LEAD_TIMEOUT_MS } from '../../contract/time-limits.ts'
import { maskTarget } from '../../domain/addresses.ts'
import { readEnvelope } from '../../domain/envelope.ts'
import { BnplError, DryRun, usage } from '../../errors.ts'
import type { OutgoingEvent, Reply } from '../../receiver/conformance/check.ts'
import { duplicateField, parseJsonText, parseKeepingDigits } from '../../text/json-text.ts'
import { optionWords } from '../../text/shell-word.ts'
import { nearestFirst } from '../../text/similar.ts'
import { visible } from '../../text/visible.ts'
import { type Command, type Define, examples, type OptionsOf, offer, repeatable } from '../command.ts'
import { readTextBytes } from '../file-input.ts'
import { refuseChangedValue } from '../option-values.ts'
import {
  addSignatureOptions,
  noteSandboxSecret,
  readReceiverUrl,
  readSecrets,
  secretsFor,
  signatureSettings,
} from './signature-options.ts'

const EVENTS: readonly { event: EventType; scheme: VerificationScheme }[] = Object.values(INTEGRATIONS).flatMap(
  ({ events, scheme }) => events.map((event) => ({ event, scheme })),
)
const EVENT_NAMES = EVENTS.map(({ event }) => event).join(', ')
const MAX_FILE_BYTES = 4 * 1024 * 1024

const conformance = () => import('../../receiver/conformance/check.ts')

const addOptions = (command: Command) =>
  addSignatureOptions(
    command
      .argument('<event>', `event to send: ${EVENT_NAMES}`)
      .requiredOption('--to <url>', 'address of the receiver')
      .option(
        '--set <path=value>',
        'change a field of the data, such as loanAmount=1000; repeatable. If the value has another type than the field, the command prints a note and sends the value',
        repeatable,
      )
      .option('--file <file>', 'read the data (or a whole envelope) from this JSON file; `-` for stdin')
      .option('--event-id <id>', 'eventId of the event (default: a new id)'),
  )

type Options = OptionsOf<ReturnType<typeof addOptions>>

export const define: Define = (command, act) => {
  addOptions(command).action(
    act(async (context, options, name) => {
      const known = EVENTS.find(({ event }) => event === name)
      if (known === undefined) throw usage(`“${name}” is not an event`, `Use one of: ${EVENT_NAMES}.`, 'INVALID_EVENT')
      const { scheme } = known
      const url = readReceiverUrl('--to', options.to)
      const event = await makeEvent(context, known.event, options)
      const secrets = await readSecrets(context, options, 'without a secret the receiver cannot verify the event')
      noteSandboxSecret(context, secrets, scheme)
      const [secret = ''] = secretsFor(scheme, secrets.values)
      const signer = { scheme, signature: await signatureSettings(context, options), secret }
      const { proofHeader } = await import('../../receiver/verification/verifier.ts')
      const { deliveryRequest, testEnvelope, proofWords, send } = await conformance()
      const body = testEnvelope(event)
      const { signal, options: global } = context
      const request = { ...deliveryRequest(url, body, proofHeader(body, signer), global.timeoutMs), signal }
      if (context.options.dryRun) {
        const { toCurl } = await import('../../client/request.ts')
        throw new DryRun(toCurl(request))
      }
      const proof = `${proofWords(signer)}. The secret came from ${secrets.source}`
      await report(context, event, { url, proof }, await send(request, await context.network(), context.clock))
    }),
  )
  offer(
    command,
    'event',
    EVENTS.map(({ event }) => event),
  )
  examples(command, [
    [
      'send the event of a payment to a handler on this machine',
      'bnpl webhooks trigger loan_approved --to http://127.0.0.1:3000/hook -p sandbox',
    ],
    [
      'a lead with your own field values',
      'bnpl webhooks trigger new_lead --to https://crm.example/leads --set nombres=Ana --set comuna=Temuco',
    ],
  ])
}

async function makeEvent(context: Context, event: EventType, options: Options): Promise<OutgoingEvent> {
  const given = options.file === undefined ? undefined : await readFileEvent(context, options.file)
  const { sampleEvent } = await import('../../sandbox/records/records.ts')
  let data = given ? given.data : sampleEvent(event, context.clock.now(), context.world.random)
  const noteKind = (path: string, was: string, is: string) =>
    context.output.note(`The field ${path} is normally ${was}, but this event contains ${is}.`)
  for (const each of options.set ?? []) data = await setField(data, each, noteKind)
  return {
    event,
    eventId: options.eventId ?? given?.eventId ?? crypto.randomUUID(),
    data,
  }
}

/** Reads the data of an event, or a whole envelope. An envelope that somebody wrote by hand may have no id. */
async function readFileEvent(context: Context, file: string): Promise<{ eventId?: string; data: unknown }> {
  const bytes = await readTextBytes(context, file, MAX_FILE_BYTES)
  const envelope = readEnvelope(bytes)
  if (envelope.ok) return envelope.envelope
  const parsed = parseJsonText(bytes)
  if (parsed.ok) {
    const { value } = parsed
    if (typeof value !== 'object' || value === null) return { data: value }
    const names = Object.keys(value)
    // No event has a field with one of these names in its data.
    if (!names.includes('eventId') && !names.includes('data')) return { data: value }
    if (duplicateField(parsed.text, ['data'])) throw noEvent(file, 'it has the field data twice')
    if ('data' in value && names.length === 1) return { data: value.data }
  }
  throw noEvent(file, envelope.reason)
}

const noEvent = (file: string, reason: string) =>
  usage(`${file === '-' ? 'stdin' : file} does not contain an event: ${reason}`, undefined, 'INVALID_FILE')

async function report(
  context: Context,
  { event, eventId }: OutgoingEvent,
  { url, proof }: { url: string; proof: string },
  reply: Reply,
): Promise<void> {
  const { status, fault } = reply
  const ms = Math.round(reply.ms)
  const exchange = { method: 'POST', url: maskTarget(url), attempts: 1 }
  if (status === null) {
    const { wireFailureWords } = await import('../../contract/failures/connections.ts')
    const { host } = new URL(url)
    const what = wireFailureWords(fault)
    throw new BnplError(
      'network',
      reply.sent
        ? `${event} ${eventId} was sent to ${host} but not answered: ${what}; the receiver may have accepted it`
        : `${event} ${eventId} could not be delivered to ${host}: ${what}`,
      {
        code: 'NOT_DELIVERED',
        hint: reply.sent
          ? `Add ${optionWords('--event-id', eventId)} when you repeat the command, so that the receiver processes the event only once. Without --file, the repeated event has other data.`
          : 'Check that the receiver is running, then repeat this command. Nothing was sent.',
        exchange: { ...exchange, sent: reply.sent, outcome: reply.sent ? 'unknown' : 'not_sent' },
      },
    )
  }
  await context.output.result({ eventId, status, ms }, () => visible(`${event} ${eventId}: ${status} in ${ms} ms`))
  if (ms > NEW_LEAD_TIMEOUT_MS) {
    context.output.warn(
      `the service waits ${NEW_LEAD_TIMEOUT_MS / 1000} s for the answer to a new_lead and never repeats the delivery, but this receiver took longer`,
    )
  }
  if (status >= 200 && status < 300) return
  const redirect = status >= 300 && status < 400 ? ': a redirect, which the service does not follow' : ''
  const { statusAdvice } = await conformance()
  throw new BnplError('check-failed', `the receiver answered ${status}${redirect}`, {
    code: `HTTP_${status}`,
    hint:
      status === 401 || status === 403
        ? `Check how the receiver verifies deliveries. This ${event} was sent with ${proof}. To send the event with another secret, add --secret-file FILE or set BNPL_WEBHOOK_SECRET.${status === 403 ? ` ${statusAdvice(status)}` : ''}`
        : (statusAdvice(status, reply.location) ?? `Look for the event ${eventId} in the log of the receiver.`),
    exchange: { ...exchange, status, sent: true, outcome: 'rejected' },
  })
}

function fieldsOf(value: unknown, above: readonly string[] = []): [path: string, names: readonly string[]][] {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const names = [...above, key]
    return [[names.join('.'), names] as [string, readonly string[]], ...fieldsOf(item, names)]
  })
}

/** The number of similar fields in the hint about an unknown field. */
const SUGGESTED = 6

/**
 * Returns a copy of `data` in which one field is changed. `assignment` is `path=value`. A text field stays text. For any other field, the
 * value is read as JSON (`null`, `12`, `{"a":1}`), or as text if it is not JSON. Throws `usage` when the path does not exist.
 * @param onOtherKind called if the new value is of another kind than the value before
 */
export async function setField(
  data: unknown,
  assignment: string,
  onOtherKind: (path: string, was: string, is: string) => void,
): Promise<unknown> {
  const at = assignment.indexOf('=')
  if (at < 1)
    throw usage(
      `--set “${assignment}” has no path`,
      'Write the option as --set path=value, for example --set loanAmount=1000.',
    )
  refuseChangedValue('--set', assignment)
  const path = assignment.slice(0, at).replace(/^data\./, '')
  const fields = fieldsOf(data)
  const names = fields.find(([known]) => known === path)?.[1]
  if (names === undefined) throw await unknownField(path, fields)
  const text = assignment.slice(at + 1)
  return changed(data, names, (before) => {
    const after = typeof before === 'string' ? text : asJson(text)
    const [was, is] = [kindOf(before), kindOf(after)]
    if (was !== is && was !== 'null') onOtherKind(path, was, is)
    return after
  })
}

async function unknownField(path: string, fields: readonly [path: string, names: readonly string[]][]) {
  // The elements of a list have the same fields, so name the fields of the first element only.
  const known = fields.filter(([, names]) => !names.some((name) => /^[1-9]\d*$/.test(name))).map(([field]) => field)
  const near = nearestFirst(path, known).slice(0, SUGGESTED)
  const all = known.length > near.length ? ' --dry-run shows the whole event.' : ''
  return usage(
    `--set: this event has no field “${path}”`,
    near.length === 0
      ? 'Remove --set, because the data of this event has no fields.'
      : `Use a field such as ${near.join(', ')}.${all}`,
    'UNKNOWN_FIELD',
  )
}

/** Returns the kind of a JSON value in words. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'object' && !JSON.isRawJSON(value)) return Array.isArray(value) ? 'a list' : 'an object'
  return typeof value === 'boolean' ? 'true or false' : 'a number'
}

function changed(value: unknown, [name, ...rest]: readonly string[], change: (before: unknown) => unknown): unknown {
  if (name === undefined) return change(value)
  if (Array.isArray(value)) return value.with(Number(name), changed(value[Number(name)], rest, change))
  if (typeof value !== 'object' || value === null) return value
  return { ...value, [name]: changed(Reflect.get(value, name), rest, change) }
}

function asJson(text: string): unknown {
  try {
    return parseKeepingDigits(text)
  } catch {
    return text
  }
}
