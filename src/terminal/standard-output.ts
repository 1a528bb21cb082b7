import { writeSync } from 'node:fs'
import { ClosedPipe, codeOf } from '../errors.ts'
import { type Io, isPipe } from './io.ts'
import { outputFailed } from './output.ts'

interface Place {
  fd: number
  /** Node's stream. It is created on first use, because Node loads modules for it, and this would make every start slower. */
  open(): NodeJS.WriteStream
  isTerminal(): boolean
}

/** Every pipe has room for at least this many bytes, also on macOS. Writing more could block the process until another program reads. */
const PIPE_BYTES = 16 * 1024

/** How long an interrupted process still waits for the program that reads stdout, in ms. */
const UNREAD_MS = 3000

/** If nobody reads stderr, at most about this many bytes wait in memory. What is written after that is dropped. */
const MOST_WAITING_BYTES = 1024 * 1024

/**
 * Returns a function that writes to stdout. A slow reader does not block the process. After a signal, the function waits at most 3 s for the
 * reader, and then throws the reason of the signal.
 * @param waits called before the function waits for the stream
 */
export function createStdout(place: Place, signal: () => AbortSignal, waits: () => void): Io['out'] {
  let failure: Error | undefined
  const writer = createWriter(place, (error) => {
    failure ??= error
  })
  const failed = (error: unknown) => (codeOf(error) === 'EPIPE' ? new ClosedPipe() : outputFailed(error))
  const viaStream = (data: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      const cancel = afterSignal(signal(), UNREAD_MS, (reason) => {
        failure = reason
        reject(reason)
      })
      writer.stream().write(data, (error) => {
        cancel()
        if (!error) return resolve()
        failure ??= error
        reject(failed(error))
      })
    })
  return async (data) => {
    if (data.length === 0) return
    const bytes = typeof data === 'string' ? Buffer.from(data) : data
    let rest: Uint8Array | undefined
    try {
      rest = writer.direct(bytes)
    } catch (error) {
      throw failed(error)
    }
    if (rest === undefined) return
    waits()
    if (failure) throw failure === signal().reason ? failure : failed(failure)
    await viaStream(rest)
  }
}

/** Returns a function that writes to stderr, and the stream for the prompt library. A failure to write is not an error. */
export function createStderr(place: Place): { err: Io['err']; stream(): NodeJS.WriteStream } {
  const { direct, stream } = createWriter(place, () => {})
  return {
    err(text) {
      try {
        const rest = direct(Buffer.from(text))
        if (rest !== undefined && stream().writableLength < MOST_WAITING_BYTES) stream().write(rest)
      } catch {} // Nothing reads the pipe any more.
    },
    stream,
  }
}

/**
 * Returns `stream`, which creates the stream on first use, and `direct`, which writes without it, because creating the stream takes several
 * milliseconds. `direct` writes nothing to a terminal, nothing after the stream was created, and at most `PIPE_BYTES` in total into a pipe.
 * It returns the data that the stream must still write, and throws the error of the system.
 */
function createWriter({ fd, open, isTerminal }: Place, onError: (error: Error) => void) {
  let stream: NodeJS.WriteStream | undefined
  let written = 0
  let toPipe: boolean | undefined
  return {
    stream() {
      stream ??= open().on('error', onError)
      return stream
    },
    direct(data: Uint8Array): Uint8Array | undefined {
      if (stream !== undefined || isTerminal()) return data
      written += data.length
      if (written > PIPE_BYTES) toPipe ??= isPipe(fd)
      return toPipe ? data : writeNow(fd, data)
    },
  }
}

/** Returns the part that did not fit into a non-blocking pipe; undefined when everything was written. */
function writeNow(fd: number, data: Uint8Array): Uint8Array | undefined {
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

/**
 * Calls `act` with the reason of the signal, `ms` after the signal is aborted, or `ms` from now if the signal is already aborted.
 * Returns a function that cancels this.
 */
function afterSignal(signal: AbortSignal, ms: number, act: (reason: Error) => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    timer = setTimeout(act, ms, signal.reason)
  }
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return () => {
    signal.removeEventListener('abort', begin)
    clearTimeout(timer)
  }
}
