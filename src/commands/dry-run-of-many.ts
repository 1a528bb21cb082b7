import { DryRun } from '../errors.ts'

/**
 * The dry run of a command that makes a call for each of several things: where the first call would end it, all of them are shown.
 * @param call makes the call for one of them. Throws `DryRun` with every line
 */
export async function dryRunOfMany<T>(things: readonly T[], call: (thing: T) => Promise<unknown>): Promise<void> {
  const lines: string[] = []
  for (const thing of things) {
    try {
      await call(thing)
    } catch (error) {
      if (!(error instanceof DryRun)) throw error
      lines.push(...error.lines)
    }
  }
  if (lines.length > 0) throw new DryRun(...lines)
}
