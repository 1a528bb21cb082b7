import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { arrival, batch } from '../../../test/receiver/inbox-kit.ts'
import { openDatabase } from '../../disk/sqlite.ts'
import { shortHash } from '../inbox.ts'
import { type FileInbox, openInbox } from './inbox.ts'
import { INBOX_FILE } from './inbox-file.ts'
import { INBOX_MIGRATIONS } from './schema.ts'

let dir: string
let inbox: FileInbox
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-prune-'))
  inbox = await openInbox(dir)
})
afterEach(async () => {
  await inbox.close()
  rmSync(dir, { recursive: true, force: true })
})

function rows(sql: string): Record<string, unknown>[] {
  using db = new DatabaseSync(join(dir, 'inbox.db'), { readOnly: true })
  return db.prepare(sql).all()
}

test('pruning keeps the body hash of an event, but no hash of variants and of bodies that are not envelopes', async () => {
  const body = Buffer.from('{"eventId":"e1"}')
  const other = arrival('e1', { body: Buffer.from('other') })
  const odd = arrival('', { eventId: null, event: null, odd: 'it is not an object', body: Buffer.from('[1]') })
  await inbox.commit(batch([arrival('e1', { body }), other, odd, arrival('last')]))
  await inbox.commit(batch([], { emittedUpTo: 4 }))
  await inbox.confirm(1, { agrees: true, differences: [], at: 5 })
  expect(await inbox.prune(5000)).toBe(4)
  expect(rows('SELECT seq, body FROM seen ORDER BY seq')).toEqual([
    { seq: 1, body: shortHash(body) },
    { seq: 2, body: null },
    { seq: 3, body: null },
    { seq: 4, body: shortHash(Buffer.from('{"eventId":"last"}')) },
  ])
  expect(rows('SELECT seq FROM events')).toEqual([])
  expect(rows('SELECT seq FROM confirmations')).toEqual([])
})

test('nothing of a pruned body is left in the file', async () => {
  const short = arrival('short', { body: Buffer.from('{"name":"Canary Short"}') })
  const long = arrival('long', { body: Buffer.from(`{"name":"${'Canary Long '.repeat(5000)}"}`) })
  await inbox.commit(batch([short, long], { emittedUpTo: 2 }))
  expect(await inbox.prune(5000)).toBe(2)
  await inbox.close()
  const files = readdirSync(dir).filter((name) => readFileSync(join(dir, name)).includes('Canary'))
  inbox = await openInbox(dir)
  expect(files).toEqual([])
})

test('pruning removes more old events than one transaction deletes', async () => {
  const many = Array.from({ length: 2600 }, (_, i) => arrival(`e${i}`))
  await inbox.commit(batch(many, { emittedUpTo: 2600 }))
  expect(await inbox.prune(1000)).toBe(0)
  expect(await inbox.prune(1001)).toBe(2600)
  expect(rows('SELECT seq FROM events')).toEqual([])
  expect(await inbox.prune(1001)).toBe(0)
})

test('pruning keeps later events, even if the clock was set back', async () => {
  const at = (id: string, receivedAt: number) => arrival(id, { receivedAt })
  await inbox.commit(batch([at('a', 1000), at('b', 9000), at('c', 2000), at('d', 9000)], { emittedUpTo: 4 }))
  expect(await inbox.prune(5000)).toBe(2)
  expect(rows('SELECT event_id AS id FROM events ORDER BY seq')).toEqual([{ id: 'b' }, { id: 'd' }])
})

async function reopen(): Promise<void> {
  await inbox.close()
  inbox = await openInbox(dir)
}

test('the number of a pruned event is not used again, in whatever order events were pruned', async () => {
  const at = (id: string, receivedAt: number) => arrival(id, { receivedAt })
  await inbox.commit(batch([at('a', 1000), at('b', 9000), at('c', 2000)], { emittedUpTo: 3 }))
  expect(await inbox.prune(5000)).toBe(2)
  // The last event that is pruned has a lower number than one that was pruned before.
  expect(await inbox.prune(10_000)).toBe(1)
  expect(await inbox.commit(batch([arrival('d')]))).toEqual([{ fate: 'new', seq: 4 }])
  expect(await inbox.commit(batch([], { emittedUpTo: 4 }))).toEqual([])
  expect(await inbox.prune(5000)).toBe(1)
  await reopen()
  expect(await inbox.prune(5000)).toBe(0)
  expect(await inbox.commit(batch([arrival('e'), arrival('f')]))).toMatchObject([{ seq: 5 }, { seq: 6 }])
  expect((await inbox.emittable(await inbox.emittedUpTo(), 9)).map(({ seq }) => seq)).toEqual([5, 6])
})

test('the number of a pruned event is not used again in an inbox of an older version', async () => {
  const older = mkdtempSync(join(dir, 'older-'))
  const steps = INBOX_MIGRATIONS.slice(
    0,
    INBOX_MIGRATIONS.findIndex((sql) => sql.includes('pruned_up_to')),
  )
  const { db } = await openDatabase(older, { name: INBOX_FILE, steps, synchronous: 'OFF' }, () => {})
  db.exec(`INSERT INTO destinations (name, forwarded_up_to) VALUES ('/webhooks', 7);
    INSERT INTO facts (name, value) VALUES ('emitted_up_to', '7');
    INSERT INTO events (seq, destination, scheme, fate, body, received_at, forward) VALUES (7, 1, 'hmac', 'new', x'7b7d', 1000, 1)`)
  db.close()
  const updated = await openInbox(older)
  try {
    expect(await updated.commit(batch([arrival('a', { receivedAt: 9000 })]))).toEqual([{ fate: 'new', seq: 8 }])
    await updated.commit(batch([], { emittedUpTo: 8 }))
    expect(await updated.prune(10_000)).toBe(2)
    expect(await updated.commit(batch([arrival('b', { forward: true })]))).toEqual([{ fate: 'new', seq: 9 }])
    expect((await updated.waiting('/webhooks', 0, 9)).map(({ seq }) => seq)).toEqual([9])
  } finally {
    await updated.close()
  }
})
