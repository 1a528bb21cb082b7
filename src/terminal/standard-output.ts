import { accessSync, constants, openSync, readFileSync, readlinkSync, writeSync } from 'node:fs'
import { platform } from 'node:os'
import { ClosedPipe, codeOf } from '../errors.ts'
import { type Io, isPipe, outputFailed } from './output.ts'

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

/**
 * Returns a function that writes to stderr, and the stream for the prompt library. A failure to write is not an error. Text that cannot be
 * written is dropped. As soon as stderr can be written again, a line says how many lines are missing.
 * @param inLanguage translates this line. The language is chosen after stderr was created
 */
export function createStderr(
  place: Place,
  inLanguage: (text: string) => string,
): { err: Io['err']; stream(): NodeJS.WriteStream } {
  const { direct, stream } = createWriter(place, () => {})
  let missing = 0
  let isTorn = false
  const dropped = (text: string, written = 0) => {
    missing += text.split('\n').length - 1
    isTorn = written > 0
  }
  /** Returns the line about the missing lines, and forgets them; empty if no line is missing. */
  const gap = (): string => {
    if (missing === 0) return ''
    const text = `! ${missing} line${missing === 1 ? ' is' : 's are'} missing here, because stderr could not be written.`
    missing = 0
    return `${isTorn ? '\n' : ''}${inLanguage(text)}\n`
  }
  const viaStream = (bytes: Uint8Array): void => {
    const open = stream()
    if (open.write(bytes) || open.listenerCount('drain', moved) > 0) return
    open.once('drain', moved)
  }
  const moved = (): void => {
    const text = gap()
    if (text !== '') viaStream(Buffer.from(text))
  }
  const write = (text: string): void => {
    let rest: Uint8Array | undefined
    try {
      rest = direct(Buffer.from(text))
    } catch (error) {
      // For example, the disk is full, or nothing reads the pipe any more.
      dropped(text, writtenBefore(error))
      return
    }
    if (rest === undefined) return
    if (stream().writableLength < MOST_WAITING_BYTES) viaStream(rest)
    else dropped(text)
  }
  return {
    err(text) {
      // While the stream is full, `moved` reports the missing lines later.
      if (missing > 0 && !place.isTerminal()) write(gap())
      write(text)
    },
    stream,
  }
}

/**
 * Stops Node from waiting for a paused terminal (Ctrl-S, or a connection that is dead). By default, Node waits in each write to a terminal
 * on Linux and macOS, and meanwhile answers no request, handles no signal and runs no timer.
 */
export function withoutWaiting(stream: NodeJS.WriteStream, fd: number): NodeJS.WriteStream {
  const { _handle: handle } = stream as { _handle?: { setBlocking?(isBlocking: boolean): void } }
  if (stream.isTTY && platform() !== 'win32' && isOwnTerminal(fd)) handle?.setBlocking?.(false)
  return stream
}

/**
 * Whether Node could open the terminal again for itself. If not (after `su`), Node shares the open terminal with the shell, so its mode must
 * not be changed.
 */
function isOwnTerminal(fd: number): boolean {
  try {
    accessSync(readlinkSync(`/proc/self/fd/${fd}`), constants.W_OK)
    return true
  } catch (error) {
    return codeOf(error) === 'ENOENT' && platform() !== 'linux'
  }
}

/** Returns how many bytes of a text were written before its error. */
export function writtenBefore(error: unknown): number {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return typeof cause === 'object' && cause !== null && 'written' in cause ? Number(cause.written) : 0
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
  let fresh: number | undefined
  return {
    stream() {
      stream ??= open().on('error', onError)
      return stream
    },
    direct(data: Uint8Array): Uint8Array | undefined {
      if (stream !== undefined || isTerminal()) return data
      written += data.length
      toPipe ??= isPipe(fd)
      if (!toPipe) return writeNow(fd, data)
      if (written > PIPE_BYTES) return data
      fresh ??= openWithoutWaiting(fd)
      return writeNow(fresh, data)
    },
  }
}

/**
 * Opens a pipe again, so that a write returns at once even if the pipe was already full when this program started. Returns the same
 * descriptor where the system does not offer this.
 */
function openWithoutWaiting(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return fd
  }
}

/** Returns the part that did not fit into a non-blocking pipe; undefined when everything was written. */
function writeNow(fd: number, data: Uint8Array): Uint8Array | undefined {
  let written = 0
  while (written < data.length) {
    try {
      written += writeSync(fd, data, written)
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw Object.assign(error as Error, { written })
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
    timer = setTimeout(() => act(signal.reason), ms)
  }
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return () => {
    signal.removeEventListener('abort', begin)
    clearTimeout(timer)
  }
}

/** The bit of SIGHUP in a set of signals of Linux. */
const HUP_BIT = 1n
const WRITE_ONLY = 1

/**
 * Whether the program was started in a way that survives the end of its session: by `nohup`, or by a program that ignores SIGHUP itself.
 * Node resets every signal when it starts, so it cannot be asked. There are three signs, and the last two exist only on Linux:
 * - the shell that started `nohup` names it in the variable `_`;
 * - `nohup` opens /dev/null as a stdin that cannot be read;
 * - the parent process ignores SIGHUP, such as a script that `nohup` runs.
 */
export function survivesHangUp(env: Readonly<Record<string, string | undefined>>, parent: number): boolean {
  if (/(^|\/)nohup$/.test(env._ ?? '')) return true
  return hasUnreadableStdin() || ignoresHangUp(parent)
}

function hasUnreadableStdin(): boolean {
  const flags = /^flags:\s*0?(\d+)$/m.exec(read('/proc/self/fdinfo/0'))?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & 3) === WRITE_ONLY
}

function ignoresHangUp(pid: number): boolean {
  // The first process of a machine or a container adopts the children of programs that ended, and says nothing about their signals.
  if (pid === 1) return false
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(read(`/proc/${pid}/status`))?.[1]
  return ignored !== undefined && (BigInt(`0x${ignored}`) & HUP_BIT) !== 0n
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
