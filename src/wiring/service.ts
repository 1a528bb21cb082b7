import { resolve } from 'node:path'
import type { ApiClient } from '../client/client.ts'
import type { ApiClientOptions } from '../client/request.ts'
import { confirm } from '../commands/global-options.ts'
import type { Context, ManyCalls, World } from '../context.ts'
import { PATH_SETTINGS } from '../contract/description.ts'
import { type Download, type Transport, WireFailure, type WireRequest, type WireResponse } from '../contract/wire.ts'
import { isLoopback } from '../domain/addresses.ts'
import { formatDuration } from '../domain/clock.ts'
import { config, DryRun } from '../errors.ts'
import { type Close, once } from '../lifetime.ts'
import { BODY_SETTINGS, knownAnswers, type Settings, tracesTraffic } from '../profiles/resolve.ts'
import type { Recorder } from '../recording/recorder.ts'
import { createSecrets } from '../text/secrets.ts'

/**
 * Creates the typed client for the settings in use. Throws `config` if no service is set.
 * @param calls how the calls of a run over many calls differ from a single call
 */
export async function createApi(context: Context, calls?: ManyCalls): Promise<ApiClient> {
  const { what, ...policy } = calls ?? {}
  const { world, options, clock, signal } = context
  const settings = await context.settings()
  const baseUrl = settings.baseUrl?.value
  if (baseUrl === undefined) throw noAccount(settings)
  await context.untraced()
  // If the recording cannot be written, this throws before anything is sent.
  if (!options.dryRun) await context.recorder()
  const service = once(() => serviceTransport(context))
  const transport: Transport = async (request) => (await service())(request)
  const { beforeSend, agree } = guard(context, settings)
  if (what !== undefined) await agree(baseUrl, what)
  const { createApiClient } = await import('../client/client.ts')
  const client: ApiClientOptions = {
    // In a run over many calls, --verbose shows only one line for each request, which `report` writes.
    transport: calls === undefined ? await shownCalls(context, transport) : transport,
    baseUrl,
    apiKey: settings.apiKey?.value,
    clock,
    random: world.random,
    timeoutMs: options.timeoutMs,
    paths: knownAnswers(settings.service, PATH_SETTINGS),
    userAgent: `bnpl/${world.version}`,
    signal,
    beforeSend,
    ...(options.verbose && { onAttempt: context.report }),
    bodies: knownAnswers(settings.service, BODY_SETTINGS),
    onOddShape: warningOnce(context.output.warn),
    onWait: (waitMs, why) => context.output.note(`${why}: trying again in ${formatDuration(waitMs)}`),
    ...policy,
  }
  return advised(createApiClient(client), options.profile)
}

function warningOnce(warn: (text: string) => void): (text: string) => void {
  const written = new Set<string>()
  return (text) => {
    if (written.size === MOST_LINES || written.has(text)) return
    written.add(text)
    warn(text)
  }
}

const MOST_LINES = 5

function noAccount({ profile }: Settings) {
  return profile === undefined
    ? config(
        'no profile is chosen, and no service is set in the environment',
        'Use `-p sandbox` to try bnpl at once. For a real account: bnpl profiles add NAME, or set BNPL_BASE_URL and BNPL_API_KEY.',
        'NO_PROFILE',
      )
    : config(
        `profile ${profile.value} has no base address`,
        `Set the address: bnpl profiles set baseUrl https://… -p ${profile.value}`,
        'NO_BASE_URL',
      )
}

interface Guard {
  beforeSend: NonNullable<ApiClientOptions['beforeSend']>
  /**
   * If the profile is for production, asks once for confirmation, before the first call of a run over a file.
   * Throws `usage` when the answer is no.
   */
  agree(baseUrl: string, what: string): Promise<void>
}

/**
 * Watches the calls of a command. With --dry-run it ends the command before a call is sent. With a production
 * profile it shows a banner and asks one time before the first change.
 */
function guard(context: Context, settings: Settings): Guard {
  let announced = false
  let agreement: Promise<void> | undefined
  const isProduction = settings.environment.value === 'production'
  const dryRun = async (request: WireRequest) => {
    const { toCurl } = await import('../client/request.ts')
    throw new DryRun(toCurl(request))
  }
  const announce = (url: string) => {
    const where = `${settings.profile?.value} (${new URL(url).host})`
    if (!announced) context.output.alert('PRODUCTION', `profile ${where}`)
    announced = true
    return where
  }
  const ask = (url: string, what: string) => {
    const where = announce(url)
    if (context.options.yes) return undefined
    agreement ??= askFor(context, what, where)
    return agreement
  }
  return {
    beforeSend(endpoint, request) {
      if (context.options.dryRun) return dryRun(request)
      context.world.whereabouts.step = endpoint.summary
      if (!isProduction) return undefined
      if (endpoint.changes) return ask(request.url, context.change ?? endpoint.summary)
      announce(request.url)
      return undefined
    },
    async agree(baseUrl, what) {
      if (isProduction && !context.options.dryRun) await ask(baseUrl, what)
    },
  }
}

