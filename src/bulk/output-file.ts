import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname } from 'node:path'
import { adviceForRoom, WHY_UNWRITTEN } from '../disk/failure.ts'
import { openTarget, type TargetFile, type TargetOptions } from '../disk/target-file.ts'
import { BnplError, codeOf } from '../errors.ts'

/** A text file that appears at its path only when it is complete. Until then it has a random name. */
export interface OutputFile {
  write(text: string): Promise<void>
  /** Writes everything to the disk and moves the file to its path. Throws `output`. */
  finish(): Promise<void>
  /** Removes the written text. An earlier file at the path is not changed. */
  abandon(): Promise<void>
}

const BLOCK_CHARS = 256 * 1024

/** Throws `output` when no file can be created at a path. `otherPlace` is the option that the hint names, such as `--failed`. */
export async function checkFolder(path: string, otherPlace: string): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK)
  } catch (error) {
    throw notOpened(path, error, otherPlace)
  }
}

/** Opens a file for results. Throws `output` when the file cannot be written. `otherPlace` is the option that the hint names. */
export function openOutputFile(path: string, otherPlace: string, options: TargetOptions): OutputFile {
  let target: TargetFile
  try {
    target = openTarget(path, { ...options, makeFolder: false })
  } catch (error) {
    throw notOpened(path, error instanceof Error ? error.cause : error, otherPlace)
  }
  let pending: string[] = []
  let size = 0
  const flush = () => {
    const text = pending.join('')
    pending = []
    size = 0
    target.take(Buffer.from(text))
  }
  const guarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw notWritten(path, error, otherPlace)
    }
  }
  return {
    async write(text) {
      pending.push(text)
      size += text.length
      if (size >= BLOCK_CHARS) await guarded(flush)
    },
    finish: () =>
      guarded(() => {
        flush()
        return target.commit()
      }),
    abandon: () => target.discard(),
  }
}

/** Returns the error for a result file that cannot be opened. No row has been sent yet. The hint names the option in `otherPlace`. */
export function notOpened(path: string, cause: unknown, otherPlace: string): BnplError {
  const code = codeOf(cause) ?? UNKNOWN
  const why = WHY[code] ?? 'the system reported an error'
  const first = adviceForRoom(code, path) ?? firstFor(code) ?? 'Check its folder'
  return new BnplError('output', `${path} could not be written: ${why} (${code})`, {
    code: 'OUTPUT_PLACE',
    hint: `${first}, or name another file with ${otherPlace}.`,
    cause,
  })
}

const UNKNOWN = 'unknown cause'
const WHY: Record<string, string> = {
  ...WHY_UNWRITTEN,
  ENOTDIR: 'a part of its path is not a folder',
  EROFS: 'its disk is read-only',
  EMFILE: 'too many files are open',
}
const FIRST: Record<string, string> = {
  ENOENT: 'Create the folder of the file first',
  ENOTDIR: 'Correct the path',
  EACCES: 'Check the owner and the mode of its folder',
  EPERM: 'Check the owner and the mode of its folder',
  EBUSY: 'Close it in that program',
  EROFS: 'Make that disk writable',
  ENAMETOOLONG: 'Shorten the name',
  EMFILE: 'Raise the limit for open files (ulimit -n)',
}
/** Windows has no limits and no modes that a user sets in a shell. */
const FIRST_ON_WINDOWS: Record<string, string> = {
  EACCES: 'Check who has access to its folder (icacls)',
  EPERM: 'Check who has access to its folder (icacls)',
  EMFILE: 'Close other programs',
}

const firstFor = (code: string): string | undefined =>
  (platform() === 'win32' ? FIRST_ON_WINDOWS[code] : undefined) ?? FIRST[code]

/**
 * Returns the error for results that cannot be written. Rows may have been sent already, so the hint says how to continue with `--resume`.
 * @param otherPlace the option that names another file. The hint names it if a file has appeared at `path`
 */
export function notWritten(path: string, error: unknown, otherPlace: string): BnplError {
  const options = { code: 'OUTPUT_FAILED', cause: error }
  if (error instanceof BnplError && error.code === 'TARGET_EXISTS') {
    return new BnplError('output', `a file appeared at ${path} during the run and was not changed`, {
      ...options,
      hint: `Run the same command with --resume and ${otherPlace} OTHER-FILE. It writes the results and sends nothing twice.`,
    })
  }
  const code = codeOf(error instanceof BnplError ? error.cause : error) ?? UNKNOWN
  const why = WHY[code] ?? 'the disk failed'
  const first = adviceForRoom(code, path) ?? (code === 'EBUSY' ? FIRST[code] : undefined)
  return new BnplError('output', `the results could not be written to ${path}: ${why} (${code})`, {
    ...options,
    hint: `${first === undefined ? 'Run' : `${first}, then run`} the same command with --resume. It writes the results and sends nothing twice.`,
  })
}
