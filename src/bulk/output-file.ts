import { constants } from 'node:fs'
import { access, type FileHandle, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { diskFailure } from '../disk/failure.ts'
import { BnplError } from '../errors.ts'

/** A file that appears whole: it is written as `<name>.partial` and takes its name when it is closed. */
export interface OutputFile {
  write(text: string): Promise<void>
  /** Writes everything to the disk and gives the file its name. */
  finish(): Promise<void>
  /** Leaves no file under the name. */
  abandon(): Promise<void>
}

const { O_WRONLY, O_CREAT, O_EXCL } = constants
const BLOCK_CHARS = 256 * 1024

/** Looks whether a file can be made there later on. Throws `output` when it cannot. */
export async function checkFolder(path: string): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK)
  } catch (error) {
    throw notOpened(path, error)
  }
}

/** @param mode of a new file, before the umask. Throws `output` when it cannot be written. */
export async function openOutputFile(path: string, mode: number): Promise<OutputFile> {
  const partial = `${path}.partial`
  let handle: FileHandle
  try {
    // What a killed run left is taken away, not written into: it may be another name of some other file, or open to others.
    if (await isPlainFile(partial)) await rm(partial, { force: true })
    handle = await open(partial, O_WRONLY | O_CREAT | O_EXCL, mode)
  } catch (error) {
    throw notOpened(partial, error)
  }
  let pending: string[] = []
  let size = 0
  const flush = async () => {
    const text = pending.join('')
    pending = []
    size = 0
    try {
      await handle.writeFile(text)
    } catch (error) {
      throw failed(path, error)
    }
  }
  return {
    async write(text) {
      pending.push(text)
      size += text.length
      if (size >= BLOCK_CHARS) await flush()
    },
    async finish() {
      await flush()
      try {
        await handle.sync()
        await handle.close()
        await rename(partial, path)
      } catch (error) {
        throw failed(path, error)
      }
    },
    async abandon() {
      await handle.close().catch(() => {})
      await rm(partial, { force: true })
    },
  }
}

async function isPlainFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() ?? false
}

/** What may not be written is the matter of the output, whatever the reason; nothing was sent when it is found. */
function notOpened(path: string, cause: unknown): BnplError {
  const { kind, message, hint } = diskFailure(`${path} could not be written`, cause)
  const wayOut = kind === 'output' && hint !== undefined ? hint : 'Make its folder first, or name another file.'
  return new BnplError('output', message, { code: 'OUTPUT_PLACE', hint: wayOut, cause })
}

function failed(path: string, cause: unknown): BnplError {
  const { message } = diskFailure(`the results could not be written to ${path}`, cause)
  return new BnplError('output', message, {
    code: 'OUTPUT_FAILED',
    hint: 'Nothing is lost: --resume writes them again without sending anything twice.',
    cause,
  })
}
