import type { ApiClient } from './client/client.ts'
import type { ApiClientOptions, AttemptReport } from './client/request.ts'
import type { Download, Transport, WireRequest, WireResponse } from './contract/wire.ts'
import type { Clock } from './domain/clock.ts'
import type { BnplError, Whereabouts } from './errors.ts'
import type { History } from './history/history.ts'
import type { Close } from './lifetime.ts'
import type { Settings } from './profiles/resolve.ts'
import type { ProfileStore } from './profiles/store.ts'
import type { Recorder } from './recording/recorder.ts'
import type { SandboxClient } from './sandbox/server/sandbox-client.ts'
import type { Numbers } from './terminal/numbers.ts'
import type { Io, Output, OutputFormat } from './terminal/output.ts'
import type { Prompts } from './terminal/prompts.ts'
import type { Secrets } from './text/secrets.ts'

export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/**
 * Everything that the program gets from the machine, apart from its arguments. `main.ts` makes it from the process. Tests make their own.
 */
export interface World {
  io: Io
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  pid: number
  isAlive(pid: number): boolean
  /** Kills every process of a process group. On Windows, kills a process that still runs, and all processes that it started. */
  killGroup(pid: number): Promise<void>
  version: string
  runtime: {
    node: string
    platform: string
    arch: string
    execPath: string
    program: string
    readonly isExecutable: boolean
  }
  /** The folder of the profiles (`BNPL_CONFIG_DIR` or the platform's default). */
  configDir: string
  /** The folder of the history, the received events and the sandbox's state (`BNPL_STATE_DIR` or the platform's default). */
  stateDir: string
  clock: Clock
  random: () => number
  /** Aborted by SIGINT, SIGTERM or SIGHUP, with an `Interrupted` as its reason. */
  signal: AbortSignal
  /** Passes every signal to `take` while a program of the user runs in the foreground. Returns a function that ends this. */
  takeSignals(take: (name: SignalName) => void): () => void
  /**
   * Says that this command runs until it is stopped, or for hours. The process then ends soon after the command, even if an output is not
   * read.
   */
  expectLongRun(): void
  /**
   * Limits the memory for short-lived objects. Call this before long work, and call the returned function after that work.
   * @param bytes the limit, if the usual one is too high; 0 for the memory that it has now
   */
  boundMemory(bytes?: number): Promise<() => void>
  /** Says how many rows are sent from here on, because the code of a short run is not worth a long compilation. */
  compileForRows(rows: number): Promise<void>
  /** The command and its most recent step, which are reported if the command ends without a result. */
  whereabouts: Whereabouts
  /** The secrets that this run knows. They are masked in everything that is printed. */
  secrets: Secrets
  /** Opens an address in the user's browser. The caller has checked the address. Resolves to false if no browser was opened. */
  open(url: string): Promise<boolean>
  transport?: Transport
}

export interface GlobalOptions {
  profile: string | undefined
  output: OutputFormat
  /** True if the user asked for a table with `-o table`, and not if a table is only the default. */
  wantsTable?: boolean
  dryRun: boolean
  timeoutMs: number
  record?: string | undefined
  recordKeep?: readonly string[]
  /** Whether questions may be asked: stdin and stderr are terminals, and `--no-input` is not set. */
  input: boolean
  yes: boolean
  verbose: boolean
  quiet: boolean
}

/** How the calls of a run over a file differ from a single call. */
export interface ManyCalls extends Required<Pick<ApiClientOptions, 'pacing' | 'retry' | 'signal' | 'onWait'>> {
  /** What the user confirms on a production profile before the run, such as “send 250 evaluations”. Missing if the run changes nothing. */
  what?: string | undefined
}

/** Everything that one command can use. Parts that take long to load are created on first use. */
export interface Context {
  world: World
  io: Io
  clock: Clock
  signal: AbortSignal
  options: GlobalOptions
  output: Output
  numbers: Numbers
  /**
   * The next change of the command, such as “delete the destination W1”. With a production profile, the user is asked to confirm it.
   * Undefined to ask with the summary of the call.
   */
  change?: string
  /** Returns the functions that ask the user questions. Throws a `usage` error if no question may be asked. */
  prompts(): Promise<Prompts>
  /** The settings in use (or those of another profile), each with its source. Throws `config` when that profile does not exist. */
  settings(profile?: string): Promise<Settings>
  /** The same, but what is wrong with a setting is added to `problems`, and the setting is left out. */
  settingsWith(problems: BnplError[], profile?: string): Promise<Settings>
  /** The typed client for the settings in use. Throws `config` when the key or an address is missing. */
  api(): Promise<ApiClient>
  /** A separate client for many calls, which share one rate limit and one signal that ends them. */
  apiFor(calls: ManyCalls): Promise<ApiClient>
  /**
   * Throws `config` if NODE_DEBUG would print secrets. If the service is beta, a sandbox, or on this machine, prints a warning instead.
   */
  untraced(): Promise<void>
  /** The network, or its replacement in a test. */
  network(): Promise<Transport>
  /**
   * Sends one request that has no key and is not a call of the contract, such as a visit of the payment page. Goes to the sandbox of
   * `-p sandbox`, otherwise over the network.
   * @param shown the address for the line of `--verbose`
   */
  visit(request: WireRequest, shown: string): Promise<WireResponse>
  /** Returns a function that downloads a file by its link, without a key. Links to a sandbox that runs in this process also work. */
  download(): Promise<Download>
  /** The recording of `--record`, or undefined without it. Throws `config` or `output` if it cannot be written. */
  recorder(): Promise<Recorder | undefined>
  profiles(): Promise<ProfileStore>
  history(): Promise<History>
  /** The sandbox that `-p sandbox` uses: the running sandbox, or a sandbox in this process if none is running. */
  sandbox(): Promise<SandboxClient>
  report(attempt: AttemptReport): void
  /** Adds a function that runs at the end of the command. The last added runs first. */
  onClose(close: Close): void
  /** Closes everything that was opened. Called only by `cli.ts`. Returns the failures of closing, and never throws. */
  close(): Promise<unknown[]>
}
