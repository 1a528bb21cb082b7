import { hash, randomBytes } from 'node:crypto'
import {
  close,
  closeSync,
  fdatasync,
  fsync,
  fsyncSync,
  ftruncateSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { chmod, link, lstat, open, readdir, unlink } from 'node:fs/promises'
import { hostname, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { BnplError, codeOf, usage } from '../errors.ts'
import { type Identity, identityOfOpen } from './database-place.ts'
import { diskFailure, megabytes, roomAt, WHY_UNWRITTEN } from './failure.ts'
import { makeFolder } from './private.ts'
import { renameFile, renameFileSync } from './renaming.ts'

/** After this many new bytes, the file is flushed to the disk in the background, so that `sync` at the end takes little time. */
const FLUSH_BYTES = 32 * 1024 * 1024

/** Writes pieces to a file as soon as they arrive, in this thread. */
export class FileWriter {
  readonly #fd: number
  #position = 0
  #flushed = 0
  /** The flushes until now. Its failure is thrown by `sync`, because a disk reports an error only once. */
  #flushing = Promise.resolve()
  #open = true

  constructor(fd: number) {
    this.#fd = fd
  }

  /** Writes a piece. If the disk is nearly full, one `writeSync` may write only a part, and the next one then fails with the reason. */
  take(chunk: Uint8Array): void {
    let from = 0
    while (from < chunk.length) from += writeSync(this.#fd, chunk, from, chunk.length - from, this.#position + from)
    this.#position += from
    if (this.#position - this.#flushed < FLUSH_BYTES) return
    this.#flushed = this.#position
    this.#flushing = this.#flushing.then(() => promisify(fdatasync)(this.#fd))
    this.#flushing.catch(() => {})
  }

  restart(): void {
    if (this.#position > 0) ftruncateSync(this.#fd, 0)
    this.#position = 0
    this.#flushed = 0
  }

  get bytes(): number {
    return this.#position
  }

  /** Resolves when every byte is on the disk. */
  async sync(): Promise<void> {
    await this.#flushing
    await promisify(fsync)(this.#fd)
  }

  async close(): Promise<void> {
    await this.#flushing.catch(() => {})
    if (!this.#open) return
    this.#open = false
    await promisify(close)(this.#fd)
  }
}

/** A file that is written under a temporary name, and moved to its path when it is complete and on the disk. */
export interface TargetFile {
  readonly path: string
  restart(): void
  take(chunk: Uint8Array): void
  /**
   * Syncs the file and moves it to its path. Throws `usage` when another file has appeared there. Throws `output` when the disk reports an
   * error, and when an earlier `take` has failed.
   */
  commit(): Promise<void>
  discard(): Promise<void>
}

export interface TargetOptions {
  force: boolean
  pid: number
  /** The `stampOf` of a file that may be replaced even without `force`. */
  replaces?: string | undefined
  /**
   * Mode of the file, before the umask. By default, only the owner can read a new file (0600), and a file that replaces another one keeps
   * the mode of that file.
   */
  mode?: number | undefined
  makeFolder?: boolean
  /** The option with which the user can name another place. The hints of errors mention this option. */
  otherPlace?: string
}

/** Names that Windows refuses, stores elsewhere (`a:b`), or stores so that Explorer cannot remove the file. */
const NOT_ON_WINDOWS = /[<>:"|?*\0-\x1f]|[ .]$|^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i

/** The results of a run and the reports contain the names and national ids of customers. */
const PRIVATE = 0o600

/**
 * Throws `usage` if a file exists at the path (unless `force`), if the path has something that is not a regular file, such as a link, or if
 * a part of the path is not a directory. Throws `output` if the system refuses access to the path.
 * @param otherPlace the option with which the user can name another place, for the hint
 */
export async function checkTarget(path: string, force: boolean, otherPlace?: string): Promise<void> {
  const withOption = inOption(otherPlace)
  if (platform() === 'win32' && NOT_ON_WINDOWS.test(basename(path)))
    throw usage(
      `${basename(path)} cannot be the name of a file on Windows`,
      `Name another file${withOption}, without < > : " | ? * and not called CON, PRN, AUX, NUL, COM1 or LPT1.`,
      'TARGET_NAME',
    )
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error.code === 'ENOTDIR' ? notThere(path, error, otherPlace) : unwritable(path, error, 0, otherPlace)
  })
  if (found === undefined) return
  if (found.isSymbolicLink())
    throw usage(
      `${path} is a symbolic link, and bnpl does not write through links`,
      `Remove the link, or name another file${withOption}.`,
      'TARGET_IS_LINK',
    )
  if (found.isDirectory()) throw usage(`${path} is a directory`, `Name a file${withOption}.`, 'TARGET_IS_DIRECTORY')
  if (!found.isFile())
    throw usage(`${path} is not a regular file`, `Name another file${withOption}.`, 'TARGET_IS_SPECIAL')
  if (!force) throw exists(path)
  if (platform() === 'win32') await checkReplaceable(path, otherPlace)
}

/**
 * Throws `output` if Windows would not let a file be replaced: it is read-only, or another program has it open, such as Excel. Windows says so
 * only when the file is replaced, and a run over rows has sent them by then.
 */
async function checkReplaceable(path: string, otherPlace: string | undefined): Promise<void> {
  try {
    await (await open(path, 'r+')).close()
  } catch (error) {
    throw unwritable(path, error, 0, otherPlace)
  }
}

/** Returns a text that changes when a file is changed or replaced, or undefined if the file does not exist. */
export async function stampOf(path: string): Promise<string | undefined> {
  const found = await lstat(path, { bigint: true }).catch(() => undefined)
  return found && `${found.dev}/${found.ino}/${found.size}/${found.mtimeNs}`
}

/**
 * Creates a temporary file beside `path`, with a name that nobody can guess. Throws `usage` if a part of the path is not a directory, and
 * `output` for any other error of the system.
 */
export function openTarget(path: string, options: TargetOptions): TargetFile {
  const folder = dirname(path)
  const temporary = join(folder, temporaryName(options.pid))
  const { otherPlace } = options
  let writer: FileWriter
  try {
    if (options.makeFolder ?? true) makeFolder(folder)
    writer = new FileWriter(openSync(temporary, 'wx', options.mode ?? PRIVATE))
  } catch (error) {
    const code = codeOf(error)
    throw code === 'ENOTDIR' || code === 'EEXIST'
      ? notThere(path, error, otherPlace)
      : unwritable(path, error, 0, otherPlace)
  }
  // After a failed write the file may end in the middle of a line, so `commit` must not move it to `path`.
  let failure: BnplError | undefined
  const guarded = (work: () => void) => {
    try {
      work()
    } catch (error) {
      failure = unwritable(path, error, writer.bytes, otherPlace)
      throw failure
    }
  }
  let placed = false
  return {
    path,
    restart() {
      guarded(() => writer.restart())
      failure = undefined
    },
    take: (chunk) => guarded(() => writer.take(chunk)),
    async commit() {
      if (failure !== undefined) throw failure
      try {
        await writer.sync()
        await writer.close()
        await place(temporary, path, options)
        placed = true
        await syncFolder(folder)
      } catch (error) {
        throw error instanceof BnplError ? error : unwritable(path, error, writer.bytes, otherPlace)
      }
    },
    async discard() {
      await writer.close().catch(() => {})
      if (!placed) await unlink(temporary).catch(() => {})
    },
  }
}

/** Removes old temporary files from a folder. Keeps files of other hosts, and of processes that still run. */
export async function sweepStale(folder: string, alive: (pid: number) => boolean): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const match = TEMPORARY.exec(name)
    if (match?.[1] === hostTag() && !alive(Number(match[2]))) await unlink(join(folder, name)).catch(() => {})
  }
}

const TEMPORARY = /^\.bnpl-([0-9a-f]{8})-(\d+)-[0-9a-f]{24}\.part$/
const temporaryName = (pid: number) => `.bnpl-${hostTag()}-${pid}-${randomBytes(12).toString('hex')}.part`
/** Returns a tag of this host. Temporary names contain the tag, because another host that shares the folder can use the same pid. */
const hostTag = () => hash('sha256', hostname()).slice(0, 8)

/**
 * Moves the file to its path. `link` never replaces an existing file. `rename` replaces a file or a symbolic link, not the target of the
 * link.
 */
async function place(
  temporary: string,
  path: string,
  { force, replaces, mode, otherPlace }: TargetOptions,
): Promise<void> {
  const mayReplace = force || (replaces !== undefined && replaces === (await stampOf(path)))
  if (!mayReplace) {
    try {
      await link(temporary, path)
      await unlink(temporary)
      return
    } catch (error) {
      const code = codeOf(error)
      if (code === 'EEXIST') throw exists(path)
      if (!WITHOUT_LINKS.has(String(code))) throw error
    }
  }
  await checkTarget(path, mayReplace, otherPlace)
  const earlier = mode === undefined ? await lstat(path).catch(() => undefined) : undefined
  if (earlier?.isFile()) await chmod(temporary, earlier.mode & 0o777)
  await renameFile(temporary, path)
}

/** The errors of file systems without hard links (FAT, some network shares). */
export const WITHOUT_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EISDIR',
])

/** Syncs the folder, if the system can do that, so that the new name survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

const exists = (path: string) =>
  usage(`${path} already exists`, 'Add --force to replace it, or choose another place.', 'TARGET_EXISTS')

const inOption = (option: string | undefined) => (option === undefined ? '' : ` with ${option}`)

const notThere = (path: string, cause: unknown, otherPlace: string | undefined) =>
  new BnplError('usage', `${basename(path)} cannot be created, because a part of ${dirname(path)} is not a directory`, {
    code: 'NOT_A_DIRECTORY',
    hint: `Choose another place${inOption(otherPlace)}.`,
    cause,
  })

function unwritable(path: string, cause: unknown, written: number, otherPlace?: string): BnplError {
  const code = codeOf(cause) ?? 'EIO'
  const why = WHY[code] ?? 'the system reported an error'
  return new BnplError('output', `${path} could not be written: ${why} (${code}). No partial file is left behind`, {
    code,
    hint: `${wayOut(path, code, written, otherPlace)} If the file existed before, it was not changed.`,
    cause,
  })
}

function wayOut(path: string, code: string, written: number, otherPlace: string | undefined): string {
  const other = `choose another place${inOption(otherPlace)}.`
  if (code === 'EFBIG' && platform() !== 'win32')
    return `Raise the limit (ulimit -f) to more than ${megabytes(written)}, or ${other}`
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return `${other.charAt(0).toUpperCase()}${other.slice(1)}`
  const room = roomAt(dirname(path), written)
  return `Make room for more than ${megabytes(written)}${room === '' ? '' : ` (${room})`}, or ${other}`
}

const WHY: Record<string, string> = {
  ...WHY_UNWRITTEN,
  EROFS: 'it is on a read-only file system',
  EIO: 'the disk failed',
}

/**
 * Writes a file (mode 0600) that appears at its path only when it is complete. A link at the path is replaced, not followed. Throws
 * `output` when the disk is full, otherwise `config`.
 * @param text the content, or a function that returns the content for the new file's identity
 */
export function writeWholeFile(path: string, text: string | ((identity: Identity) => string)): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = openSync(temporary, 'wx', 0o600)
    try {
      writeFileSync(file, typeof text === 'string' ? text : text(identityOfOpen(file)))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameFileSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw diskFailure(`${path} could not be written`, error)
  }
}
