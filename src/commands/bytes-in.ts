import { close, open, read } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Context } from '../context.ts'
import { codeOf, usage } from '../errors.ts'
import { readAll } from '../terminal/io.ts'
import { utf8Of, whyUnreadable } from '../text/file-text.ts'

/** Reads a file that the user named, or stdin for `-`. Throws `usage` when it cannot be read or is larger than `maxBytes`. */
export async function readBytes(context: Context, file: string, maxBytes: number): Promise<Buffer> {
  const bytes =
    file === '-' ? await readAll(context.io, maxBytes) : await readNamed(resolve(context.world.cwd, file), maxBytes)
  if (bytes !== undefined) return bytes
  throw usage(`${file === '-' ? 'stdin' : file} is larger than ${maxBytes} bytes`, undefined, 'FILE_TOO_LARGE')
}

/**
 * Reads a file of text (JSON or a form) as UTF-8 bytes without a byte order mark. Throws `usage` as `readBytes` does, and for a text that is
 * neither UTF-8 nor UTF-16.
 */
export async function readTextBytes(context: Context, file: string, maxBytes: number): Promise<Buffer> {
  return asText(file, await readBytes(context, file, maxBytes))
}

/** Returns the UTF-8 bytes of a text file. Throws `usage` for a text that is neither UTF-8 nor UTF-16. */
export function asText(file: string, bytes: Buffer): Buffer {
  const text = utf8Of(bytes)
  if (text !== undefined) return text
  throw usage(
    `${file === '-' ? 'stdin' : file} is neither UTF-8 nor UTF-16 text`,
    'Save the file as UTF-8.',
    'INVALID_FILE',
  )
}

async function readNamed(path: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    return await readFileUpTo(path, maxBytes)
  } catch (error) {
    throw usage(`${path} cannot be read: ${whyUnreadable(codeOf(error))}`, undefined, 'FILE_UNREADABLE')
  }
}

/** Reads a file. Returns undefined if it has more than `maxBytes`. Throws the error of the system. */
export async function readFileUpTo(path: string, maxBytes: number): Promise<Buffer | undefined> {
  // Node needs 1 ms more to load `node:fs/promises`, and many commands that can read a file read none.
  const fd = await promisify(open)(path, 'r')
  try {
    return await readUpTo(fd, maxBytes)
  } finally {
    await promisify(close)(fd)
  }
}

/** Reads an open file to its end. Returns undefined as soon as there are more than `maxBytes`. Throws the error of the system. */
export async function readUpTo(fd: number, maxBytes: number): Promise<Buffer | undefined> {
  const buffer = Buffer.alloc(maxBytes + 1)
  let length = 0
  for (;;) {
    const { bytesRead } = await promisify(read)(fd, buffer, length, buffer.length - length, null)
    length += bytesRead
    if (bytesRead === 0) return buffer.subarray(0, length)
    if (length > maxBytes) return undefined
  }
}
