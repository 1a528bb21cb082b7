import { readdirSync, readlinkSync } from 'node:fs'
import { platform } from 'node:os'

const FOLDER = '/proc/self/fd'

/** Whether the system says which files this process has open. */
export const TELLS_OPEN_FILES = platform() === 'linux'

/**
 * How often this process has files open whose path begins so, removed ones too; 0 where the system does not say. Only of a path that no
 * other test uses: all threads share the files of their process.
 */
export function timesOpen(path: string): number {
  if (!TELLS_OPEN_FILES) return 0
  return readdirSync(FOLDER).filter((number) => targetOf(number)?.startsWith(path)).length
}

function targetOf(number: string): string | undefined {
  try {
    return readlinkSync(`${FOLDER}/${number}`)
  } catch {
    // Closed meanwhile.
    return undefined
  }
}
