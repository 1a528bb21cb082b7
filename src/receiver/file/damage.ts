import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { damaged } from '../../disk/sqlite-failure.ts'

/** Bytes of a delivery that room must be left for: the largest seen in a day is rarely more. */
export const USUAL_BYTES = 64 * 1024

/** Up to this size the whole file is looked through at the start: about a tenth of a second. */
const WHOLE_BYTES = 64 * 1024 * 1024

/** Tables that every delivery touches anywhere; of `events` only the end is touched, and what is still to be handed on. */
const TOUCHED = ['destinations', 'seen', 'forwards', 'facts', 'stretches']

/**
 * Looks whether the pages of an inbox fit together before anything is received into it. Of a large one the tables that a delivery needs
 * are looked at; damage in an old event is found when it is read. Throws `config` when it is damaged, and what SQLite throws.
 */
export function refuseDamaged(db: DatabaseSync, path: string): void {
  const checks = statSync(path).size <= WHOLE_BYTES ? [''] : TOUCHED.map((table) => `('${table}')`)
  for (const what of checks) {
    const [found] = db.prepare(`PRAGMA quick_check${what}`).all()
    if (found?.quick_check !== 'ok') throw damaged(path)
  }
}
