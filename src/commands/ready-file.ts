import { rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { config } from '../errors.ts'

/** A file that scripts wait for: it is written, whole, when a server is ready, and removed when the server ends. */
export interface ReadyFile {
  /** @param text its content; it may hold keys, so its owner alone reads it */
  write(text: string): Promise<void>
  remove(): Promise<void>
}

/** Removes the ready file of an earlier run, so that no script takes it for this one. Throws `config` when the file cannot be written. */
export async function prepareReadyFile(cwd: string, given: string): Promise<ReadyFile> {
  const path = resolve(cwd, given)
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? String(error)
      throw config(`the ready file ${path} cannot be written (${why})`, 'Give --ready-file another path.', 'READY_FILE')
    }
  }
  await attempt(() => rm(path, { force: true }))
  return {
    write: (text) =>
      attempt(async () => {
        const { randomBytes } = await import('node:crypto')
        const temporary = `${path}.${randomBytes(6).toString('hex')}`
        try {
          await writeFile(temporary, text, { mode: 0o600, flag: 'wx' })
          await rename(temporary, path)
        } finally {
          await rm(temporary, { force: true })
        }
      }),
    // A file that cannot be removed is not an error: the command has done its work.
    remove: () => rm(path, { force: true }).catch(() => {}),
  }
}
