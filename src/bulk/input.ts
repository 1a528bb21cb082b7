import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { diskFailure } from '../disk/failure.ts'
import { makeFolder } from '../disk/private.ts'
import { BnplError, codeOf, config, Interrupted, usage } from '../errors.ts'
import { whyUnreadable } from '../text/file-text.ts'
import { MAX_ROW_LENGTH } from './row.ts'

export interface Input {
  name: string
  /** Absolute path. Undefined for stdin and pipes. */
  path: string | undefined
  /** The encoding that the user named, as `TextDecoder` knows it. Undefined for UTF-8. */
  encoding?: string | undefined
  /** Reads the file from the beginning, in blocks. */
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
  return {
    name,
    path,
    encoding,
    async *bytes() {
      const read = async (position: number): Promise<Uint8Array> => {
        const block = Buffer.allocUnsafe(blockBytes)
        const { bytesRead } = await handle.read(block, 0, blockBytes, position).catch((error: unknown) => {
          throw unreadable(name, error)
        })
        return block.subarray(0, bytesRead)
      }
      let position = 0
      let reading = read(position)
      try {
        for (;;) {
          const block = await reading
          if (block.length === 0) return
          position += block.length
          // Read the next block while the caller uses this one. The caller gets a read error when it asks for the next block.
          reading = read(position)
          reading.catch(() => {})
          yield block
        }
      } finally {
        await reading.catch(() => {})
      }
    },
    async version() {
      // A program can set `mtime` back after a change, but not `ctime`.
      const { size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true })
      return `${size}/${mtimeNs}/${ctimeNs}`
    },
    close: () => handle.close(),
  }
}

/** Without this limit, a pipe that never ends would fill the disk. */
const MAX_SPOOL_BYTES = 1024 ** 3

interface SpoolPlace {
  spoolDir: string
  maxSpoolBytes?: number
  /** The encoding of the text, as `TextDecoder` knows it. Undefined for UTF-8. */
  encoding?: string | undefined
}

/**
 * Copies an input, which can be read only once, into a temporary file, and returns this file. Throws `usage` for more than 1 GiB, and
 * `output` when there is no room.
 * @param name the name of the source in messages
 */
export async function spoolRows(
  source: AsyncIterable<Uint8Array>,
  name: string,
  { spoolDir, maxSpoolBytes = MAX_SPOOL_BYTES, encoding }: SpoolPlace,
): Promise<FileHandle> {
  const handle = await kept(name, spoolDir, openSpool(spoolDir))
  try {
    const isUsable = usableWatch(encoding)
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxSpoolBytes) throw tooMuch(name, maxSpoolBytes)
      await kept(name, spoolDir, handle.writeFile(chunk))
      if (!isUsable(chunk)) break
    }
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openSpool(dir: string): Promise<FileHandle> {
  makeFolder(dir, 0o700)
  const path = join(dir, `.rows-${randomBytes(8).toString('hex')}`)
  const handle = await open(path, 'wx+', 0o600)
  // A file without a name disappears when this process ends, even if the process is killed.
  await unlink(path)
  return handle
}

async function kept<T>(name: string, dir: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { kind, message } = diskFailure(`the rows of ${name} could not be copied to ${dir}`, error)
    throw new BnplError(kind, message, {
      code: 'SPOOL_FAILED',
      cause: error,
      hint: 'Write the rows into a file and use --from FILE. bnpl reads a file directly, without a copy. Nothing was sent.',
    })
  }
}

function tooMuch(name: string, bytes: number): BnplError {
  return usage(
    `${name} is longer than ${bytes / 1024 ** 3} GiB, the maximum that bnpl reads from a pipe`,
    'If the input has an end, write it to a file and use --from FILE. Nothing was sent.',
    'INPUT_TOO_LARGE',
  )
}

const MAX_ROW_BYTES = MAX_ROW_LENGTH * 4

const NEWLINE = 10

/**
 * Returns a function to call with each piece of the input. It returns false after bytes that are not text in the encoding, or after a line
 * that is too long.
 */
export function usableWatch(encoding = 'utf-8'): (bytes: Uint8Array) => boolean {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let sinceNewline = 0
  return (bytes) => {
    const last = bytes.lastIndexOf(NEWLINE)
    sinceNewline = last === -1 ? sinceNewline + bytes.length : bytes.length - last - 1
    if (sinceNewline > MAX_ROW_BYTES) return false
    try {
      decoder.decode(bytes, { stream: true })
      return true
    } catch {
      return false
    }
  }
}

/** What a check read: no row is sent from any other content. */
export interface CheckedContent {
  /** SHA-256 of the whole content, in hex. */
  digest: string
  /** In bytes. */
  size: number
  /** `Input.version` before the check. */
  version: string
}

export interface CheckedInput extends Input {
  isUnchanged(): Promise<boolean>
}

/** Returns an input whose `bytes` throws `config` as soon as the file differs from the content that was checked. */
export function asChecked(input: Input, checked: CheckedContent): CheckedInput {
  let { version } = checked
  const isUnchanged = async () => {
    const now = await input.version()
    if (now === version) return true
    // A new time of change alone, as after `touch`, changes no row.
    const hash = createHash('sha256')
    for await (const bytes of input.bytes()) hash.update(bytes)
    if (hash.digest('hex') !== checked.digest) return false
    version = now
    return true
  }
  return {
    ...input,
    isUnchanged,
    async *bytes() {
      let size = 0
      for await (const bytes of input.bytes()) {
        if (!(await isUnchanged())) throw changed(input.name)
        size += bytes.length
        yield bytes
      }
      if (size !== checked.size) throw changed(input.name)
    },
  }
}

function changed(name: string) {
  return config(
    `${name} was changed during the run, so the run stopped before it sent a changed row`,
    'Run the command again when no program writes to the file. If some of its rows were sent, restore the old content first and add --resume.',
    'INPUT_CHANGED',
  )
}
