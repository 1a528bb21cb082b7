import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import { damaged } from '../../disk/sqlite-failure.ts'

/** How much free space a delivery is assumed to need, in bytes. Few deliveries need more. */
export const USUAL_BYTES = 64 * 1024

/** A file of up to this size is checked as a whole, which takes about a tenth of a second. */
const WHOLE_BYTES = 64 * 1024 * 1024

/** Storing a delivery can change any page of these tables. The table `events` is not among them, because it only gets a new row at its end. */
const TOUCHED = ['destinations', 'seen', 'forwards', 'facts', 'stretches']

/**
 * Checks the pages of an inbox before the first delivery. In a large inbox, checks only the tables of `TOUCHED`.
 * @throws `config` when the file is damaged, and the errors of SQLite
 */
export function refuseDamaged(db: DatabaseSync, path: string): void {
  const checks = statSync(path).size <= WHOLE_BYTES ? [''] : TOUCHED.map((table) => `('${table}')`)
  for (const what of checks) {
    const [found] = db.prepare(`PRAGMA quick_check${what}`).all()
    if (found?.quick_check !== 'ok') throw damaged(path)
  }
}

/**
 * Throws `config` if the inbox was emptied: it has 0 bytes, and files of an earlier receiver are beside it. A receiver creates those files
 * after the tables of its inbox.
 */
export function refuseEmptied(stateDir: string): void {
  const path = join(stateDir, KEPT_FILES.inbox.name)
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return
  const { inboxOwner, inboxLock, inboxReserve } = KEPT_FILES
  if ([inboxOwner, inboxLock, inboxReserve].some(({ name }) => existsSync(join(stateDir, name)))) throw damaged(path)
}
