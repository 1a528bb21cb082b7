import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type BnplError, config, usage } from '../errors.ts'
import { usableWatch } from './text.ts'

/** A file of rows, open for as many passes as are needed. */
export interface Input {
  /** As it is called in messages: the file's name, or `stdin`. */
  name: string
  /** Absolute path; undefined for stdin and pipes. */
  path: string | undefined
  /** The bytes from the beginning; the memory behind a chunk is used again for the next one. */
  bytes(): AsyncGenerator<Uint8Array>
  /** Changes when the file was written to since it was opened. */
  version(): Promise<string>
  close(): Promise<void>
}

const CHUNK_BYTES = 64 * 1024

/**
 * Opens `--from`. What can be read only once (stdin for `-`, a pipe) is first put into a file that only this process can see.
 * Throws `usage` when there is no such file.
 * @param spoolDir where that file is made (mode 0600, and gone from the folder as soon as it is open)
 */
export async function openInput(
  from: string,
  where: { cwd: string; spoolDir: string; stdin: () => AsyncIterable<Uint8Array> },
): Promise<Input> {
  if (from === '-') return spooled(where.stdin(), 'stdin', where.spoolDir)
  const path = resolve(where.cwd, from)
  const name = basename(path)
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'r')
    const stat = await handle.stat()
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    if (stat.isFile()) return fromHandle(handle, name, path)
  } catch (error) {
    await handle?.close()
    throw unreadable(from, error)
  }
  try {
    return await spooled(handle.createReadStream({ autoClose: false }), name, where.spoolDir)
  } finally {
    await handle.close()
  }
}

function unreadable(from: string, error: unknown): BnplError {
  const code = (error as { code?: string }).code
  const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(code)
  return usage(`--from ${from} cannot be read: ${why}`, undefined, 'INPUT_UNREADABLE')
}

async function spooled(source: AsyncIterable<Uint8Array>, name: string, dir: string): Promise<Input> {
  let handle: FileHandle | undefined
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const path = join(dir, `.rows-${randomBytes(8).toString('hex')}`)
    handle = await open(path, 'wx+', 0o600)
    // From here on the rows are in no folder: whatever happens to this process, nothing of them stays behind.
    await unlink(path)
    const isUsable = usableWatch()
    for await (const chunk of source) {
      await handle.writeFile(chunk)
      if (!isUsable(chunk)) break
    }
  } catch (error) {
    await handle?.close()
    throw config(
      `the rows of ${name} could not be kept while they are checked (${(error as { code?: string }).code ?? 'unknown'})`,
      `Is there space in ${dir}? A file given with --from FILE needs none.`,
      'SPOOL_FAILED',
    )
  }
  return fromHandle(handle, name, undefined)
}

function fromHandle(handle: FileHandle, name: string, path: string | undefined): Input {
  const read = (into: Buffer, position: number) => {
    const reading = handle.read(into, 0, CHUNK_BYTES, position).catch((error: unknown) => {
      throw unreadable(name, error)
    })
    // It may fail while the piece before it is still being used: whoever asks for the next one is told.
    reading.catch(() => {})
    return reading
  }
  return {
    name,
    path,
    async *bytes() {
      // The next piece is read while this one is used.
      let [buffer, other] = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)]
      let position = 0
      let reading = read(buffer, position)
      try {
        for (;;) {
          const { bytesRead } = await reading
          if (bytesRead === 0) return
          position += bytesRead
          const ready = buffer.subarray(0, bytesRead)
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