async function askFor(context: Context, what: string, where: string): Promise<void> {
  await confirm(context, `${what} on production?`, {
    unasked: `this would ${what} on the production profile ${where}, but this run cannot ask for confirmation`,
    hint: 'Add --yes to confirm in advance.',
    code: 'PRODUCTION_NEEDS_YES',
    declined: 'nothing was changed',
  })
}

/**
 * Returns a client whose errors contain hints worded for the command line. The hints are replaced here and not where errors are printed,
 * because some errors are written into a file of results instead.
 * @param profile the name given with `-p`
 */
function advised(client: ApiClient, profile: string | undefined): ApiClient {
  const words = () => import('../commands/hints.ts')
  const rethrow = async (error: unknown): Promise<never> => {
    if (error instanceof DryRun) throw error
    throw (await words()).inCommandWords(error, profile)
  }
  return {
    ...client,
    call: (name, input) => client.call(name, input).catch(rethrow),
    probe: (name, input) => client.probe(name, input).catch(rethrow),
    async raw(request) {
      const answer = await client.raw(request).catch(rethrow)
      return { ...answer, failure: (await words()).failureInWords(answer.failure, profile) }
    },
  }
}

/**
 * Returns a transport that also writes every request and its answer to stderr, with secrets and personal data masked. Without
 * `--verbose`, returns the given transport.
 */
async function shownCalls({ world, io, output, options, settings }: Context, transport: Transport): Promise<Transport> {
  if (!options.verbose) return transport
  const { answerLines, requestLines } = await import('../recording/shown-exchange.ts')
  const { apiKey, publicKey, webhookSecrets } = await settings()
  const ofAccount = createSecrets(apiKey?.value, publicKey?.value, ...(webhookSecrets?.value ?? []))
  // Masking known headers and fields is not enough, because the service may repeat a key anywhere in its answer.
  const hide = (text: string) => ofAccount.hide(world.secrets.hide(text))
  const show = (lines: readonly string[]) => io.err(`${output.errStyle.dim(lines.join('\n'))}\n`)
  return async (request) => {
    show(requestLines(request, hide))
    const response = await transport(request)
    show(answerLines(response, hide))
    return response
  }
}

