import { randomBytes } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { diskFailure } from '../disk/failure.ts'
import { makeFolder } from '../disk/private.ts'
import { BnplError, usage } from '../errors.ts'
import { MAX_ROW_LENGTH } from './row.ts'

/** Without this limit, a pipe that never ends would fill the disk. */
const MAX_SPOOL_BYTES = 1024 ** 3

export interface SpoolPlace {
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
 * Returns a function to call with each piece of the input. It returns false after bytes that are not text in the encoding, or after a line that is too
 * long.
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
