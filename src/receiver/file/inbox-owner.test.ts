import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { arrival, batch } from '../../../test/receiver/inbox-kit.ts'
import { type FileInbox, openInbox } from './inbox.ts'

let dir: string
let inbox: FileInbox
const notices: string[] = []
const open = async () => {
  inbox = await openInbox(dir, (text) => notices.push(text))
}
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-inbox-'))
  notices.length = 0
  await open()
})
afterEach(async () => {
  await inbox.close().catch(() => {})
  rmSync(dir, { recursive: true, force: true })
})

test('in a file inbox, every destination belongs to the one receiver, and no changes by others are reported', async () => {
  const news: unknown[] = []
  inbox.watch(
    (each) => news.push(each),
    (error) => news.push(error),
  )
  expect([inbox.shared, inbox.holds(), inbox.holds('/webhooks'), await inbox.take('/webhooks')]).toEqual([
    false,
    true,
    true,
    true,
  ])
  expect(await inbox.release('/webhooks')).toBeUndefined()
  expect(news).toEqual([])
})

test('a receiver gets a notice of each saved inbox, with the commands that restore the inbox', async () => {
  await inbox.commit(batch([arrival('e1')]))
  const saved = await inbox.save()
  await inbox.claim({ pid: process.pid, address: '' })
  const path = join(dir, 'inbox.db')
  expect(notices).toEqual([
    `${saved} contains the events of an inbox that was lost. If you do not need these events, remove the file. To replace the present inbox with it, stop the receiver, run this command, and start the receiver again: rm -f ${path}-wal ${path}-shm; mv ${saved} ${path}`,
  ])
})

test('a removed lock is restored only after the inbox was claimed, and closing releases the claim', async () => {
  await inbox.keepClaim()
  await inbox.claim({ pid: process.pid, address: '' })
  rmSync(join(dir, 'inbox.lock'))
  await inbox.keepClaim()
  expect(notices).toEqual([
    `${join(dir, 'inbox.lock')} was removed or renamed while this receiver ran; it was created again`,
  ])
  await inbox.close()
  await open()
  await inbox.claim({ pid: process.pid, address: '' })
})

test('a destination that an earlier version stored without an account is returned for any account, once', async () => {
  const earlier = { id: 'd0', url: 'https://shop.example/hook' }
  const storeEarlier = () => {
    using db = new DatabaseSync(join(dir, 'inbox.db'))
    db.prepare(`INSERT INTO facts (name, value) VALUES ('own_destination', ?)`).run(JSON.stringify(earlier))
  }
  storeEarlier()
  expect(await inbox.ownDestination('acme')).toEqual(earlier)
  await inbox.setOwnDestination('acme', { ...earlier, id: 'd1' })
  expect(await inbox.ownDestination('acme')).toMatchObject({ id: 'd1' })
  expect(await inbox.ownDestination('other')).toBeUndefined()
  storeEarlier()
  await inbox.setOwnDestination('other', undefined)
  expect(await inbox.ownDestination('other')).toBeUndefined()
})

test('events are found by id, number, state and time, newest first, with all stored fields', async () => {
  const one = arrival('e1', { body: Buffer.from('{"a":1}'), receivedAt: 1000, contentType: null, signature: null })
  const two = arrival('e2', { scheme: 'token', event: 'new_lead', forward: true, receivedAt: 2000 })
  await inbox.commit(batch([one, two, arrival('e3', { forward: true, destination: '/other' })]))
  await inbox.commit(
    batch([], {
      forwards: [
        { seq: 2, receivedAt: 2000, state: 'retrying', attempts: 3, status: 500, error: 'no', ms: 4.6, at: 9 },
      ],
    }),
  )
  await inbox.confirm(2, { agrees: false, differences: ['rut'], at: 5 })
  const [event] = await inbox.find({ eventId: 'e1', limit: 5 })
  expect({ ...event, body: String(Buffer.from(event?.body ?? [])) }).toEqual({
    seq: 1,
    place: 1,
    fate: 'new',
    variantOf: null,
    destination: '/webhooks',
    scheme: 'hmac',
    eventId: 'e1',
    event: 'loan_approved',
    odd: null,
    body: '{"a":1}',
    contentType: null,
    signature: null,
    receivedAt: 1000,
    confirmation: null,
    forwarding: null,
  })
  const found = async (query: Parameters<FileInbox['find']>[0]) => (await inbox.find(query)).map(({ seq }) => seq)
  expect(await found({ limit: 2 })).toEqual([3, 2])
  expect(await found({ seq: 2, limit: 9 })).toEqual([2])
  expect(await found({ eventId: 'none', limit: 9 })).toEqual([])
  expect(await found({ since: 2000, seq: 2, state: 'retrying', limit: 9 })).toEqual([2])
  expect(await found({ since: 2001, limit: 9 })).toEqual([])
  for (const [state, seqs] of [
    ['stored', [1]],
    ['waiting', [3]],
    ['retrying', [2]],
    ['delivered', []],
    ['dead', []],
    ['variant', []],
    ['quarantined', []],
  ] as const)
    expect([state, await found({ state, limit: 9 })]).toEqual([state, seqs])
  expect(await inbox.find({ seq: 2, limit: 1 })).toMatchObject([
    {
      confirmation: { agrees: false, differences: ['rut'], at: 5 },
      forwarding: { state: 'retrying', attempts: 3, status: 500, error: 'no', ms: 5 },
    },
  ])
  expect(await inbox.find({ seq: 3, limit: 1 })).toMatchObject([
    { forwarding: { state: 'waiting', attempts: 0, status: null, error: null, ms: null } },
  ])
  await inbox.confirm(2, { agrees: true, differences: [], at: 6 })
  expect(await inbox.find({ seq: 2, limit: 1 })).toMatchObject([{ confirmation: { agrees: true, at: 6 } }])
  expect([...(await inbox.waitingDestinations())].sort()).toEqual(['/other', '/webhooks'])
  expect((await inbox.waiting('/webhooks', 0, 9)).map(({ seq }) => seq)).toEqual([2])
  expect(await inbox.waiting('/webhooks', 2, 9)).toEqual([])
})

test('a body that is not an envelope is identified by its bytes, and a variant by event id and bytes', async () => {
  const odd = (body: string, eventId: string | null) =>
    arrival('', { eventId, event: null, odd: 'it has no data', body: Buffer.from(body) })
  const other = (eventId: string, text: string) => arrival(eventId, { body: Buffer.from(text) })
  const recorded = await inbox.commit(
    batch([odd('[1]', null), odd('[1]', 'e1'), odd('[2]', 'e1'), arrival('e1'), other('e1', 'x'), other('e1', 'x')]),
  )
  expect(recorded).toEqual([
    { fate: 'quarantined', seq: 1 },
    { fate: 'duplicate', seq: 1 },
    { fate: 'quarantined', seq: 2 },
    { fate: 'new', seq: 3 },
    { fate: 'variant', seq: 4 },
    { fate: 'duplicate', seq: 4 },
  ])
})
