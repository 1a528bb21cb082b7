import { statSync } from 'node:fs'
import { platform } from 'node:os'
import { basename, dirname, join } from 'node:path'

/**
 * Returns the name of a file as its folder compares it. The disks of Windows and macOS usually treat `Orders.csv` and `orders.csv` as one
 * name, and macOS also does so for `é` in one character or in two.
 */
export const comparedName = (name: string, system: string = platform()): string =>
  system === 'win32' || system === 'darwin' ? name.normalize('NFC').toLowerCase() : name

/**
 * Returns the same text for all paths to the same file, such as its hard links and the paths through symbolic links. The file need not
 * exist.
 */
export function fileKey(path: string, system: string = platform()): string {
  const found = lookAt(path)
  // Some network shares give every file the number 0.
  if (found !== undefined && found.ino !== 0n) return `${found.dev}:${found.ino}`
  const folder = dirname(path)
  return folder === path ? path : join(fileKey(folder, system), comparedName(basename(path), system))
}

function lookAt(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
