import { resolve } from 'node:path'
import type { Context } from '../context.ts'
import type { Download, Transport } from '../contract/wire.ts'
import type { Settings } from '../profiles/resolve.ts'
import type { Recorder } from '../recording/recorder.ts'

/**
 * Opens and returns the recording that `--record` names; returns undefined without `--record`. The end of the command closes the recording.
 */
export async function openRecording(context: Context): Promise<Recorder | undefined> {
  const { world, clock, options, output } = context
  if (options.record === undefined) return undefined
  const settings = await context.settings()
  const [{ openRecorder }, { knownAnswers, PATH_SETTINGS }] = await Promise.all([
    import('../recording/recorder.ts'),
    import('../profiles/resolve.ts'),
  ])
  world.whereabouts.step = 'opening the recording'
  const recorder = openRecorder({
    path: resolve(world.cwd, options.record),
    clock,
    program: `bnpl ${world.version}`,
    command: world.whereabouts.command,
    environment: settings.environment.value,
    baseUrl: settings.baseUrl?.value,
    addresses: settings.paymentUrl === undefined ? [] : [settings.paymentUrl.value],
    paths: knownAnswers(settings.service, PATH_SETTINGS),
    secrets: secretsOf(settings),
    codes: (['steps', 'loanStates', 'installmentStates'] as const).flatMap((field) =>
      settings.service.answers[field].text.split(','),
    ),
    keep: options.recordKeep ?? [],
    warn: output.warn,
  })
  context.onClose(async () => {
    const { exchanges, deliveries, leftOut } = recorder.summary()
    recorder.close()
    const counts = [counted(exchanges, 'exchange'), counted(deliveries, 'delivery')].filter(Boolean)
    output.note(
      `${counts.length === 0 ? 'Nothing was' : `${counts.join(' and ')} ${exchanges + deliveries === 1 ? 'was' : 'were'}`} recorded in ${options.record}.`,
    )
    if (leftOut.length > 0) output.note(leftOutInWords(leftOut.map(({ where }) => where)))
  })
  return recorder
}

/**
 * Returns a transport that also records every request and its answer. Without `--record`, or with `--dry-run`, returns the given transport.
 */
export async function recorded(context: Context, transport: Transport): Promise<Transport> {
  const recorder = context.options.dryRun ? undefined : await context.recorder()
  if (recorder === undefined) return transport
  const { recordedTransport } = await import('../recording/recorded-calls.ts')
  return recordedTransport(transport, await callsTo(recorder, context))
}

/** Returns a download function that also records every request and its answer. Without `--record`, returns the given function. */
export async function recordedFiles(context: Context, download: Download): Promise<Download> {
  const recorder = await context.recorder()
  if (recorder === undefined) return download
  const { recordedDownload } = await import('../recording/recorded-calls.ts')
  return recordedDownload(download, await callsTo(recorder, context))
}

const callsTo = async (recorder: Recorder, { clock, settings }: Context) => {
  const { baseUrl, paymentUrl } = await settings()
  return { recorder, clock, baseUrl: baseUrl?.value, paymentUrl: paymentUrl?.value }
}

const secretsOf = ({ apiKey, publicKey, webhookSecrets, database }: Settings): string[] => [
  ...[apiKey, publicKey, database].flatMap((setting) => (setting === undefined ? [] : [setting.value])),
  ...(webhookSecrets?.value ?? []),
]

function counted(count: number, noun: 'exchange' | 'delivery'): string {
  if (count === 0) return ''
  if (count === 1) return `1 ${noun}`
  return `${count} ${noun === 'delivery' ? 'deliveries' : 'exchanges'}`
}

const NAMED = 5

/** Returns the place of a field in words. @param where such as `listLeads: data.profesion`, or `listLeads?page` */
function placeInWords(where: string): string {
  const [, call = where, sign, field] = /^([^:?]+)(: |\?)(.+)$/.exec(where) ?? []
  const whole = call === 'delivery' ? 'a delivery' : call
  if (sign === undefined) return whole
  return sign === '?' ? `${field} in the query of ${whole}` : `${field} of ${whole}`
}

function leftOutInWords(fields: readonly string[]): string {
  const named = fields.slice(0, NAMED).map(placeInWords).join(', ')
  const more = fields.length > NAMED ? `, and ${fields.length - NAMED} more (the last line of the file lists them)` : ''
  const [verb, subject] = fields.length === 1 ? ['field was', 'it contains'] : ['fields were', 'they contain']
  return `${fields.length} ${verb} left out: ${named}${more}. bnpl does not know what ${subject}. To keep a field, add --record-keep FIELD, but only if it contains no secret and no personal data.`
}
