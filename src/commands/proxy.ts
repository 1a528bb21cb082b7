import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { type Difference, headerIn } from '../contract/compare/exchange.ts'
import { PATH_SETTINGS } from '../contract/description.ts'
import { maskTarget } from '../domain/addresses.ts'
import { BnplError, config, usage } from '../errors.ts'
import { shownAddress } from '../http-server/address.ts'
import { knownAnswers } from '../profiles/resolve.ts'
import type { PassedExchange } from '../recording/proxy/watch.ts'
import { countOf, formatTime } from '../terminal/numbers.ts'
import type { Output } from '../terminal/output.ts'
import { writtenBefore } from '../terminal/standard-output.ts'
import { wrap } from '../terminal/wrap.ts'
import { maskWords } from '../text/masking.ts'
import { createSecrets, percentDecoded, type Secrets } from '../text/secrets.ts'
import { toJson, visible } from '../text/visible.ts'
import { type Command, type Define, examples, type OptionsOf } from './command.ts'
import { agree, isUnservedSandbox, nextCommand, refuseDryRun } from './global-options.ts'
import { LOG, logAsAsked, prepareLongRun, prepareReadyFile, type Stop, takeStop } from './long-run.ts'
import { readPort } from './option-values.ts'

interface ProxyPlan {
  port: number
  strict: boolean
  withKey: boolean
  readyFile: string | undefined
}

const addProxyOptions = (command: Command) =>
  command
    .option('--port <n>', 'port to listen on, for programs on this machine only; 0 for any free port', '4557')
    .option('--strict', 'answer 400 to a request that differs from the contract, and do not pass it on')
    .option('--with-key', 'add the key of the profile to the calls')
    .option('--ready-file <file>', 'write a JSON line to this file when the proxy listens')
    .option(...LOG)

/** Checks the options of `proxy`. Throws `usage`. */
function readProxyPlan(
  context: Context,
  { port, strict, withKey, readyFile, log }: OptionsOf<ReturnType<typeof addProxyOptions>>,
): ProxyPlan {
  refuseDryRun(context)
  logAsAsked(context, log)
  if (context.options.output === 'csv')
    throw usage('bnpl proxy cannot write CSV', 'Remove --output, or use --json for lines of JSON.')
  return { port: readPort('--port', port), strict: strict === true, withKey: withKey === true, readyFile }
}

export const define: Define = (command, act) => {
  addProxyOptions(command).action(
    act(async (context, options) => {
      const plan = readProxyPlan(context, options)
      await runProxy(context, plan)
    }),
  )
  command.addHelpText(
    'after',
    `
Configure the proxy's address in your program instead of the service's.
Headers and bodies pass unchanged in both directions, except for the Host
header (and the key, with --with-key). If the service's address has a path, the
proxy puts it before the path of each call. The proxy never repeats a call and
never invents an answer. If the service does not answer a call, the program
gets no answer either. The proxy itself answers only to refuse a request: if
the request is addressed to another host or is not valid HTTP, if it differs
from the contract (with --strict), or if a page in a browser sent it (with
--with-key). While a sandbox runs on this machine, its window also lists these
calls, but not their contents.`,
  )
  examples(command, [
    ['pass calls between your program and the service of the profile', 'bnpl proxy'],
    [
      'in a test: refuse requests that differ from the contract; print JSON lines',
      'bnpl proxy --strict --port 0 --ready-file ready.json --json',
    ],
    ['pass calls of a program that has no key, and add the key of the profile', 'bnpl proxy --with-key'],
  ])
}

/** When the proxy ends, it first waits this long for the calls in progress, and then as long for the program that reads stdout. In ms. */
const END_MS = 3000

