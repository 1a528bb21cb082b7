import { readFile, readlink } from 'node:fs/promises'

/**
 * Returns a mark that distinguishes a process from a later process with the same number; undefined when the system has no `/proc`, or the
 * process does not exist.
 * The mark consists of the PID namespace and the start time of the process. Each container has its own PID namespace.
 */
export async function processMark(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in brackets and may contain spaces. The start time is the 22nd field, which is the 20th field after the name.
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${await readlink('/proc/self/ns/pid')} ${started}`
  } catch {
    return undefined
  }
}

/**
 * Returns whether a process has certainly ended; false when that cannot be known, for example without a mark.
 * @param mark the result of `processMark`, or null if there was none
 */
export async function hasEnded(pid: number, mark: string | null): Promise<boolean> {
  if (mark === null) return false
  const own = await readlink('/proc/self/ns/pid').catch(() => undefined)
  if (own === undefined || !mark.startsWith(`${own} `)) return false
  return (await processMark(pid)) !== mark
}
