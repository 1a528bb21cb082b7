import type { Context } from '../context.ts'
import { type Difference, headerIn } from '../contract/compare/exchange.ts'
import { maskTarget } from '../domain/shown-target.ts'
import type { PassedExchange } from '../recording/proxy/watch.ts'
import { formatTime } from '../terminal/numbers.ts'
import type { Output } from '../terminal/output.ts'
import { wrap } from '../terminal/wrap.ts'
import { maskWords } from '../text/masking.ts'
import { createSecrets, percentDecoded, type Secrets } from '../text/secrets.ts'
import { visible } from '../text/visible.ts'

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
export function recordOf({ at, ms, request, status, compared }: PassedExchange, secrets: Secrets): ExchangeRecord {
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
export function exchangeLines(
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

interface InWindow {
  add(exchange: PassedExchange): void
  end(): Promise<void>
}

/**
 * Returns an object that sends exchanges to the window of a running sandbox. The proxy never waits for the sandbox.
 * @param service the address of the service. If the running sandbox is this service, it already lists the calls, so nothing is sent
 */
export async function showInWindow({ world, clock, output }: Context, service: string): Promise<InWindow> {
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
    add(exchange) {
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