/** Runs the proxy until a signal arrives or the output cannot be written. Then throws `Interrupted` or the error of the output. */
async function runProxy(context: Context, plan: ProxyPlan): Promise<void> {
  const { world, output, clock } = context
  prepareLongRun(world)
  await context.untraced()
  const service = await serviceOf(context, plan.withKey)
  const stop = takeStop(world)
  context.onClose(async () => stop.release())
  const readyFile =
    plan.readyFile === undefined ? undefined : await prepareReadyFile(world.cwd, plan.readyFile, world.isAlive)
  const recorder = await context.recorder()
  const printed = printer(context)
  // Wait until the lines are printed. The wait has an end, because the program that reads stdout may have stopped reading.
  context.onClose(() => Promise.race([printed.done(), untilAborted(endingOf(stop))]))
  const inWindow = await showInWindow(context, service.baseUrl)
  context.onClose(inWindow.end)
  const [{ PROXY_HOST, serveProxy }, { plainBody }] = await Promise.all([
    import('../recording/proxy/serve.ts'),
    import('../recording/proxy/watch.ts'),
  ])
  const record = ({ at, ms, request, response, ended }: PassedExchange) => {
    // Do not record a request that the proxy refused (--strict), because the service did not receive it.
    if (response === undefined && ended === undefined) return
    const withBody = <Of extends PassedExchange['request'] | NonNullable<PassedExchange['response']>>(half: Of) => ({
      ...half,
      body: plainBody(half.bytes, half.size, half.headers),
    })
    recorder?.exchange({
      by: 'proxy',
      at,
      ms,
      request: withBody(request),
      response: response && withBody(response),
      ended,
    })
  }
  const door = await serveProxy({
    ...service,
    port: plan.port,
    strict: plan.strict,
    env: world.env,
    clock,
    passed(exchange) {
      record(exchange)
      inWindow.add(exchange)
      return printed.add(exchange)
    },
    onFailure: (error) => stop.now(error instanceof Error ? error : new Error(String(error))),
    notHttp: notHttpNotes(context),
  })
  context.onClose(() => door.close(endingOf(stop)))
  context.onClose(async () => readyFile?.remove())
  await readyFile?.clear()
  const url = shownAddress(PROXY_HOST, door.port)
  await readyFile?.write(`${toJson({ url, pid: world.pid })}\n`)
  output.note(`${url} passes calls on to ${service.baseUrl}. Use ${url} in your program. Ctrl-C ends the proxy.`)
  const reason = await stop.wanted
  if (reason) throw reason
}

/** Returns a signal that ends the wait for calls in progress or for lines: after 3 s, or at the second signal of the user. */
const endingOf = (stop: Stop) => AbortSignal.any([stop.atOnce, AbortSignal.timeout(END_MS)])

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

async function serviceOf(context: Context, withKey: boolean) {
  const { baseUrl, apiKey, service, environment, profile } = await context.settings()
  if (baseUrl === undefined)
    throw config('no service is chosen', 'Name a profile with -p, or set BNPL_BASE_URL.', 'NO_PROFILE')
  if (await isUnservedSandbox(context))
    throw config(
      'no sandbox is running, so the proxy has no address to pass calls on to',
      'Start a sandbox: bnpl sandbox start',
      'NO_SANDBOX',
    )
  if (withKey && apiKey === undefined)
    throw config(
      '--with-key adds the key of the profile to the calls, but no key is set',
      `Set a key: ${nextCommand(context, 'bnpl profiles set-key')}`,
      'NO_KEY',
    )
  if (environment.value === 'production') {
    const profileAndHost = `profile ${profile?.value} (${new URL(baseUrl.value).host})`
    context.output.alert('PRODUCTION', profileAndHost)
    if (withKey)
      await agree(
        context,
        `Let every program on this machine make calls with the key of the production ${profileAndHost}?`,
      )
  }
  return {
    baseUrl: baseUrl.value,
    apiKey: withKey ? apiKey?.value : undefined,
    paths: knownAnswers(service, PATH_SETTINGS),
    description: service,
  }
}

/** How many exchanges may wait to be printed. Further exchanges are not printed, but counted. */
const MOST_LINES = 1000

/**
 * Returns functions that print exchanges. Exchanges that are added in one turn of the event loop are written together. If stdout is full or
 * not read, the proxy continues, and says later how many exchanges were not printed. Only a closed pipe is an error.
 */
