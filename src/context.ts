import type { ApiClient } from './client/client.ts'
import type { ApiClientOptions, AttemptReport } from './client/options.ts'
import type { Close } from './closing.ts'
import type { Download, Transport } from './contract/wire.ts'
import type { Clock } from './domain/clock.ts'
import type { Whereabouts } from './errors.ts'
import type { Settings } from './profiles/resolve.ts'
import type { ProfileStore } from './profiles/store.ts'
import type { SandboxClient } from './sandbox/server/sandbox-client.ts'
import type { History } from './state/state.ts'
import type { Io } from './terminal/io.ts'
import type { Output, OutputFormat } from './terminal/output.ts'
import type { Prompts } from './terminal/prompts.ts'

export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** What the machine gives the program: everything that is not an argument. `main.ts` makes it from the process, tests from nothing. */
export interface World {
  io: Io
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  pid: number
  /** Whether a process of this machine lives. */
  isAlive(pid: number): boolean
  version: string
  /** What the program runs on; as the single executable it is its own Node, and no package is beside it. */
  runtime: {
    node: string
    platform: string
    arch: string
    execPath: string
    program: string
    readonly isExecutable: boolean
  }
  /** Where profiles live (`BNPL_CONFIG_DIR` or the platform's place). */
  configDir: string
  /** Where history, received events and the sandbox's state live (`BNPL_STATE_DIR` or the platform's place). */
  stateDir: string
  clock: Clock
  random: () => number
  /** Aborted by SIGINT, SIGTERM or SIGHUP, with an `Interrupted` as its reason. */
  signal: AbortSignal
  /**
   * Gives the signals to `take` instead, each by its name and every time, while another program of the user's runs in front.
   * @returns gives them back
   */
  takeSignals(take: (name: SignalName) => void): () => void
  /** Keeps what is soon thrown away from taking ever more memory while many things are done. @returns ends the watch */
  boundMemory(): Promise<() => void>
  /** Written as the command goes on, and read where it ends without a result. */
  whereabouts: Whereabouts
  /** Opens an address in the person's browser. The caller has checked the address. Resolves false when there is no browser to open. */
  open(url: string): Promise<boolean>
  /** Replaces the network in tests. */
  transport?: Transport
}

/** The options every command takes, as parsed. */
export interface GlobalOptions {
  profile: string | undefined
  output: OutputFormat
  dryRun: boolean
  timeoutMs: number
  /** May a question be asked: a terminal on stdin and stderr, and no `--no-input`. */
  input: boolean
  yes: boolean
  verbose: boolean
  quiet: boolean
}

/** What sets the calls of a bulk run apart from a single one. */
export interface ManyCalls extends Required<Pick<ApiClientOptions, 'pacing' | 'retry' | 'signal' | 'onWait'>> {
  /** What a production profile asks about, once, before the client is made: “send 250 evaluations”. Left out if nothing is changed. */
  what?: string | undefined
}

/** What a command gets. The functions make their heavy part on first use and remember it. */
export interface Context {
  world: World
  io: Io
  clock: Clock
  signal: AbortSignal
  options: GlobalOptions
  output: Output
  /** Asks; throws a `usage` error when nothing may be asked. */
  prompts(): Promise<Prompts>
  /** The settings in force (or those of another profile), each with its source. Throws `config` when there is no such profile. */
  settings(profile?: string): Promise<Settings>
  /** The typed client for the settings in force. Throws `config` when the key or an address is missing. */
  api(): Promise<ApiClient>
  /** A client of its own for many calls that go by one pace and end by a signal of theirs. */
  apiFor(calls: ManyCalls): Promise<ApiClient>
  /** Throws `config` where NODE_DEBUG would print the secrets of what is sent or received; warns where they are those of a test. */
  untraced(): Promise<void>
  /** The network (or what a test put in its place), for calls outside the contract. */
  network(): Promise<Transport>
  /** Fetches files by their links, with a client that knows no key; links of the sandbox in this process included. */
  download(): Promise<Download>
  profiles(): Promise<ProfileStore>
  state(): Promise<History>
  /** The sandbox that `-p sandbox` talks to: the running one, else the embedded one. */
  sandbox(): Promise<SandboxClient>
  /** The line that `--verbose` writes for a request; nothing without it. */
  report(attempt: AttemptReport): void
  /** Runs when the command is over, last in first out. */
  onClose(close: Close): void
  /** Closes what was opened; called once, by `cli.ts`. @returns what could not be closed; never throws */
  close(): Promise<unknown[]>
}
