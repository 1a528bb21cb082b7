import { lstat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { isDescribed } from '../../contract/description.ts'
import { isDatabaseAt } from '../../disk/database-place.ts'
import { isLoopback } from '../../domain/addresses.ts'
import { usage } from '../../errors.ts'
import { productionOf } from '../../sandbox/addresses.ts'
import { DEFAULT_PORT } from '../../sandbox/conventions.ts'
import { TEST_CUSTOMERS } from '../../sandbox/records/customers.ts'
import { toJson } from '../../text/visible.ts'
import { type Command, type Define, examples, type OptionsOf } from '../command.ts'
import { refuseDryRun } from '../global-options.ts'
import { LOG, logAsAsked, prepareReadyFile } from '../long-run.ts'
import { readPort } from '../option-values.ts'
import { addServiceOptions, noteService, readServiceOption } from '../service-option.ts'
import { serveHere } from './serve-here.ts'
import { renderWelcome } from './welcome.ts'

const addOptions = (command: Command) =>
  addServiceOptions(command, 'be this service')
    .option('--port <n>', 'listen on this port (default: 4555); 0 for any free port')
    .option('--host <host>', 'interface to listen on', '127.0.0.1')
    .option('--allow-host <name...>', 'also answer requests with these names in the Host header (name or name:port)')
    .option(
      '--public-url <url>',
      'address at which other machines reach this server, such as the address of a proxy; links to reports begin with this address',
    )
    .addOption(
      command.createOption('--data <file>', 'store the state of the sandbox in this file').conflicts('ephemeral'),
    )
    .option('--ephemeral', 'keep the state in memory; it is lost when the sandbox stops')
    .option(
      '--ready-file <file>',
      'write a JSON line with the addresses and keys to this file as soon as the server accepts requests',
    )
    .option('--allow-http', 'also accept webhook destinations on this machine, with http or https')
    .option(
      '--customer',
      'let the payment page pay or reject by itself, depending on the test customer, so that a test needs no browser',
    )
    .option(...LOG)
    .option('--open', "open the sandbox's window in the browser")

type Options = OptionsOf<ReturnType<typeof addOptions>>

export const define: Define = (command, act) => {
  addOptions(command).action(act(start))
  examples(command, [
    ['serve the sandbox until Ctrl-C', 'bnpl sandbox start'],
    ['in CI: any free port, no state kept', 'bnpl sandbox start --port 0 --ephemeral --ready-file ready.json --json &'],
    ['for a team, behind a proxy', 'bnpl sandbox start --host 0.0.0.0 --public-url https://sandbox.example'],
    ['follow the description of a service', 'bnpl sandbox start --service service.json'],
    ['in a container network', 'bnpl sandbox start --host 0.0.0.0 --allow-host sandbox:4555'],
  ])
}

async function start(context: Context, options: Options): Promise<void> {
  refuseDryRun(context)
  logAsAsked(context, options.log)
  const { world, output } = context
  const port = options.port === undefined ? DEFAULT_PORT : readPort('--port', options.port)
  const dataFile = await dataFileFor(context, options)
  const readyFile =
    options.readyFile === undefined ? undefined : await prepareReadyFile(world.cwd, options.readyFile, world.isAlive)
  const served = await serveHere(context, {
    host: options.host,
    port,
    allowHosts: options.allowHost ?? [],
    publicUrl: options.publicUrl === undefined ? undefined : readPublicUrl(options.publicUrl),
    dataFile,
    allowHttp: options.allowHttp ?? false,
    customer: options.customer ?? false,
    description: await readServiceOption(context, options),
  })
  context.onClose(async () => {
    await readyFile?.remove()
    await served.close()
  })
  const { description } = served.running
  const { baseUrl, paymentUrl, windowUrl } = served.addresses
  const production = productionOf(baseUrl)
  const line = {
    baseUrl,
    paymentUrl,
    dashboardUrl: windowUrl,
    production,
    partners: served.partners,
    ...(isDescribed(description) && { service: description.name }),
  }
  await readyFile?.write(`${toJson(line)}\n`)
  // JSON is one line, so that a script can read the line from the pipe while this program continues.
  if (context.options.output === 'json') await output.raw(toJson(line))
  else {
    const windowLink = served.windowLink()
    await output.result(line, () =>
      renderWelcome(
        {
          ...line,
          dataFile: dataFile ?? null,
          windowLink,
          customers: TEST_CUSTOMERS,
          isFound: served.beside === undefined,
        },
        output,
        context.world,
      ),
    )
  }
  if (served.beside)
    output.warn(
      `Another sandbox already runs at ${served.beside.baseUrl}. Other bnpl commands continue to use that sandbox. To use the new sandbox, take the address and keys that this command shows.`,
    )
  noteService(output, description)
  if (!isLoopback(options.host))
    output.warn('Other machines can reach the sandbox too. Everybody who reaches it can use the keys shown here.')
  if (options.open) {
    const link = served.windowLink()
    if (!(await world.open(link))) output.say('No browser could be opened. Open this address yourself:', link)
  }
  const another = served.beside ? '' : '; to get another link, run bnpl sandbox open'
  output.note(`The window’s link works only once${another}. Ctrl-C stops the sandbox.`)
  await signalled(context.signal)
}

/** Returns the path of `--data`. Throws `usage` for a file of another kind, which must not be called a damaged database. */
async function dataFileAt(path: string): Promise<string> {
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isFile() || found.size === 0) return path
  if (isDatabaseAt(path)) {
    const { isSandboxFile } = await import('../../sandbox/store/sqlite.ts')
    if (isSandboxFile(path)) return path
  }
  throw usage(`${path} is not the data of a sandbox`, 'Name another file with --data.')
}

/** Returns the path of the file for the state; undefined for a state in memory. */
async function dataFileFor({ world: { cwd, stateDir } }: Context, options: Options): Promise<string | undefined> {
  if (options.ephemeral) return undefined
  if (options.data !== undefined) return dataFileAt(resolve(cwd, options.data))
  const { dataFileOf } = await import('../../sandbox/server/sandbox-client.ts')
  return dataFileOf(stateDir)
}

function readPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  throw usage(
    `--public-url “${text}” is not the address of a server`,
    'Use an address without a path, such as https://sandbox.example',
    'INVALID_PUBLIC_URL',
  )
}

function signalled(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
