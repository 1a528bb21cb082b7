import { type Difference, headerIn } from '../../contract/compare/exchange.ts'
import { maskTarget } from '../../domain/shown-target.ts'
import type { PassedExchange } from '../../recording/proxy/watch.ts'
import { formatTime } from '../../terminal/numbers.ts'
import type { Style } from '../../terminal/output.ts'
import { wrap } from '../../terminal/wrap.ts'
import { maskWords } from '../../text/masking.ts'
import { createSecrets, type Secrets } from '../../text/secrets.ts'
import { visible } from '../../text/visible.ts'

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
export function recordOf({ at, ms, request, status, held }: PassedExchange, secrets: Secrets): ExchangeRecord {
  const key = /^\s*\S+\s+(.+)$/.exec(headerIn(request.headers, 'authorization') ?? '')?.[1]
  const ofProgram = createSecrets(key)
  return ofProgram.hideIn(
    secrets.hideIn({
      at: new Date(at).toISOString(),
      endpoint: held.endpoint,
      method: request.method,
      path: pathShown(ofProgram.hide(secrets.hide(request.path))),
      status,
      ms: Math.round(ms * 10) / 10,
      problems: held.problems,
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
    if (value === undefined) return maskWords(decoded(name))
    return `${maskWords(decoded(name))}=${/^\d{0,4}$/.test(value) ? value : '••••'}`
  })
  return `${shown}?${fields.join('&')}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const INDENT = 15

/** How the program or the proxy, and not the service, ended an exchange. Such an end is not a difference from the contract. */
const ENDS: Readonly<Record<string, string>> = {
  aborted: 'the program disconnected',
  stopped: 'the proxy closed the connection',
}

/**
 * Returns the lines that a terminal shows for an exchange: the call, then its differences from the contract.
 * @param width columns of the terminal
 */
export function exchangeLines(exchange: PassedExchange, secrets: Secrets, style: Style, width: number): string {
  const { at, endpoint, method, path, status, ms, problems } = recordOf(exchange, secrets)
  const answer = status === null ? '-' : String(status)
  const isGood = status !== null && status < 400
  const time = style.dim(formatTime(at).slice(-8))
  const call = endpoint === null ? '' : `${endpoint}  `
  const first = `${time}  ${(isGood ? style.green : style.red)(answer.padEnd(3))}  ${style.bold(call)}${visible(`${method} ${path}`)}  ${style.dim(`${Math.round(ms)} ms`)}`
  const others = problems.map(
    (problem) =>
      `${' '.repeat(INDENT)}${style.yellow('!')} ${wrap(visible(inWords(problem)), width - INDENT - 2, ' '.repeat(INDENT + 2))}`,
  )
  const end = exchange.ended === undefined ? undefined : ENDS[exchange.ended]
  const cut = end === undefined ? [] : [`${' '.repeat(INDENT)}${style.dim(`${end} before the answer`)}`]
  return [first, ...others, ...cut].map((line) => `${line}\n`).join('')
}

const inWords = ({ where, expected, seen }: Difference) => `${where}: ${seen}; expected ${expected}`