function printer({ world, io, output }: Context): {
  add(exchange: PassedExchange): Promise<void>
  done(): Promise<void>
} {
  let waiting: Buffer[] = []
  /** The rest of an exchange of which only a part could be written. */
  let torn: Buffer = Buffer.alloc(0)
  let missing = 0
  let isFailing = false
  let last = Promise.resolve()
  const failed = ([first = torn, ...others]: readonly Buffer[], written: number): void => {
    torn = first.subarray(written)
    let left = Math.max(0, written - first.length)
    for (const entry of others) {
      if (left > 0 && left < entry.length) torn = entry.subarray(left)
      else if (left === 0) missing++
      left = Math.max(0, left - entry.length)
    }
  }
  const write = async (before: Promise<void>): Promise<void> => {
    await before
    await nextTurn()
    const block = [torn, ...waiting]
    waiting = []
    try {
      await io.out(torn.length === 0 ? block.join('') : Buffer.concat(block))
    } catch (error) {
      if (!(error instanceof BnplError)) throw error
      failed(block, writtenBefore(error))
      if (!isFailing) output.warn(`calls cannot be printed (${error.message}). The proxy still passes them on`)
      isFailing = true
      return
    }
    torn = Buffer.alloc(0)
    if (missing > 0)
      output.warn(`${countOf(missing, 'call')} could not be printed, because stdout was full or not read`)
    isFailing = false
    missing = 0
  }
  return {
    add(exchange) {
      if (waiting.length >= MOST_LINES) {
        missing++
        return Promise.resolve()
      }
      const first = waiting.length === 0
      const text = output.forPeople
        ? exchangeLines(exchange, world.secrets, output)
        : `${toJson(recordOf(exchange, world.secrets))}\n`
      waiting.push(Buffer.from(text))
      if (first) last = write(last)
      return last
    },
    // A failed write has already ended the proxy, so its error is not thrown again.
    done: () => last.catch(() => {}),
  }
}

function notHttpNotes({ output }: Context): (isTls: boolean) => void {
  const said = new Set<boolean>()
  return (isTls) => {
    if (said.has(isTls)) return
    said.add(isTls)
    output.warn(
      isTls
        ? 'a connection was closed because the program used TLS; give the program the address with http://, not https://'
        : 'a connection was closed because the program does not speak HTTP/1',
    )
  }
}

interface ExchangeRecord {
  /** ISO 8601, UTC. */
  at: string
  endpoint: string | null
  method: string
  /** The path below the base address, with personal data and secrets masked. */
  path: string
  /** The status of the answer; null when no answer arrived. */
  status: number | null
  ms: number
  problems: readonly Difference[]
}

/**
 * Returns the fields that are printed for an exchange. They show only the method and the masked path of the request.
 * @param secrets the secrets that this run knows. The key of the request itself is masked too
 */
function recordOf({ at, ms, request, status, compared }: PassedExchange, secrets: Secrets): ExchangeRecord {
  const key = /^\s*\S+\s+(.+)$/.exec(headerIn(request.headers, 'authorization') ?? '')?.[1]
  const ofProgram = createSecrets(key)
  return ofProgram.hideIn(
    secrets.hideIn({
      at: new Date(at).toISOString(),
      endpoint: compared.endpoint,
      method: request.method,
      path: pathShown(ofProgram.hide(secrets.hide(request.path))),
      status,
      ms: Math.round(ms * 10) / 10,
      problems: compared.problems,
    }),
  )
}

/** Returns a masked path. In its query, a value is shown only if it is a number of up to four digits, such as a page number. */
function pathShown(path: string): string {
  const [before = '', query] = path.split('?', 2)
  const shown = maskTarget(before)
  if (query === undefined) return shown
  const fields = query.split('&').map((field) => {
    const [name = '', value] = field.split('=', 2)
    if (value === undefined) return maskWords(percentDecoded(name))
    return `${maskWords(percentDecoded(name))}=${/^\d{0,4}$/.test(value) ? value : '••••'}`
  })
  return `${shown}?${fields.join('&')}`
}

const INDENT = 15

/** How the program or the proxy, and not the service, ended an exchange. Such an end is not a difference from the contract. */
const ENDS: Readonly<Record<string, string>> = {
  aborted: 'the program disconnected',
  stopped: 'the proxy closed the connection',
}

