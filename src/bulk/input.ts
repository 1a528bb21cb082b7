import { type FileHandle, open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type BnplError, codeOf, Interrupted, usage } from '../errors.ts'
import { whyUnreadable } from '../text/file-text.ts'
import { type SpoolPlace, spoolRows } from './spool.ts'

export interface Input {
  name: string
  /** Absolute path. Undefined for stdin and pipes. */
  path: string | undefined
  /** The encoding that the user named, as `TextDecoder` knows it. Undefined for UTF-8. */
  encoding?: string | undefined
  /** Reads the file from the beginning, in blocks. Use a block before you ask for the next one, which may overwrite it. */
  bytes(): AsyncGenerator<Uint8Array>
  /** Returns a text that is different after each change of the file. */
  version(): Promise<string>
  close(): Promise<void>
}

const BLOCK_BYTES = 64 * 1024

interface InputPlace extends SpoolPlace {
  cwd: string
  stdin: () => AsyncIterable<Uint8Array>
  /** Aborted to stop the wait for a pipe that has no writer. */
  signal: AbortSignal
  encoding?: string | undefined
  blockBytes?: number
}

/**
 * Opens the file that `--from` names. Stdin (`-`) or a pipe is first copied to a temporary file. Throws `usage` when the file cannot be
 * read or a pipe delivers more than 1 GiB, and `output` when the disk has no room for the copy.
 */
export async function openInput(from: string, place: InputPlace): Promise<Input> {
  if (from === '-') return spooled(place.stdin(), 'stdin', place)
  const path = resolve(place.cwd, from)
  const name = basename(path)
  let handle: FileHandle | undefined
  try {
    handle = await unlessStopped(open(path, 'r'), place.signal)
    const stat = await handle.stat()
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    if (stat.isFile()) return fromHandle(handle, name, path, place)
  } catch (error) {
    await handle?.close()
    throw error instanceof Interrupted ? error : unreadable(from, error)
  }
  return spooled(pieces(handle, place.signal), name, place)
}

async function spooled(source: AsyncIterable<Uint8Array>, name: string, place: InputPlace): Promise<Input> {
  return fromHandle(await spoolRows(source, name, place), name, undefined, place)
}

async function* pieces(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES)
  try {
    for (;;) {
      const { bytesRead } = await unlessStopped(handle.read(buffer, 0, BLOCK_BYTES, null), signal)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    const closing = handle.close()
    if (!signal.aborted) await closing
  }
}

async function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function unreadable(from: string, error: unknown): BnplError {
  return usage(`--from ${from} cannot be read: ${whyUnreadable(codeOf(error))}`, undefined, 'INPUT_UNREADABLE')
}

function fromHandle(
  handle: FileHandle,
  name: string,
  path: string | undefined,
  { blockBytes = BLOCK_BYTES, encoding }: InputPlace,
): Input {
  const read = (into: Buffer, position: number) => {
    const reading = filled(handle, into, position).catch((error: unknown) => {
      throw unreadable(name, error)
    })
    // The caller gets a read error when it asks for the next block. Without this line, Node would first report an unhandled rejection.
    reading.catch(() => {})
    return reading
  }
  return {
    name,
    path,
    encoding,
    async *bytes() {
      let [buffer, other] = [Buffer.allocUnsafe(blockBytes), Buffer.allocUnsafe(blockBytes)]
      let position = 0
      let reading = read(buffer, position)
      try {
        for (;;) {
          const size = await reading
          if (size === 0) return
          position += size
          const ready = buffer.subarray(0, size)
          ;[buffer, other] = [other, buffer]
          reading = read(buffer, position)
          yield ready
        }
      } finally {
        await reading.catch(() => {})
      }
    },
    async version() {
      const { size, mtimeNs } = await handle.stat({ bigint: true })
      return `${size}/${mtimeNs}`
    },
    close: () => handle.close(),
  }
}

async function filled(handle: FileHandle, into: Buffer, position: number): Promise<number> {
  let size = 0
  while (size < into.length) {
    const { bytesRead } = await handle.read(into, size, into.length - size, position + size)
    if (bytesRead === 0) break
    size += bytesRead
  }
  return size
}
