import { readFile, readlink } from 'node:fs/promises'

/**
 * What tells a process from a later one of the same number: its space of numbers (a container has its own) and when it started. Undefined
 * where the system has no `/proc`, or no such process.
 */
export async function processMark(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name of the program is in brackets and may hold blanks; the start is the 22nd field, the 20th after it.
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${await readlink('/proc/self/ns/pid')} ${started}`
  } catch {
    return undefined
  }
}

/**
 * Whether a process has surely ended. Of one without a mark, or in another space of numbers, nothing is known here.
 * @param mark that was taken of it, null where there was none to take
 */
export async function hasEnded(pid: number, mark: string | null): Promise<boolean> {
  if (mark === null) return false
  const own = await readlink('/proc/self/ns/pid').catch(() => undefined)
  if (own === undefined || !mark.startsWith(`${own} `)) return false
  return (await processMark(pid)) !== mark
}
