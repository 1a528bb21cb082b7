import type { Context, GlobalOptions, World } from './context.ts'
import { formatDuration } from './domain/clock.ts'
import type { BnplError } from './errors.ts'
import { type Close, closeAll, once } from './lifetime.ts'
import { createNumbers } from './terminal/numbers.ts'
import { createOutput, type Style } from './terminal/output.ts'
import { visible } from './text/visible.ts'

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
  // These files are loaded when a command first needs the settings, and when it first needs the service.
  const onSettings = () => import('./wiring/settings.ts')
  const onService = () => import('./wiring/service.ts')
  const read = async (profile: string | undefined, problems?: BnplError[]) => {
    const { readSettings } = await onSettings()
    return readSettings(context, profile, words, problems)
  }
  const inForce = once(() => read(options.profile))
  const network = once(
    async () => world.transport ?? (await onService()).openNetwork(world, (close) => closers.push(close)),
  )
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
    settingsWith: (problems, profile = options.profile) => read(profile, problems),
    untraced: once(async () => (await onService()).refuseDebugTraces(context)),
    async network() {
      await context.untraced()
      return (await onService()).recorded(context, await network())
    },
    visit: async (request, shown) => (await onService()).visit(context, request, shown),
    recorder: once(async () => {
      recording = true
      return (await onService()).openRecording(context)
    }),
    download: once(async () => (await onService()).openDownload(context)),
    history: once(async () => {
      const { openHistory } = await import('./history/sqlite.ts')
      world.whereabouts.step = 'opening the history'
      const history = await openHistory(world.stateDir, clock, output.warn)
      closers.push(() => history.close())
      return history
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
        description: async () => (await onSettings()).describedInEnvironment(world),
        onWait: (maxMs) =>
          output.note(`Waiting up to ${formatDuration(maxMs)} for a receiver to accept the delivery of the event …`),
      })
      closers.push(() => link.close())
      return link
    }),
    api: once(async () => (await onService()).createApi(context)),
    apiFor: async (calls) => (await onService()).createApi(context, calls),
    report(attempt) {
      if (!options.verbose) return
      const { method, url, result, ms } = attempt
      io.err(`${styles.err.dim(`${method} ${visible(url)} → ${result} ${Math.round(ms)} ms`)}\n`)
    },
    onClose: (close) => closers.push(close),
    close: () => closeAll(closers),
  }
  return context
}
