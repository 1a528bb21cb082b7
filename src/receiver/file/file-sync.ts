import { closeSync, fdatasync, openSync } from 'node:fs'

/** Syncs a file to the disk. One sync is enough for all data that was written before it began. */
export interface FileSync {
  sync(): Promise<void>
  readonly file: number
  close(): void
}

export type SyncFile = (file: number) => Promise<void>

/** Syncs the data of an open file in a thread of Node's pool, so that the calling thread does not wait. */
export const syncData: SyncFile = (file) =>
  new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error ? reject(error) : resolve()))
  })

/** Opens the file at a path, to sync it with `syncFile`. Throws a system error if the file cannot be opened. */
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
      // A running sync may miss data that was written after it began.
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
