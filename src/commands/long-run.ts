import { lstat, readFile, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Context, SignalName, World } from '../context.ts'
import { BnplError, codeOf, config, interruptedBy, usage } from '../errors.ts'
import { LOG_FORMS } from '../terminal/output.ts'
import './hints.ts'
// Loaded here, because an error of the command is put into words with it at the end, when the file may have been removed.

/**
 * Call this first in a command that runs until it is stopped, or for hours. The files of the program may be replaced while it runs, for
 * example by `npm install`. So everything that its end needs must be loaded at its start: the end of such a command never imports.
 */
export function prepareLongRun(world: Pick<World, 'expectLongRun'>): void {
  world.expectLongRun()
}

/** The option `--log` of the servers. */
export const LOG = ['--log <form>', 'write each message on stderr as one line: with its `time`, or as `json`'] as const

/** Writes the messages of a server as `--log` says. Throws `usage` for another word. */
export function logAsAsked({ output, clock }: Context, asked: string | undefined): void {
  if (asked === undefined) return
  const form = LOG_FORMS.find((each) => each === asked)
  if (form === undefined)
    throw usage(`--log “${asked}” is not known`, `Use --log with one of these words: ${LOG_FORMS.join(', ')}.`)
  output.logAs(form, () => clock.now())
}

export interface Stop {
  /** Resolves when the command must end. The value is the error to throw; undefined for a normal end. */
  readonly wanted: Promise<Error | undefined>
  /** Aborted by a second signal. After that, the command does not wait for optional work. */
  readonly atOnce: AbortSignal
  /** Ends the command without a signal. Has no effect if the command is already ending. */
  now(reason: Error | undefined): void
  release(): void
}

/** Handles signals, so that a second Ctrl-C does not interrupt the necessary work at the end. */
export function takeStop(world: Pick<World, 'takeSignals' | 'signal'>): Stop {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>()
  const atOnce = new AbortController()
  let signalled = false
  const onSignal = (name: SignalName) => {
    if (signalled) atOnce.abort()
    signalled = true
    resolve(interruptedBy(name))
  }
  const release = world.takeSignals(onSignal)
  const aborted = () => resolve(world.signal.reason)
  if (world.signal.aborted) aborted()
  else world.signal.addEventListener('abort', aborted, { once: true })
  return {
    wanted: promise,
    atOnce: atOnce.signal,
    now: resolve,
    release() {
      release()
      world.signal.removeEventListener('abort', aborted)
    },
  }
}

/** A file that scripts wait for. It is created with its whole content when a server is ready, and removed when the server ends. */
export interface ReadyFile {
  /**
   * Removes the ready file at this path, even if the process that wrote the file still runs. Call this method only when the new server
   * has its port or inbox, because a server that cannot start must not remove the file of a running server.
   */
  clear(): Promise<void>
  /** Writes the file. Only its owner can read it, because the text may contain keys. */
  write(text: string): Promise<void>
  remove(): Promise<void>
}

const MOST_BYTES = 64 * 1024

/**
 * Prepares the place of a ready file. Removes the file of a run that has ended, because a script would mistake it
 * for the new file. Throws `config` when another kind of file is there, or when no file can be created.
 * @param isAlive whether a process of this machine is running
 */
export async function prepareReadyFile(
  cwd: string,
  given: string,
  isAlive: (pid: number) => boolean,
): Promise<ReadyFile> {
  const path = resolve(cwd, given)
  const unusable = (error: unknown) => {
    const why = codeOf(error) ?? String(error)
    return config(
      `the ready file ${path} cannot be written (${why})`,
      'Use another path for --ready-file.',
      'READY_FILE',
    )
  }
  const find = () =>
    readyFileAt(path).catch((error: unknown) => Promise.reject(error instanceof BnplError ? error : unusable(error)))
  const clear = async () => {
    if ((await find()) !== undefined) await rm(path, { force: true })
  }
  const found = await find()
  if (found !== undefined && (found.pid === undefined || !isAlive(found.pid))) await rm(path, { force: true })
  await lstat(dirname(path)).catch((error: unknown) => Promise.reject(unusable(error)))
  let written: string | undefined
  return {
    clear,
    async write(text) {
      await clear()
      const { writeWholeFile } = await import('../disk/target-file.ts')
      writeWholeFile(path, text)
      written = text
    },
    async remove() {
      // Compare the content and not the inode, because a new file may get the inode of a removed one.
      const found = await readFile(path, 'utf8').catch(() => undefined)
      if (found !== undefined && found === written) await rm(path, { force: true }).catch(() => {})
    },
  }
}

/**
 * Returns what the ready file at `path` says, or undefined if no file is there. An empty file counts as a ready file, because `mktemp`
 * creates one. Throws `config` if the file is neither empty nor a ready file, and throws system errors.
 */
async function readyFileAt(path: string): Promise<{ pid?: number } | undefined> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined) return undefined
  const isReadyFile = found.isFile() && found.size <= MOST_BYTES
  const written = isReadyFile ? readyContent(await readFile(path, 'utf8')) : undefined
  if (written !== undefined) return written
  throw config(
    `${path} is not a ready file, and was not changed`,
    'Use another path for --ready-file, or remove that file.',
    'READY_FILE_FOREIGN',
  )
}

function readyContent(text: string): { pid?: number } | undefined {
  if (text.trim() === '') return {}
  try {
    const { url, pid, baseUrl, partners } = JSON.parse(text) ?? {}
    if (typeof url === 'string' && typeof pid === 'number') return { pid }
    return typeof baseUrl === 'string' && Array.isArray(partners) ? {} : undefined
  } catch {
    return undefined
  }
}
