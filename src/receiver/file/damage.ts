import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import { damaged } from '../../disk/sqlite-failure.ts'

/** How many bytes must be free for a delivery. Few deliveries are larger. */
export const USUAL_BYTES = 64 * 1024

/** Up to this size, the whole file is checked at the start. This takes about a tenth of a second. */
const WHOLE_BYTES = 64 * 1024 * 1024

/**
 * The tables that are checked in a large inbox, because a delivery may change any page of them. The table `events` is not checked, because
 * a delivery changes only its end and the index of events to forward.
 */
const TOUCHED = ['destinations', 'seen', 'forwards', 'facts', 'stretches']

/**
 * Checks the pages of an inbox before the first delivery is received into it. In a large inbox, only the tables that a delivery needs are
 * checked. Damage in an old event is found when that event is read. Throws `config` when the file is damaged, and the errors of SQLite.
 */
export function refuseDamaged(db: DatabaseSync, path: string): void {
  const checks = statSync(path).size <= WHOLE_BYTES ? [''] : TOUCHED.map((table) => `('${table}')`)
  for (const what of checks) {
    const [found] = db.prepare(`PRAGMA quick_check${what}`).all()
    if (found?.quick_check !== 'ok') throw damaged(path)
  }
}

/**
 * Throws `config` if the inbox has 0 bytes but files of an earlier receiver are beside it, because then the inbox was emptied. (A receiver
 * creates those files after the tables of its inbox, so a first start that was killed cannot leave them behind.)
 */
export function refuseEmptied(stateDir: string): void {
  const path = join(stateDir, KEPT_FILES.inbox.name)
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return
  const { inboxOwner, inboxLock, inboxReserve } = KEPT_FILES
  if ([inboxOwner, inboxLock, inboxReserve].some(({ name }) => existsSync(join(stateDir, name)))) throw damaged(path)
}
