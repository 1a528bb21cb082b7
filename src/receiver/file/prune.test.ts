import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { arrival, batch } from '../../../test/receiver/inbox-kit.ts'
import { shortHash } from '../event-key.ts'
import { type FileInbox, openInbox } from './inbox.ts'

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

test('of a pruned event the hash of its body stays; of variants and odd bodies nothing is needed', async () => {
  const body = Buffer.from('{"eventId":"e1"}')
  const other = arrival('e1', { body: Buffer.from('other') })
  const odd = arrival('', { eventId: null, event: null, odd: 'it is not an object', body: Buffer.from('[1]') })
  await inbox.commit(batch([arrival('e1', { body }), other, odd, arrival('last')]))
  await inbox.commit(batch([], { emittedUpTo: 4 }))
  await inbox.confirm(1, { agrees: true, differences: [], at: 5 })
  expect(await inbox.prune(5000)).toBe(3)
  expect(rows('SELECT seq, body FROM seen ORDER BY seq')).toEqual([
    { seq: 1, body: shortHash(body) },
    { seq: 2, body: null },
    { seq: 3, body: null },
    { seq: 4, body: null },
  ])
  expect(rows('SELECT seq FROM events')).toEqual([{ seq: 4 }])
  expect(rows('SELECT seq FROM confirmations')).toEqual([])
})

test('as many are pruned as there are, a few hundred at a time, and the stretches of them go too', async () => {
  const many = Array.from({ length: 2600 }, (_, i) => arrival(`e${i}`))
  await inbox.commit(batch(many, { emittedUpTo: 2600 }))
  expect(rows('SELECT last FROM stretches ORDER BY last')).toEqual([{ last: 1000 }, { last: 2000 }])
  expect(await inbox.prune(1000)).toBe(0)
  expect(await inbox.prune(1001)).toBe(2599)
  expect(rows('SELECT seq FROM events')).toEqual([{ seq: 2600 }])
  expect(rows('SELECT last FROM stretches')).toEqual([])
  expect(await inbox.prune(1001)).toBe(0)
})

test('events that came later are left, also where a clock was put back', async () => {
  const at = (id: string, receivedAt: number) => arrival(id, { receivedAt })
  await inbox.commit(batch([at('a', 1000), at('b', 9000), at('c', 2000), at('d', 9000)], { emittedUpTo: 4 }))
  expect(await inbox.prune(5000)).toBe(2)
  expect(rows('SELECT event_id AS id FROM events ORDER BY seq')).toEqual([{ id: 'b' }, { id: 'd' }])
})
