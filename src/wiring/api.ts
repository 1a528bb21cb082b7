import type { ApiClient } from '../client/client.ts'
import { type ApiClientOptions, toCurl } from '../client/request.ts'
import { confirm } from '../commands/global-options.ts'
import type { Context, ManyCalls } from '../context.ts'
import { PATH_SETTINGS } from '../contract/description.ts'
import type { Transport, WireRequest } from '../contract/wire.ts'
import { formatDuration } from '../domain/clock.ts'
import { config, DryRun } from '../errors.ts'
import { once } from '../once.ts'
import { BODY_SETTINGS, knownAnswers, type Settings } from '../profiles/resolve.ts'
import { createSecrets } from '../text/secrets.ts'
import { serviceTransport } from './network.ts'

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
