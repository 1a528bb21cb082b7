import { randomBytes } from 'node:crypto'
import { openAppendFile } from '../disk/append-file.ts'
import type { Clock } from '../domain/clock.ts'
import { tellable } from '../errors.ts'
import type { Entry, RecordedDelivery, RecordedExchange } from './entries.ts'
import { lineOf } from './lines.ts'
import { createSanitiser, type RawMessage, type RawReply, type SanitiserOptions } from './sanitiser.ts'
import { tokenVerdict } from './token-verdict.ts'

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
  const common = (at: number) => ({ v: 1 as const, session, at: new Date(at).toISOString() })
  const written = { exchanges: 0, deliveries: 0 }
  let failure: unknown
  /** Returns an error when it first occurs. After that, nothing is written. */
  const append = (entry: Entry): unknown => {
    if (failure !== undefined) return undefined
    try {
      file.append(lineOf(entry))
    } catch (error) {
      failure = error
    }
    return failure
  }
  const write = (entry: Entry): void => {
    const error = append(entry)
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
      const clean = sanitiser.exchange(request, response)
      const token = clean.endpoint === 'startWidget' ? tokenVerdict(response?.body, at) : undefined
      const known = { ...verdicts, ...token }
      write({
        kind: 'exchange',
        ...common(at),
        by,
        ...clean,
        ...(ended === undefined ? {} : { ended }),
        ms: rounded(ms),
        ...(Object.keys(known).length === 0 ? {} : { verdicts: known }),
      })
    },
    delivery({ at, ms, request, status, signature, cutMs }) {
      written.deliveries++
      const clean = sanitiser.delivery(request)
      const cut = cutMs === undefined ? {} : { cutMs: rounded(cutMs) }
      const verdict = signature === undefined ? {} : { signature }
      write({ kind: 'delivery', ...common(at), ...clean, response: { status }, ms: rounded(ms), ...cut, ...verdict })
    },
    learnSecret: sanitiser.learnSecret,
    summary: () => ({ ...written, leftOut: sanitiser.leftOut() }),
    close() {
      const fields = sanitiser.leftOut()
      if (fields.length > 0) append({ kind: 'left-out', ...common(clock.now()), fields })
      try {
        file.close()
      } catch (error) {
        failure ??= error
      }
      if (failure !== undefined) throw failure
    },
  }
}

const rounded = (ms: number) => Math.round(ms * 1000) / 1000
