import { constants, fstatSync } from 'node:fs'
import type { Words } from '../language/patterns.ts'
import type { Secrets } from '../text/secrets.ts'

/** The streams of a command, with their properties as plain fields, so that commands never ask the system about them. */
export interface Io {
  /** Writes to stdout; resolves when the system has accepted the bytes. Throws `ClosedPipe` or an `output` error if writing fails. */
  out(text: string | Uint8Array): Promise<void>
  /** Writes to stderr at once. A failure to write there is not an error. */
  err(text: string): void
  stdin(): AsyncIterable<Uint8Array>
  stdinIsTty: boolean
  stdoutIsTty: boolean
  stderrIsTty: boolean
  /** Whether another program reads stdout. That program may write to the same terminal as this program. */
  stdoutIsPipe: boolean
  /** Width of the terminal in columns; 80 without a terminal. */
  columns: number
  /**
   * Whether lines on the terminal can be redrawn. They cannot with TERM=dumb, and in a CI system (CI is set), which keeps all lines as a
   * log.
   */
  redraws: boolean
  /**
   * Whether the terminal is read aloud or in braille (BNPL_ACCESSIBLE). Then nothing is redrawn, no colour is used, and each change is one
   * line.
   */
  accessible?: boolean
  /** Whether colours may be used on each stream, after NO_COLOR, FORCE_COLOR, TERM and --no-color were considered. */
  outColor: boolean
  errColor: boolean
  /** Returns a text in the language of the user. Set at the start of a command line, and English before that. */
  inLanguage?: Words
  /** The terminal's own streams, for the prompt library only. */
  tty?: { input: NodeJS.ReadStream; output: NodeJS.WriteStream }
}

/** Returns streams whose stderr masks the known secrets. Stdout is not changed here, because it may be a file or the answer of the service. */
export function hidingIo(io: Io, { hide }: Pick<Secrets, 'hide'>): Io {
  const err = { value: (text: string) => io.err(hide(text)), enumerable: true }
  // Copy getters as getters, because what they return may change.
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(io), err }) as Io
}

/** Yields the chunks of a stream. When the signal is aborted, throws the signal's reason instead of waiting for the next chunk. */
export async function* untilStopped(stream: NodeJS.ReadStream, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = () => stream.destroy(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    yield* stream
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Reads all of stdin. Returns undefined if there are more than `maxBytes`. */
export async function readAll(io: Pick<Io, 'stdin'>, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of io.stdin()) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

// Node has no constants for these two on Windows.
const PIPE = 0o010000
const SOCKET = 0o140000

/** Returns whether a file descriptor is connected with another program. Some shells use sockets for this, not pipes. */
export function isPipe(fd: number): boolean {
  try {
    // Node's own isFIFO and isSocket are always false on Windows.
    const type = fstatSync(fd).mode & constants.S_IFMT
    return type === PIPE || type === SOCKET
  } catch {
    return false
  }
}
