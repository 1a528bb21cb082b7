import { DatabaseSync } from 'node:sqlite'
import { makePrivateFile, type Notice } from '../disk/private.ts'

/**
 * Takes the lock of a run. It is the operating system's: it ends with the process, however that ends. The empty file stays.
 * @returns what gives it back, or undefined when another process has it
 */
export function tryLock(path: string, notice: Notice): (() => void) | undefined {
  makePrivateFile(path, notice)
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('begin immediate')
    return () => lock.close()
  } catch {
    lock.close()
    return undefined
  }
}
