import { readdirSync, readlinkSync } from 'node:fs'
import { platform } from 'node:os'

const FOLDER = '/proc/self/fd'

/** Whether the system reports which files this process has open. */
export const TELLS_OPEN_FILES = platform() === 'linux'

/**
 * Returns how many open files of this process have a path that begins with the given one, removed files included; 0 if the system does not
 * report them. No other test may use the path, because test files run one after another in the same process.
 */
export function timesOpen(path: string): number {
  if (!TELLS_OPEN_FILES) return 0
  return readdirSync(FOLDER).filter((number) => targetOf(number)?.startsWith(path)).length
}

function targetOf(number: string): string | undefined {
  try {
    return readlinkSync(`${FOLDER}/${number}`)
  } catch {
    // The file was closed meanwhile.
    return undefined
  }
}
