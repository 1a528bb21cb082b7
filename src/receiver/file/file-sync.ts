import { closeSync, fdatasync, openSync } from 'node:fs'

/** Brings the data of a file onto the disk; one sync covers everything that was written before it began. */
export interface FileSync {
  /** Resolves when everything written so far is on the disk. Throws the error of the disk. */
  sync(): Promise<void>
  /** The open file. */
  readonly file: number
  close(): void
}

/** Syncs the data of an open file. */
export type SyncFile = (file: number) => Promise<void>

/** In a thread of Node's pool, so that this one does not wait. */
export const syncData: SyncFile = (file) =>
  new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error ? reject(error) : resolve()))
  })

export function openFileSync(path: string, syncFile: SyncFile): FileSync {
  const file = openSync(path, 'r')
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = (): Promise<void> => {
    const begun = syncFile(file).finally(() => {
      if (running === begun) running = undefined
    })
    running = begun
    return begun
  }
  return {
    file,
    sync() {
      if (running === undefined) return start()
      // A sync that has begun may miss data that was written since.
      next ??= running
        .catch(() => {})
        .then(() => {
          next = undefined
          return start()
        })
      return next
    },
    close: () => closeSync(file),
  }
}
