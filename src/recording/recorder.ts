import { randomBytes } from 'node:crypto'
import { openAppendFile } from '../disk/append-file.ts'
import type { Clock } from '../domain/clock.ts'
import { tellable } from '../errors.ts'
import { type Entry, isReadable, LONGEST_MS, lineOf, type RecordedDelivery, type RecordedExchange } from './lines.ts'
import { createSanitiser, type RawMessage, type RawReply, type SanitiserOptions } from './sanitiser.ts'
import { tokenVerdict } from './verdicts.ts'

const BEGINNING = '{"kind":"session","v":1,'

interface RecorderOptions extends Omit<SanitiserOptions, 'key' | 'now' | 'hosts' | 'words'> {
  path: string
  clock: Clock
  program: string
  /** The command as the user typed it, without options. */
  command: string
  environment: 'production' | 'beta' | 'sandbox' | 'unknown'
  baseUrl: string | undefined
  /** Further addresses of the service, such as that of the payment page. Their hosts are recorded unchanged. */
  addresses: readonly string[]
  /** Called with a text when the permissions of the file were corrected, and when the file can no longer be written. */
  warn(text: string): void
}

interface SeenExchange {
  by: RecordedExchange['by']
  /** Milliseconds since 1970. */
  at: number
  ms: number
  request: RawMessage
  response?: RawReply | undefined
  ended?: string | undefined
  verdicts?: RecordedExchange['verdicts']
}

interface SeenDelivery {
  at: number
  ms: number
  request: RawMessage
  status: number
  signature?: RecordedDelivery['signature']
  /** The ms from the complete request until the service closed the connection without waiting for the answer; undefined if it waited. */
  cutMs?: number | undefined
}

/** Writes one session of a recording. If a write fails, the recording ends but the command continues. `close` then throws the failure. */
export interface Recorder {
  exchange(seen: SeenExchange): void
  delivery(seen: SeenDelivery): void
  learnSecret(secret: string): void
  /** Returns how much was recorded, and how often the value of a field was left out because its meaning is unknown. */
  summary(): { exchanges: number; deliveries: number; leftOut: { where: string; count: number }[] }
  /** Ends the session. Throws `output` if something could not be written. */
  close(): void
}

/** Opens a recording and begins a session. Throws the errors of `openAppendFile` before any request is sent. */
export function openRecorder(options: RecorderOptions): Recorder {
  const { clock, path, baseUrl, warn } = options
  const file = openAppendFile(path, { beginning: BEGINNING, what: 'a recording of bnpl', notice: warn })
  const base = baseUrl === undefined ? undefined : new URL(baseUrl)
  const sanitiser = createSanitiser({
    ...options,
    key: randomBytes(32),
    now: clock.now,
    hosts: new Set([baseUrl, ...options.addresses].flatMap((url) => (url === undefined ? [] : [new URL(url).host]))),
    words: new Set(base?.pathname.split('/').filter(Boolean)),
  })
  const session = randomBytes(4).toString('hex')
  const common = (at: number) => ({ v: 1 as const, session, at: momentOf(at) })
  const written = { exchanges: 0, deliveries: 0 }
  let failure: unknown
  /** Returns an error when it first occurs. After that, nothing is written. */
  const append = (line: string): unknown => {
    if (failure !== undefined) return undefined
    try {
      file.append(line)
    } catch (error) {
      failure = error
    }
    return failure
  }
  /** Writes an entry. If `readRecording` would not accept the entry, `shortened` first makes the entry's messages smaller. */
  const write = (entryOf: (shorter: <Of extends RawMessage | RawReply>(message: Of) => Of) => Entry): void => {
    const line = lineOf(entryOf((message) => message))
    const error = append(isReadable(line) ? line : lineOf(entryOf(shortened)))
    if (error !== undefined) warn(`${tellable(error)}; nothing more is recorded, but the command continues`)
  }
  try {
    const { environment } = options
    const address = baseUrl === undefined ? undefined : sanitiser.address(baseUrl)
    file.append(
      lineOf({
        kind: 'session',
        ...common(clock.now()),
        program: options.program,
        command: options.command,
        environment,
        ...(address === undefined ? {} : { baseUrl: address }),
      }),
    )
  } catch (error) {
    file.close()
    throw error
  }
  return {
    exchange({ by, at, ms, request, response, ended, verdicts }) {
      written.exchanges++
      write((shorter) => {
        const clean = sanitiser.exchange(shorter(request), response && shorter(response))
        const token = clean.endpoint === 'startWidget' ? tokenVerdict(response?.body, at) : undefined
        const known = { ...verdicts, ...token }
        return {
          kind: 'exchange',
          ...common(at),
          by,
          ...clean,
          ...(ended === undefined ? {} : { ended }),
          ms: durationOf(ms),
          ...(Object.keys(known).length === 0 ? {} : { verdicts: known }),
        }
      })
    },
    delivery({ at, ms, request, status, signature, cutMs }) {
      written.deliveries++
      const cut = cutMs === undefined ? {} : { cutMs: durationOf(cutMs) }
      const verdict = signature === undefined ? {} : { signature }
      const times = { ms: durationOf(ms), ...cut }
      write((shorter) => {
        const clean = sanitiser.delivery(shorter(request))
        return { kind: 'delivery', ...common(at), ...clean, response: { status }, ...times, ...verdict }
      })
    },
    learnSecret: sanitiser.learnSecret,
    summary: () => ({ ...written, leftOut: sanitiser.leftOut() }),
    close() {
      const fields = sanitiser.leftOut()
      if (fields.length > 0) append(lineOf({ kind: 'left-out', ...common(clock.now()), fields }))
      try {
        file.close()
      } catch (error) {
        failure ??= error
      }
      if (failure !== undefined) throw failure
    },
  }
}

const durationOf = (ms: number) => Math.min(Math.max(0, Math.round(ms * 1000) / 1000), LONGEST_MS)

const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Returns a time in ISO 8601. Limits the time to the years 1970 to 9999, so that `readRecording` accepts the time even if the clock of this
 * machine is wrong.
 */
const momentOf = (at: number) => new Date(Math.min(Math.max(0, at), LATEST)).toISOString()

const MOST_HEADERS = 1000

/** Returns a message without the content of its body, and with fewer headers. */
function shortened<Of extends RawMessage | RawReply>(message: Of): Of {
  const { body, headers } = message
  const large = body instanceof Uint8Array && body.length > 0 ? { bytes: body.length } : body
  return { ...message, headers: headers.slice(0, MOST_HEADERS), body: large }
}
