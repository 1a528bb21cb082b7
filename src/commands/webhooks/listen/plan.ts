import type { Context } from '../../../context.ts'
import { INTEGRATIONS, type VerificationScheme } from '../../../contract/integrations.ts'
import { gitBashAdvice } from '../../../domain/addresses.ts'
import { SANDBOX, sandboxTraits } from '../../../domain/sandbox-accounts.ts'
import { usage } from '../../../errors.ts'
import { maskAddress } from '../../../text/masking.ts'
import type { Command, OptionsOf } from '../../command.ts'
import { refuseDryRun } from '../../global-options.ts'
import { LOG } from '../../long-run.ts'
import { readCount, readPort } from '../../option-values.ts'
import { readDestinationUrl } from '../destinations.ts'
import { addDatabaseOptions, type DatabaseOptions } from '../inbox.ts'
import { addSignatureOptions, readForwardTo, readScheme, SCHEMES, type SignatureOptions } from '../signature-options.ts'

export interface ListenPlan {
  port: number
  host: string
  scheme: VerificationScheme
  path: string
  forwardTo: string | undefined
  forwardAttempts: number
  publicUrl: string | undefined
  /**
   * Whether the listener registers its own address with the sandbox of this machine. False with --public-url, --secret-file or
   * --secret-stdin. It is ignored if several listeners share the inbox.
   */
  inSandbox: boolean
  publicHosts: readonly string[]
  /** The number of events after which the listener ends; undefined for no limit. */
  until: number | undefined
  readyFile: string | undefined
  print: boolean
  metrics: { host: string; port: number } | undefined
  signature: SignatureOptions
  database: DatabaseOptions
}

export const LISTEN_PORT = 4556

/** The defaults that a unit of systemd leaves out. */
export const LISTEN_DEFAULTS = { host: '127.0.0.1', forwardAttempts: '8' } as const

export const addListenOptions = (command: Command) =>
  addDatabaseOptions(
    addSignatureOptions(
      command
        .option('--port <n>', 'port to listen on; 0 for any free port', String(LISTEN_PORT))
        .option('--host <host>', 'interface to listen on', LISTEN_DEFAULTS.host)
        .option(
          '--scheme <scheme>',
          `how the receiver verifies deliveries: ${SCHEMES} (default: hmac; in the sandbox the scheme of the account)`,
        )
        .option('--path </path>', 'path of the destination (default: the path of --public-url, otherwise /webhooks)')
        .option(
          '--forward-to <url>',
          'forward events to this address, in order; an event is sent again until the handler answers 2xx, or until the event is set aside (see --forward-attempts)',
        )
        .option(
          '--forward-attempts <n>',
          'set an event aside (stop forwarding it) after this many failed attempts. An attempt counts if the handler refuses the event, or receives it and does not answer. It does not count if the handler cannot be reached, or answers 429, 502, 503 or 504',
          LISTEN_DEFAULTS.forwardAttempts,
        )
        .option(
          '--public-url <url>',
          'register this address while the listener runs, and remove it when the listener ends',
        )
        .option(
          '--public-host <host...>',
          'also accept deliveries to these host names, such as the name of a proxy or a tunnel',
        )
        .option(
          '--print-secret',
          'print the secret with which your handler can verify deliveries of the sandbox, then exit (for a real-estate account: its webhook token)',
        )
        .option(
          '--print-unit',
          'print a systemd unit that runs this listener on this machine with the given options, then exit; needs --secret-file',
        )
        .option('--until <n>', 'end after this many events')
        .option(
          '--ready-file <file>',
          'write a JSON line to this file after a test delivery to the listener has succeeded',
        )
        .option(...LOG)
        .option('--no-print', 'write no events to stdout (events contain personal data)')
        .option('--metrics-port <n>', 'serve /metrics, /readyz and /healthz on this port, separate from deliveries')
        .option('--metrics-host <host>', 'interface to listen on for --metrics-port (default: 127.0.0.1)'),
    ),
  )

type ListenOptions = OptionsOf<ReturnType<typeof addListenOptions>>

/** Checks the options of `listen`. Throws `usage`. */
export async function readListenPlan(context: Context, options: ListenOptions): Promise<ListenPlan> {
  refuseDryRun(
    context,
    '--dry-run shows requests to the service, but `bnpl webhooks listen` receives deliveries; nothing was started',
  )
  if (context.options.output === 'csv')
    throw usage('`bnpl webhooks listen` cannot write CSV', 'Remove --output, or use --json for lines of JSON.')
  const scheme = await schemeOf(context, options.scheme)
  const publicUrl = options.publicUrl === undefined ? undefined : await readDestinationUrl(context, options.publicUrl)
  const publicHosts = [
    ...(options.publicHost ?? []).map(readPublicHost),
    ...(publicUrl ? [new URL(publicUrl).hostname] : []),
  ]
  return {
    scheme,
    publicUrl,
    publicHosts,
    inSandbox: publicUrl === undefined && !options.secretFile && !options.secretStdin && (await isInSandbox(context)),
    port: readPort('--port', options.port),
    host: options.host,
    path: readPath(options.path ?? (publicUrl ? new URL(publicUrl).pathname : '/webhooks')),
    forwardTo: options.forwardTo === undefined ? undefined : readForwardTo(options.forwardTo),
    forwardAttempts: readCount('--forward-attempts', options.forwardAttempts),
    until: options.until === undefined ? undefined : readCount('--until', options.until),
    readyFile: options.readyFile,
    print: options.print,
    metrics: readMetrics(options),
    signature: options,
    database: options,
  }
}

const isInSandbox = async (context: Context) => (await context.settings()).environment.value === SANDBOX

async function schemeOf(context: Context, given: string | undefined): Promise<VerificationScheme> {
  if (given !== undefined) return readScheme(given)
  const traits = (await isInSandbox(context)) ? sandboxTraits((await context.settings()).profile?.value) : undefined
  return INTEGRATIONS[traits?.product ?? 'bnpl'].scheme
}

function readPublicHost(text: string): string {
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined
  if (url && url.href === `http://${url.hostname}/` && /^[a-z0-9._-]+$|^\[/.test(url.hostname)) return url.hostname
  throw usage(
    `--public-host “${maskAddress(text)}” is not a host name`,
    'Write the host name without scheme, port and path, such as shop.example',
    'INVALID_HOST',
  )
}

function readMetrics({ metricsPort, metricsHost }: ListenOptions): ListenPlan['metrics'] {
  if (metricsPort !== undefined)
    return { host: metricsHost ?? '127.0.0.1', port: readPort('--metrics-port', metricsPort) }
  if (metricsHost === undefined) return undefined
  throw usage('--metrics-host needs --metrics-port', 'Add --metrics-port N.', 'NO_METRICS_PORT')
}

function readPath(text: string): string {
  if (/^\/[^\s?#\\]*$/.test(text) && /^[\x21-\x7e]+$/.test(text)) return text
  throw usage(
    `--path “${text}” is not a path`,
    gitBashAdvice(text) ?? 'Write a path such as /webhooks.',
    'INVALID_PATH',
  )
}
