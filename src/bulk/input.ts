import { randomBytes } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { diskFailure } from '../disk/failure.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { BnplError, Interrupted, usage } from '../errors.ts'
import { usableWatch } from './text.ts'

/** A file of rows, open for as many passes as are needed. */
export interface Input {
  /** As it is called in messages: the file's name, or `stdin`. */
  name: string
  /** Absolute path; undefined for stdin and pipes. */
  path: string | undefined
  /** The bytes from the beginning, in blocks of one size but for the last; the memory behind a block is used again for the next one. */
  bytes(): AsyncGenerator<Uint8Array>
  /** Changes when the file was written to since it was opened. */
  version(): Promise<string>
  close(): Promise<void>
}

const BLOCK_BYTES = 64 * 1024

/** Most that is taken from a pipe: ten million rows of the usual length. One that never ends must not fill the disk. */
const MAX_SPOOL_BYTES = 1024 ** 3

export interface Surroundings {
  cwd: string
  /** Where that file is made (mode 0600, and gone from the folder as soon as it is open). */
  spoolDir: string
  stdin: () => AsyncIterable<Uint8Array>
  /** Ends the wait for a pipe that nobody writes into. */
  signal: AbortSignal
  maxSpoolBytes?: number
  /** Size of a block (64 KiB). */
  blockBytes?: number
}

/**
 * Opens `--from`. What can be read only once (stdin for `-`, a pipe) is first put into a file that only this process can see.
 * Throws `usage` when there is no such file or a pipe brings more than 1 GiB, `output` when there is no room for it.
 */
export async function openInput(from: string, where: Surroundings): Promise<Input> {
  if (from === '-') return spooled(where.stdin(), 'stdin', where)
  const path = resolve(where.cwd, from)
  const name = basename(path)
  let handle: FileHandle | undefined
  try {
    handle = await unlessStopped(open(path, 'r'), where.signal)
    const stat = await handle.stat()
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    if (stat.isFile()) return fromHandle(handle, name, path, where.blockBytes)
  } catch (error) {
    await handle?.close()
    throw error instanceof Interrupted ? error : unreadable(from, error)
  }
  return spooled(pieces(handle, where.signal), name, where)
}

/** What a pipe brings. After a signal nobody waits for it, nor for its end, which could be never. */
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

/** What the work comes to; rejects with the signal's reason when that comes first. */
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
  const code = (error as { code?: string }).code
  const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(code)
  return usage(`--from ${from} cannot be read: ${why}`, undefined, 'INPUT_UNREADABLE')
}

async function spooled(source: AsyncIterable<Uint8Array>, name: string, where: Surroundings): Promise<Input> {
  const { spoolDir, maxSpoolBytes = MAX_SPOOL_BYTES } = where
  const handle = await kept(name, spoolDir, openSpool(spoolDir))
  try {
    const isUsable = usableWatch()
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxSpoolBytes) throw tooMuch(name, maxSpoolBytes)
      await kept(name, spoolDir, handle.writeFile(chunk))
      if (!isUsable(chunk)) break
    }
  } catch (error) {
    await handle.close()
    throw error
  }
  return fromHandle(handle, name, undefined, where.blockBytes)
}

async function openSpool(dir: string): Promise<FileHandle> {
  makeFolder(dir, 0o700)
  const path = join(dir, `.rows-${randomBytes(8).toString('hex')}`)
  const handle = await open(path, 'wx+', 0o600)
  // From here on the rows are in no folder: whatever happens to this process, nothing of them stays behind.
  await unlink(path)
  return handle
}

async function kept<T>(name: string, dir: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { kind, message } = diskFailure(
      `the rows of ${name} could not be kept in ${dir} while they are checked`,
      error,
    )
    throw new BnplError(kind, message, {
      code: 'SPOOL_FAILED',
      cause: error,
      hint: 'Nothing was sent. A file given with --from FILE needs no room there.',
    })
  }
}

function tooMuch(name: string, bytes: number): BnplError {
  return usage(
    `${name} is longer than ${bytes / 1024 ** 3} GiB, the most that is taken from a pipe`,
    'Nothing was sent. If it ends at all, write it into a file and give that with --from FILE.',
    'INPUT_TOO_LARGE',
  )
}

function fromHandle(handle: FileHandle, name: string, path: string | undefined, blockBytes = BLOCK_BYTES): Input {
  const read = (into: Buffer, position: number) => {
    const reading = filled(handle, into, position).catch((error: unknown) => {
      throw unreadable(name, error)
    })
    // It may fail while the block before it is still being used: the reader is told when it asks for the next one.
    reading.catch(() => {})
    return reading
  }
  return {
    name,
    path,
    async *bytes() {
      // The next block is read while this one is used.
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

/** Fills a buffer from a place in a file. @returns the bytes that are there: fewer than fit only at the file's end */
async function filled(handle: FileHandle, into: Buffer, position: number): Promise<number> {
  let size = 0
  while (size < into.length) {
    const { bytesRead } = await handle.read(into, size, into.length - size, position + size)
    if (bytesRead === 0) break
    size += bytesRead
  }
  return size
}
