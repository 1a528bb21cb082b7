import { writeSync } from 'node:fs'
import { codeOf } from '../errors.ts'

/**
 * The streams a command talks through, with what is known of them as plain fields: nothing here probes the machine.
 * `main.ts` makes one from the process; tests make one that returns what was written.
 */
export interface Io {
  /** Writes to stdout; resolves when the bytes were taken. Throws `ClosedPipe` or an `output` error when they cannot be. */
  out(text: string | Uint8Array): Promise<void>
  /** Writes to stderr at once. A failure to write there is not an error. */
  err(text: string): void
  /** stdin as bytes. */
  stdin(): AsyncIterable<Uint8Array>
  stdinIsTty: boolean
  stdoutIsTty: boolean
  stderrIsTty: boolean
  /** Width of the terminal in columns; 80 when there is none. */
  columns: number
  /** Whether what is on a terminal can be drawn over; one that calls itself dumb takes lines alone. */
  redraws: boolean
  /** Whether colours may be used on each stream (NO_COLOR, FORCE_COLOR, TERM and --no-color already looked at). */
  outColor: boolean
  errColor: boolean
  /** The terminal's own streams, for the prompt library only. */
  tty?: { input: NodeJS.ReadStream; output: NodeJS.WriteStream }
}

/** What a stream brings. A signal ends the wait for more, which may never come: then it throws the signal's reason. */
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

/** Everything from stdin, up to a limit. @returns undefined when there was more than `maxBytes` */
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

/**
 * Writes to a file or a pipe as its stream would, without the stream, which costs as much as a small command.
 * @returns what a pipe that does not block has no room for; undefined when everything was written. Throws what the system says
 */
export function writeNow(fd: number, data: Uint8Array): Uint8Array | undefined {
  let written = 0
  while (written < data.length) {
    try {
      written += writeSync(fd, data, written)
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error
      return data.subarray(written)
    }
  }
  return undefined
}
