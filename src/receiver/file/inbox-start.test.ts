import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timesOpen } from '../../../test/kit/open-files.ts'
import { arrival, batch } from '../../../test/receiver/inbox-kit.ts'
import { type FileInbox, openInbox } from './inbox.ts'
import { openInboxFile } from './inbox-file.ts'

let dir: string
let path: string
const opened: FileInbox[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-start-'))
  path = join(dir, 'inbox.db')
})
afterEach(async () => {
  for (const inbox of opened.splice(0)) await inbox.close()
  rmSync(dir, { recursive: true, force: true })
})

async function open(): Promise<FileInbox> {
  const inbox = await openInbox(dir)
  opened.push(inbox)
  return inbox
}
const OWNER = { pid: process.pid, address: '' }

function rows(sql: string): Record<string, unknown>[] {
  using db = new DatabaseSync(path)
  return db.prepare(sql).all()
}

test('an inbox that was emptied beside the files of a receiver is refused and not replaced', async () => {
  const inbox = await open()
  await inbox.claim(OWNER)
  await inbox.close()
  opened.length = 0
  for (const name of ['-wal', '-shm']) rmSync(`${path}${name}`, { force: true })
  truncateSync(path, 0)
  await expect(openInbox(dir)).rejects.toMatchObject({ kind: 'config', code: 'STATE_DAMAGED' })
  expect(statSync(path).size).toBe(0)
})

test('a damaged inbox cannot be claimed', async () => {
  const inbox = await open()
  await inbox.commit(batch(Array.from({ length: 200 }, (_, i) => arrival(`e${i}`))))
  await inbox.close()
  opened.length = 0
  const [page] = rows(`SELECT pageno FROM dbstat WHERE name = 'seen' AND pagetype = 'leaf' LIMIT 1`)
  const content = readFileSync(path)
  content.fill(0xff, (Number(page?.pageno) - 1) * 8192 + 4000, Number(page?.pageno) * 8192)
  writeFileSync(path, content)
  const again = await open()
  await expect(again.claim(OWNER)).rejects.toMatchObject({ kind: 'config', code: 'STATE_DAMAGED' })
})

test('an inbox cannot be claimed if the reserve file has other content', async () => {
  const inbox = await open()
  writeFileSync(join(dir, 'inbox.reserve'), 'notes')
  await expect(inbox.claim(OWNER)).rejects.toMatchObject({ code: 'RESERVE_UNUSABLE' })
})

test('an inbox that cannot be written cannot be claimed, and a probe of the inbox fails', async () => {
  const inbox = await open()
  rows('ALTER TABLE facts RENAME TO hidden')
  await expect(inbox.claim(OWNER)).rejects.toMatchObject({ kind: 'config' })
  await expect(inbox.probe()).rejects.toMatchObject({ kind: 'config' })
  rows('ALTER TABLE hidden RENAME TO facts')
  expect(await inbox.probe()).toBeUndefined()
})

test('a large probe frees its space for the next delivery', async () => {
  const { db, writer } = await openInboxFile(dir, 'OFF', () => {})
  const probed = () => String(db.prepare(`SELECT value FROM facts WHERE name = 'probe'`).get()?.value)
  writer.probe(0)
  expect(probed()).toMatch(/^0\.\d+$/)
  writer.probe(100_000)
  expect(probed()).toBe('')
  db.close()
})

test('a checkpoint moves the log into the database', async () => {
  const inbox = await open()
  await inbox.commit(batch([arrival('an-id-to-look-for')]))
  const isMoved = () => readFileSync(path).includes('an-id-to-look-for')
  expect(isMoved()).toBe(false)
  await inbox.checkpoint()
  expect(isMoved()).toBe(true)
})

test('nothing of an inbox stays open after its end', async () => {
  const inbox = await open()
  await inbox.claim(OWNER)
  await inbox.commit(batch([arrival('e1')]))
  expect(timesOpen(dir)).toBeGreaterThan(0)
  await inbox.close()
  opened.length = 0
  expect(timesOpen(dir)).toBe(0)
})

test('on a full disk the operator is asked to make room, the log is emptied, and the delivery is stored', async () => {
  const notices: string[] = []
  const sizes: number[] = []
  const { db, writer, reserve, stored } = await openInboxFile(dir, 'OFF', (text) => {
    notices.push(text)
    sizes.push(statSync(`${path}-wal`).size)
    // SQLite reports the limit as a full disk. Raise it here, because freeing the reserve would have made room.
    db.exec('PRAGMA max_page_count = 100000')
  })
  reserve.restore()
  stored(() => writer.commit(batch([arrival('e1', { body: Buffer.alloc(500_000) })])))
  const { page_count } = db.prepare('PRAGMA page_count').get() ?? {}
  db.exec(`PRAGMA max_page_count = ${page_count}`)
  const recorded = stored(() => writer.commit(batch([arrival('e2', { body: Buffer.alloc(100_000) })])))
  expect(recorded).toMatchObject([{ fate: 'new' }])
  expect(notices).toEqual(['the disk is full, so the inbox uses its reserve of 4 MiB. Make room now'])
  expect(sizes[0]).toBeGreaterThan(500_000)
  expect(statSync(`${path}-wal`).size).toBeLessThan(300_000)
  db.close()
})

test('other bodies are separate variants for each event and each destination', async () => {
  const inbox = await open()
  const other = (id: string, text: string) => arrival(id, { body: Buffer.from(text) })
  await inbox.commit(batch([arrival('e1'), arrival('e2'), arrival('e1', { destination: '/other' })]))
  const recorded = await inbox.commit(
    batch([other('e1', 'x'), other('e1', 'y'), other('e2', 'x'), { ...other('e1', 'x'), destination: '/other' }]),
  )
  expect(recorded.map(({ fate }) => fate)).toEqual(['variant', 'variant', 'variant', 'variant'])
})
