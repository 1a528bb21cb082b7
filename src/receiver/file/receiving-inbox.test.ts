import { mkdtempSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timesOpen } from '../../../test/kit/open-files.ts'
import type { Arrival, Inbox } from '../inbox.ts'
import { type SyncFile, syncData } from './commits.ts'
import { openInboxThread } from './receiving-inbox.ts'

let dir: string
let inbox: Inbox
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-inbox-'))
})
afterEach(async () => {
  await inbox.close()
  rmSync(dir, { recursive: true, force: true })
})

const notices: string[] = []
const open = async (syncFile: SyncFile = syncData): Promise<void> => {
  notices.length = 0
  inbox = await openInboxThread(dir, (text) => notices.push(text), syncFile)
}
const commit = (eventId: string, body: Uint8Array = Buffer.from('{}'), begun = () => {}, forward = false) => {
  const arrival: Arrival = {
    destination: '/webhooks',
    scheme: 'hmac',
    eventId,
    event: 'loan_approved',
    odd: null,
    body,
    contentType: null,
    signature: null,
    receivedAt: 1000,
    forward,
  }
  return inbox.commit({ arrivals: [arrival], forwards: [], emittedUpTo: undefined }, begun)
}

test('a record is acknowledged after a sync that began after it was written [row 68]', async () => {
  const syncs: (() => void)[] = []
  await open(() => new Promise((resolve) => syncs.push(resolve)))
  const told: string[] = []
  const first = commit('e1').then(() => told.push('e1'))
  await expect.poll(() => syncs.length).toBe(1)
  const second = commit('e2').then(() => told.push('e2'))
  await expect.poll(() => inbox.find({ limit: 10 })).toHaveLength(2)
  // The running sync may have missed the second record.
  syncs[0]?.()
  await first
  expect(told).toEqual(['e1'])
  await expect.poll(() => syncs.length).toBe(2)
  syncs[1]?.()
  await second
})

test('an event is printed and forwarded only after its sync, although it can be read before', async () => {
  const syncs: (() => void)[] = []
  await open(() => new Promise((resolve) => syncs.push(resolve)))
  const forwarded = (eventId: string) => commit(eventId, undefined, undefined, true)
  const ids = async () => [
    (await inbox.emittable(0, 9)).map(({ eventId }) => eventId),
    (await inbox.waiting('/webhooks', 0, 9)).map(({ eventId }) => eventId),
  ]
  const stored = [forwarded('e1'), forwarded('e1'), forwarded('e2')]
  await expect.poll(() => inbox.find({ limit: 10 })).toHaveLength(2)
  expect(await ids()).toEqual([[], []])
  syncs[0]?.()
  await stored[0]
  // One more sync is enough for the two batches that were written during the first.
  expect(await ids()).toEqual([['e1'], ['e1']])
  await expect.poll(() => syncs.length).toBe(2)
  syncs[1]?.()
  await Promise.all(stored)
  expect(await ids()).toEqual([
    ['e1', 'e2'],
    ['e1', 'e2'],
  ])
})

test('a batch is reported as begun only after its sync has begun', async () => {
  const syncs: (() => void)[] = []
  await open(() => new Promise((resolve) => syncs.push(resolve)))
  const told: string[] = []
  const stored = commit('e1', undefined, () => told.push(`begun with ${syncs.length} sync`)).then(() =>
    told.push('stored'),
  )
  await expect.poll(() => told).toEqual(['begun with 1 sync'])
  syncs[0]?.()
  await stored
  expect(told).toEqual(['begun with 1 sync', 'stored'])
})

test('after a failed sync no delivery is acknowledged [row 68]', async () => {
  let works = false
  await open(async () => {
    if (!works) throw Object.assign(new Error('EIO'), { code: 'EIO' })
  })
  await expect(commit('e1')).rejects.toMatchObject({ kind: 'output', code: 'DISK_FAILED' })
  works = true
  await expect(commit('e1')).rejects.toMatchObject({ code: 'DISK_FAILED' })
  await expect(inbox.probe()).rejects.toMatchObject({ code: 'DISK_FAILED' })
})

