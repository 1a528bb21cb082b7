import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import { damaged } from '../../disk/sqlite-failure.ts'

/** Bytes that must be free for a delivery; few deliveries are larger. */
export const USUAL_BYTES = 64 * 1024

/** Up to this size the whole file is checked at the start, which takes about a tenth of a second. */
const WHOLE_BYTES = 64 * 1024 * 1024

/** Tables in which a delivery may touch any page. In `events` it touches only the end and the events that wait to be forwarded. */
const TOUCHED = ['destinations', 'seen', 'forwards', 'facts', 'stretches']

/**
 * Checks the pages of an inbox before anything is received into it. Of a large inbox only the tables that a delivery needs are checked; damage
 * in an old event is found when the event is read. Throws `config` when the file is damaged, and what SQLite throws.
 */
export function refuseDamaged(db: DatabaseSync, path: string): void {
  const checks = statSync(path).size <= WHOLE_BYTES ? [''] : TOUCHED.map((table) => `('${table}')`)
  for (const what of checks) {
    const [found] = db.prepare(`PRAGMA quick_check${what}`).all()
    if (found?.quick_check !== 'ok') throw damaged(path)
  }
}

/**
 * Throws `config` for an inbox of 0 bytes beside the files of an earlier receiver, because it was emptied. A receiver creates those files
 * after the tables of its inbox, so a killed first start does not leave them.
 */
export function refuseEmptied(stateDir: string): void {
  const path = join(stateDir, KEPT_FILES.inbox.name)
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return
  const { inboxOwner, inboxLock, inboxReserve } = KEPT_FILES
  if ([inboxOwner, inboxLock, inboxReserve].some(({ name }) => existsSync(join(stateDir, name)))) throw damaged(path)
}
