import type { ApiClientOptions } from './client/request.ts'
import { type Close, closeAll } from './closing.ts'
import type { Context, GlobalOptions, ManyCalls, World } from './context.ts'
import type { Download, Transport } from './contract/wire.ts'
import { formatDuration } from './domain/clock.ts'
import { config } from './errors.ts'
import { once } from './once.ts'
import type { Settings } from './profiles/resolve.ts'
import { createNumbers } from './terminal/numbers.ts'
import { createOutput, type Style } from './terminal/output.ts'
import { advised } from './wiring/advised.ts'
import { guard } from './wiring/guard.ts'
import { refuseDebugTraces, refuseUncheckedTls } from './wiring/node-settings.ts'
import { openRecording, recorded, recordedFiles } from './wiring/recording.ts'
import { serviceTransport, visit } from './wiring/service.ts'
import { shownCalls } from './wiring/shown-calls.ts'

/**
 * Creates the context of one command. Parts that take long to load are created on first use.
 * @param words the arguments and the values of the options, in which no secret may be
 */
export function createContext(
  world: World,
  options: GlobalOptions,
  styles: { out: Style; err: Style },
  words: readonly string[] = [],
): Context {
  const { io, clock } = world
  const output = createOutput(io, options, styles, world.secrets)
  const closers: Close[] = []
  let recording = false
  if (options.record !== undefined && !options.dryRun) {
    const unused = `Nothing was recorded in ${options.record}, because this command made no call to the service.`
    closers.push(async () => recording || output.note(unused))
  }
  const read = async (profile: string | undefined) => {
    const { readSettings } = await import('./wiring/settings.ts')
    return readSettings(context, profile, words)
  }
  const inForce = once(() => read(options.profile))
  const network = once(async () => {
    if (world.transport) return world.transport
    refuseUncheckedTls(world)
    const { createNetwork } = await import('./client/undici.ts')
    const { transport, close } = createNetwork({ env: world.env })
    closers.push(close)
    return transport
  })
  const context: Context = {
    world,
    io,
    clock,
    get signal() {
      return world.signal
    },
    options,
    output,
    numbers: createNumbers(world.env),
    prompts: once(async () => {
      const { createPrompts } = await import('./terminal/prompts.ts')
      world.whereabouts.step = 'a question at the terminal'
      return createPrompts(io, options.input, world.signal)
    }),
    profiles: once(async () => {
      const { openProfiles } = await import('./profiles/store.ts')
      return openProfiles(world.configDir, output.warn)
    }),
    settings: (profile) => (profile === undefined ? inForce() : read(profile)),
    untraced: once(() => refuseDebugTraces(context)),
    async network() {
      await context.untraced()
      return recorded(context, await network())
    },
    visit: (request, shown) => visit(context, request, shown),
    recorder: once(() => {
      recording = true
      return openRecording(context)
    }),
    download: once(async () => recordedFiles(context, await createDownloader(context))),
    state: once(async () => {
      const { openState } = await import('./state/sqlite.ts')
      world.whereabouts.step = 'opening the history'
      const state = await openState(world.stateDir, clock, output.warn)
      closers.push(() => state.close())
      return state
    }),
    sandbox: once(async () => {
      const { openSandboxClient } = await import('./sandbox/server/sandbox-client.ts')
      world.whereabouts.step = 'opening the sandbox'
      const link = await openSandboxClient({
        stateDir: world.stateDir,
        clock,
        random: world.random,
        signal: world.signal,
        network,
        notice: output.warn,
        description: async () => (await import('./wiring/settings.ts')).describedInEnvironment(world),
        onWait: (maxMs) =>
          output.note(`Waiting up to ${formatDuration(maxMs)} for a receiver to accept the delivery of the event …`),
      })
      closers.push(() => link.close())
      return link
    }),
    api: once(() => createApi(context, (transport) => shownCalls(context, transport, styles.err))),
    // In a run over many calls, --verbose shows only one line for each request, which `report` writes.
    apiFor: (calls) => createApi(context, async (transport) => transport, calls),
    report({ method, url, result, ms }) {
      if (options.verbose) io.err(`${styles.err.dim(`${method} ${url} → ${result} ${Math.round(ms)} ms`)}\n`)
    },
    onClose: (close) => closers.push(close),
    close: () => closeAll(closers),
  }
  return context
}

async function createApi(context: Context, shown: (transport: Transport) => Promise<Transport>, calls?: ManyCalls) {
  const { what, ...policy } = calls ?? {}
  const { world, options, clock, signal } = context
  const settings = await context.settings()
  const baseUrl = settings.baseUrl?.value
  if (baseUrl === undefined) throw noAccount(settings)
  await context.untraced()
  // If the recording cannot be written, this throws before anything is sent.
  if (!options.dryRun) await context.recorder()
  let service: Transport | undefined
  const first: Transport = async (request) => {
    service = await serviceTransport(context)
    return service(request)
  }
  const transport: Transport = (request) => (service ? service(request) : first(request))
  const { beforeSend, agree } = guard(context, settings)
  if (what !== undefined) await agree(baseUrl, what)
  const [{ createApiClient }, { BODY_SETTINGS, knownAnswers, PATH_SETTINGS }] = await Promise.all([
    import('./client/client.ts'),
    import('./profiles/resolve.ts'),
  ])
  const client: ApiClientOptions = {
    transport: await shown(transport),
    baseUrl,
    apiKey: settings.apiKey?.value,
    clock,
    random: world.random,
    timeoutMs: options.timeoutMs,
    paths: knownAnswers(settings.service, PATH_SETTINGS),
    userAgent: `bnpl/${world.version}`,
    signal,
    beforeSend,
    onAttempt: context.report,
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

/** Returns the function that downloads a report by its link, without sending the API key. A sandbox in this process needs no network. */
async function createDownloader({ world, settings, sandbox, untraced }: Context): Promise<Download> {
  await untraced()
  world.whereabouts.step = 'a download'
  const { createDownload, downloadOver } = await import('./client/download.ts')
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
