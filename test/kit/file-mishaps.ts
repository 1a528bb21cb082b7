import { chmodSync, chownSync, existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Mishap } from './file-outcomes.ts'

/** The user id of `nobody` on most systems. */
export const NOBODY = 65_534

/** Whether the tests run as root, who alone can give a file to another user. */
export const isRoot = process.getuid?.() === 0

/** Functions that make each mishap happen to a file. The other mishaps need a limit, or another user, from the start of the program. */
export const AFFLICT: Record<Exclude<Mishap, 'full' | 'readOnly'>, (path: string) => void> = {
  gone: (path) => rmSync(path, { recursive: true, force: true }),
  replaced(path) {
    rmSync(path, { recursive: true, force: true })
    writeFileSync(path, 'the file of another program\n'.repeat(400), { mode: 0o600 })
  },
  linked(path) {
    const elsewhere = `${dirname(dirname(path))}/elsewhere`
    if (existsSync(path)) renameSync(path, elsewhere)
    else writeFileSync(elsewhere, 'precious', { mode: 0o600 })
    symlinkSync(elsewhere, path)
  },
  shared: (path) => chmodSync(path, 0o666),
  damaged: (path) => writeFileSync(path, Buffer.alloc(9000, 0xa5), { flag: 'r+' }),
  foreign: (path) => chownSync(path, NOBODY, NOBODY),
  open: (path) => chmodSync(dirname(path), 0o777),
}