/**
 * Returns the lines that a terminal shows for an exchange: the call, then its differences from the contract.
 */
function exchangeLines(
  exchange: PassedExchange,
  secrets: Secrets,
  { style, width, inLanguage }: Pick<Output, 'style' | 'width' | 'inLanguage'>,
): string {
  const { at, endpoint, method, path, status, ms, problems } = recordOf(exchange, secrets)
  const answer = status === null ? '-' : String(status)
  const isGood = status !== null && status < 400
  const time = style.dim(formatTime(at).slice(-8))
  const call = endpoint === null ? '' : `${endpoint}  `
  const first = `${time}  ${(isGood ? style.green : style.red)(answer.padEnd(3))}  ${style.bold(call)}${visible(`${method} ${path}`)}  ${style.dim(`${Math.round(ms)} ms`)}`
  const others = problems.map(
    (problem) =>
      `${' '.repeat(INDENT)}${style.yellow('!')} ${wrap(inLanguage(visible(inWords(problem))), width - INDENT - 2, ' '.repeat(INDENT + 2))}`,
  )
  const end = exchange.ended === undefined ? undefined : ENDS[exchange.ended]
  const cut = end === undefined ? [] : [`${' '.repeat(INDENT)}${style.dim(inLanguage(`${end} before the answer`))}`]
  return [first, ...others, ...cut].map((line) => `${line}\n`).join('')
}

const inWords = ({ where, expected, seen }: Difference) => `${where}: ${seen}; expected ${expected}`

const GATHER_MS = 200
const LOOK_MS = 3000
/** The maximum number of exchanges that wait to be sent. While so many wait, new exchanges are dropped. */
const WAITING = 1000

/**
 * Returns an object that sends exchanges to the window of a running sandbox. The proxy never waits for the sandbox.
 * @param service the address of the service. If the running sandbox is this service, it already lists the calls, so nothing is sent
 */
async function showInWindow({ world, clock, output }: Context, service: string) {
  const [{ readRunning, isAnswering }, { controlOver }, { createNetwork }, { PASSED_AT_ONCE }] = await Promise.all([
    import('../sandbox/server/running.ts'),
    import('../sandbox/server/sandbox-client.ts'),
    import('../client/network.ts'),
    import('../sandbox/service/controls/passed.ts'),
  ])
  const { transport, close } = createNetwork({ env: {} })
  const host = new URL(service).host
  let waiting: PassedExchange[] = []
  let timer: NodeJS.Timeout | undefined
  let work = Promise.resolve()
  let lookedAt = Number.NEGATIVE_INFINITY
  let control: ReturnType<typeof controlOver> | undefined

  const look = async () => {
    if (control || clock.monotonic() - lookedAt < LOOK_MS) return
    lookedAt = clock.monotonic()
    const running = await readRunning(world.stateDir)
    if (running === undefined || new URL(running.baseUrl).host === host || !(await isAnswering(running))) return
    control = controlOver(transport, running.baseUrl, running.controlToken, world.signal)
    output.note(`These calls are also listed in the window of the sandbox: bnpl sandbox open`)
  }
  const send = async () => {
    await look()
    const now = clock.now()
    const given = waiting.splice(0)
    for (let from = 0; control && from < given.length; from += PASSED_AT_ONCE) {
      const exchanges = given.slice(from, from + PASSED_AT_ONCE).map((exchange) => {
        const { at: _, ...shown } = recordOf(exchange, world.secrets)
        return { ...shown, agoMs: Math.max(0, Math.round(now - exchange.at)) }
      })
      await control('passed', { service: host, exchanges })
    }
  }
  /** If sending fails, a running sandbox is searched for again before the next exchanges are sent. */
  const flush = () => {
    timer = undefined
    work = work.then(send).catch(() => {
      control = undefined
    })
  }
  return {
    add(exchange: PassedExchange): void {
      if (waiting.length === WAITING) return
      waiting.push(exchange)
      timer ??= setTimeout(flush, GATHER_MS)
    },
    async end() {
      clearTimeout(timer)
      if (waiting.length > 0) flush()
      await work
      waiting = []
      await close()
    },
  }
}