/** Throws `config` when NODE_TLS_REJECT_UNAUTHORIZED=0 turns off Node's check of certificates, unless BNPL_BASE_URL is on this machine. */
export function refuseUncheckedTls(world: World): void {
  if (world.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return
  const base = world.env.BNPL_BASE_URL
  if (base && isLoopbackUrl(base)) return
  throw config(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 would send your key to any server that answers',
    'Unset NODE_TLS_REJECT_UNAUTHORIZED. For a private certificate authority, set NODE_EXTRA_CA_CERTS to the file with its certificate.',
    'TLS_UNCHECKED',
  )
}

/**
 * Throws `config` when NODE_DEBUG makes Node print requests, because they contain the key and national ids. If the service is beta, a
 * sandbox, or on this machine, prints a warning instead.
 */
export async function refuseDebugTraces({ world, output, settings }: Context): Promise<void> {
  if (!tracesTraffic(world.env.NODE_DEBUG)) return
  const { environment, baseUrl } = await settings()
  const here = baseUrl !== undefined && isLoopbackUrl(baseUrl.value)
  const harmless = environment.value === 'beta' || environment.value === 'sandbox' || here
  const what = `NODE_DEBUG=${world.env.NODE_DEBUG} makes Node print all requests and answers, with keys and national ids`
  if (!harmless) throw config(what, 'Unset NODE_DEBUG, and use --verbose, which masks keys and ids.', 'DEBUG_TRACES')
  output.warn(`${what}. Do not share that output`)
}

const isLoopbackUrl = (text: string) => URL.canParse(text) && isLoopback(new URL(text).hostname)

/**
 * Opens and returns the recording that `--record` names; returns undefined without `--record`. The end of the command closes the recording.
 */
export async function openRecording(context: Context): Promise<Recorder | undefined> {
  const { world, clock, options, output } = context
  if (options.record === undefined) return undefined
  const settings = await context.settings()
  const { openRecorder } = await import('../recording/recorder.ts')
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
    codes: (['steps', 'loanStates', 'installmentStates', 'paidState', 'cancelledState'] as const).flatMap((field) =>
      settings.service.answers[field].text.split(','),
    ),
    keep: options.recordKeep ?? [],
    warn: output.warn,
  })
  context.onClose(async () => {
    const { exchanges, deliveries, leftOut } = recorder.summary()
    recorder.close()
    const counts = [...counted(exchanges, 'exchange', 'exchanges'), ...counted(deliveries, 'delivery', 'deliveries')]
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
  const { recordedTransport } = await recordedCalls()
  return recordedTransport(transport, await callsTo(recorder, context))
}

/** Returns a download function that also records every request and its answer. Without `--record`, returns the given function. */
async function recordedFiles(context: Context, download: Download): Promise<Download> {
  const recorder = await context.recorder()
  if (recorder === undefined) return download
  const { recordedDownload } = await recordedCalls()
  return recordedDownload(download, await callsTo(recorder, context))
}

const recordedCalls = () => import('../recording/recorded-calls.ts')

const callsTo = async (recorder: Recorder, { clock, settings }: Context) => {
  const { baseUrl, paymentUrl } = await settings()
  return { recorder, clock, baseUrl: baseUrl?.value, paymentUrl: paymentUrl?.value }
}

const secretsOf = ({ apiKey, publicKey, webhookSecrets, database }: Settings): string[] => [
  ...[apiKey, publicKey, database].flatMap((setting) => (setting === undefined ? [] : [setting.value])),
  ...(webhookSecrets?.value ?? []),
]

const counted = (count: number, one: string, many: string) =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

const NAMED = 5

/** Returns the place of a field in words. @param where such as `listLeads: data.profesion`, or `listLeads?page` */
function placeInWords(where: string): string {
  const [, call = where, sign, field] = /^([^:?]+)(: |\?)(.+)$/.exec(where) ?? []
  const whole = call === 'delivery' ? 'a delivery' : call
  if (sign === undefined) return whole
  return sign === '?' ? `${field} in the query of ${whole}` : `${field} (${whole})`
}

function leftOutInWords(fields: readonly string[]): string {
  const named = fields.slice(0, NAMED).map(placeInWords).join(', ')
  const more = fields.length > NAMED ? `, and ${fields.length - NAMED} more (the last line of the file lists them)` : ''
  const [verb, subject] = fields.length === 1 ? ['field was', 'it contains'] : ['fields were', 'they contain']
  return `${fields.length} ${verb} left out: ${named}${more}. bnpl does not know what ${subject}. To keep a field, add --record-keep FIELD, but only if it contains no secret and no personal data.`
}

/**
 * Returns the transport to the service of the account: the sandbox of `-p sandbox`, otherwise the network. With `--record`, the transport
 * also records every exchange.
 */
async function serviceTransport(context: Context): Promise<Transport> {
  const { environment } = await context.settings()
  return environment.value === 'sandbox'
    ? recorded(context, (await context.sandbox()).transport)
    : await context.network()
}

/** Sends one request without a key, and reports the request. The report contains `shown` in place of the address. */
export async function visit(context: Context, request: WireRequest, shown: string): Promise<WireResponse> {
  const transport = await serviceTransport(context)
  const started = context.clock.monotonic()
  const report = (result: number | string) =>
    context.report({ method: request.method, url: shown, result, ms: context.clock.monotonic() - started })
  try {
    const response = await transport(request)
    report(response.status)
    return response
  } catch (error) {
    if (error instanceof WireFailure) report(error.kind)
    throw error
  }
}

/** undici is loaded only for a command that uses the network. */
const connections = () => import('../client/network.ts')

/**
 * Opens the network. Throws `config` if certificates are not checked.
 * @param onClose gets the function that closes the connections
 */
export async function openNetwork(world: World, onClose: (close: Close) => void): Promise<Transport> {
  refuseUncheckedTls(world)
  const { createNetwork } = await connections()
  const { transport, close } = createNetwork({ env: world.env })
  onClose(close)
  return transport
}

/**
 * Returns the function that downloads a report by its link, without sending the API key, and records it with `--record`. A sandbox in this
 * process needs no network.
 */
export const openDownload = async (context: Context): Promise<Download> =>
  recordedFiles(context, await createDownloader(context))

async function createDownloader({ world, settings, sandbox, untraced }: Context): Promise<Download> {
  await untraced()
  world.whereabouts.step = 'a download'
  const { createDownload, downloadOver } = await connections()
  if (world.transport) return downloadOver(world.transport)
  refuseUncheckedTls(world)
  const network = createDownload({ env: world.env })
  if ((await settings()).environment.value !== 'sandbox') return network
  const link = await sandbox()
  if (link.served) return network
  const { origin } = new URL(link.baseUrl)
  const inside = downloadOver(link.transport)
  return (request, begin) => (new URL(request.url).origin === origin ? inside : network)(request, begin)
}
