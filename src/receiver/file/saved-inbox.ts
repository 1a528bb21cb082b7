import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isDatabaseAt } from '../../disk/database-place.ts'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import { makeFile, makePrivateFolder } from '../../disk/private.ts'
import { sqliteFailure } from '../../disk/sqlite-failure.ts'
import { shellQuoted } from '../../text/shell-word.ts'

/**
 * Copies an open inbox into a new file (mode 0600), and returns the path of the copy. The copy is complete even if the inbox's file was
 * removed, because the connection still has that file open.
 * @param at ISO 8601, part of the name
 * @throws when the inbox cannot be read or the copy cannot be written
 */
export function saveInbox(db: DatabaseSync, stateDir: string, at: string): string {
  makePrivateFolder(stateDir, () => {})
  const path = join(stateDir, KEPT_FILES.inboxSaved.name.replace('TIME', at.replaceAll(/[^0-9TZ]/g, '-')))
  makeFile(path)
  try {
    db.prepare('VACUUM INTO ?').run(path)
  } catch (error) {
    // An incomplete copy must never replace an inbox.
    for (const beside of ['', '-journal']) rmSync(path + beside, { force: true })
    throw sqliteFailure(path, error)
  }
  return path
}

/**
 * Returns the commands that replace the present inbox with a saved one. They also remove the present log, because SQLite would apply it to
 * the saved inbox.
 */
export function putBack(saved: string, path: string): string {
  const [log, index, copy, inbox] = [`${path}-wal`, `${path}-shm`, saved, path].map(shellQuoted)
  return `rm -f ${log} ${index}; mv ${copy} ${inbox}`
}

/** Returns the saved inboxes in a folder, oldest first, without files that are not databases. */
export function savedInboxes(stateDir: string): string[] {
  const names = readdirSync(stateDir).filter((name) => name.endsWith('.db') && KEPT_FILES.inboxSaved.paths.test(name))
  return names
    .sort()
    .map((name) => join(stateDir, name))
    .filter(isDatabaseAt)
}