test('pages that were moved into the database are also synced, and a failure of that sync is also final [row 68]', async () => {
  let moved = 0
  await open(async (file) => {
    if (!readlinkSync(`/proc/self/fd/${file}`).endsWith('inbox.db')) return
    moved++
    throw Object.assign(new Error('EIO'), { code: 'EIO' })
  })
  const body = Buffer.alloc(1024 * 1024, 'x')
  const fill = async () => {
    for (let i = 0; i < 200; i++) await commit(`e${i}`, body)
  }
  await expect(fill()).rejects.toMatchObject({ code: 'DISK_FAILED' })
  expect(moved).toBe(1)
})

test('while another process writes, batches wait in order without blocking the thread', async () => {
  await open()
  await commit('e1')
  using other = new DatabaseSync(join(dir, 'inbox.db'))
  other.exec('BEGIN IMMEDIATE')
  const waiting = Promise.all([commit('e2'), commit('e3')])
  // Neither this thread nor reading is blocked.
  for (let i = 0; i < 20; i++) expect(await inbox.find({ limit: 10 })).toHaveLength(1)
  other.exec('COMMIT')
  expect((await waiting).flat().map(({ seq }) => seq)).toEqual([2, 3])
})

test('the log is moved into the database while events arrive, so that the log does not grow without limit', async () => {
  await open(async () => {})
  const body = Buffer.alloc(1024 * 1024, 'x')
  for (let i = 0; i < 120; i++) await commit(`e${i}`, body)
  expect(statSync(join(dir, 'inbox.db-wal')).size).toBeLessThan(60 * 1024 * 1024)
})

test('all calls except storing are answered by the thread with the results of the file inbox', async () => {
  await open()
  await commit('e1')
  await commit('e2')
  await inbox.claim({ pid: process.pid, address: '' })
  await inbox.commit({ arrivals: [], forwards: [], emittedUpTo: 1 })
  expect(await inbox.emittedUpTo()).toBe(1)
  expect((await inbox.emittable(1, 9)).map(({ eventId }) => eventId)).toEqual(['e2'])
  expect([await inbox.waitingDestinations(), await inbox.waiting('/webhooks', 0, 9)]).toEqual([[], []])
  expect(await inbox.backlog()).toEqual({ waiting: 0, oldestAt: null })
  await inbox.confirm(2, { agrees: true, differences: [], at: 5 })
  expect(await inbox.find({ eventId: 'e2', limit: 1 })).toMatchObject([{ confirmation: { at: 5 } }])
  expect(await inbox.prune(5000)).toBe(1)
  await inbox.setOwnDestination('acme', { id: 'd1', url: 'https://shop.example' })
  expect(await inbox.ownDestination('acme')).toEqual({ id: 'd1', url: 'https://shop.example' })
  expect([inbox.shared, inbox.holds()]).toEqual([false, true])
})

test('after closing, a call is refused', async () => {
  await open()
  await inbox.close()
  await expect(inbox.find({ limit: 1 })).rejects.toThrow('the thread of the inbox has ended')
  await open()
})

test('an inbox that cannot be opened is refused, and no file stays open', async () => {
  writeFileSync(join(dir, 'inbox.db'), 'x'.repeat(5000), { mode: 0o600 })
  await expect(openInboxThread(dir, () => {})).rejects.toMatchObject({ kind: 'config' })
  expect(timesOpen(dir)).toBe(0)
  rmSync(join(dir, 'inbox.db'))
  await open()
})

test('failures and notices of the thread reach the caller', async () => {
  await open()
  using other = new DatabaseSync(join(dir, 'inbox.db'))
  other.exec('ALTER TABLE facts RENAME TO hidden')
  await expect(inbox.setOwnDestination('acme', { id: 'd1', url: 'https://shop.example' })).rejects.toMatchObject({
    kind: 'config',
    code: 'STATE_UNUSABLE',
  })
  other.exec('ALTER TABLE hidden RENAME TO facts')
  rmSync(join(dir, 'inbox.db'))
  await expect(inbox.probe()).rejects.toMatchObject({ code: 'INBOX_LOST' })
  await expect.poll(() => notices.join()).toContain('All acknowledged events are saved in ')
  await inbox.close()
  for (const end of ['-wal', '-shm']) rmSync(join(dir, `inbox.db${end}`), { force: true })
  await open()
  await inbox.claim({ pid: process.pid, address: '' })
  await expect.poll(() => notices.join()).toContain('contains the events of an inbox that was lost')
})
