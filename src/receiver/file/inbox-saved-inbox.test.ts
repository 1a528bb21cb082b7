import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { arrival, batch } from '../../../test/receiver/inbox-kit.ts'
import { openInbox, putBack, savedInboxes, saveInbox } from './inbox.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-saved-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const AT = '2026-03-01T12:00:00.123Z'
const NAME = 'inbox-saved-2026-03-01T12-00-00-123Z.db'

test('an inbox is saved whole into one private file, even after its file and folder were removed', async () => {
  const inbox = await openInbox(dir)
  await inbox.commit(batch([arrival('e1'), arrival('e2')]))
  rmSync(dir, { recursive: true })
  const path = await inbox.save()
  await inbox.close()
  expect(readdirSync(dir)).toEqual([path.slice(dir.length + 1)])
  expect(path).toMatch(/\/inbox-saved-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.db$/)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  using saved = new DatabaseSync(path, { readOnly: true })
  expect(saved.prepare('SELECT event_id AS id FROM events ORDER BY seq').all()).toEqual([{ id: 'e1' }, { id: 'e2' }])
})

test('a failed save leaves no file behind', () => {
  using db = new DatabaseSync(':memory:')
  const journal = join(dir, `${NAME}-journal`)
  const failing = {
    prepare: (sql: string) => ({
      run(path: string) {
        expect([sql, path]).toEqual(['VACUUM INTO ?', join(dir, NAME)])
        writeFileSync(journal, 'half')
        db.exec('nonsense')
      },
    }),
  }
  expect(() => saveInbox(failing as unknown as DatabaseSync, dir, AT)).toThrow()
  expect(readdirSync(dir)).toEqual([])
})

test('a failed save without a journal file is still reported as an error of SQLite', () => {
  const failing = {
    prepare: () => ({
      run() {
        throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
      },
    }),
  }
  expect(() => saveInbox(failing as unknown as DatabaseSync, dir, AT)).toThrow(
    expect.objectContaining({ name: 'BnplError', kind: 'output' }),
  )
  expect(existsSync(join(dir, NAME))).toBe(false)
})

test('saved inboxes are listed oldest first; empty files, other files and folders are left out', () => {
  const database = (name: string) => {
    using db = new DatabaseSync(join(dir, name))
    db.exec('CREATE TABLE t (a)')
  }
  database('inbox-saved-2026-03-02T00-00-00-000Z.db')
  database('inbox-saved-2026-03-01T00-00-00-000Z.db')
  database('inbox-saved-2026-03-01T00-00-00-000Z.db-journal')
  database('inbox.db')
  database('inbox-saved-mine.db')
  writeFileSync(join(dir, 'inbox-saved-2026-03-03T00-00-00-000Z.db'), '')
  writeFileSync(join(dir, 'inbox-saved-2026-03-04T00-00-00-000Z.db'), 'text')
  mkdirSync(join(dir, 'inbox-saved-2026-03-05T00-00-00-000Z.db'))
  expect(savedInboxes(dir)).toEqual([
    join(dir, 'inbox-saved-2026-03-01T00-00-00-000Z.db'),
    join(dir, 'inbox-saved-2026-03-02T00-00-00-000Z.db'),
  ])
})

test('the commands that put a saved inbox back remove the log of the present one first', () => {
  expect(putBack('/s/saved.db', '/s/inbox.db')).toBe(
    'rm -f /s/inbox.db-wal /s/inbox.db-shm; mv /s/saved.db /s/inbox.db',
  )
})
