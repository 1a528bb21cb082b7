import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test } from 'vitest'
import { startHandler } from './handler.ts'
import { cleanUp, deliver, deliverAll, folder, type Listener, startHere, startListener, until } from './listener.ts'

afterEach(cleanUp)

const ids = (listener: Listener) => listener.events().map(({ eventId }) => eventId)

/** Returns the events in the inbox of a running listener. */
function inboxOf(dir: string): { eventId: string; fate: string; body: string }[] {
  using db = new DatabaseSync(join(dir, 'state/inbox.db'), { readOnly: true })
  return db
    .prepare('SELECT event_id AS eventId, fate, body FROM events ORDER BY seq')
    .all()
    .map(({ eventId, fate, body }) => ({
      eventId: String(eventId),
      fate: String(fate),
      body: Buffer.from(body as Uint8Array).toString(),
    }))
}

test('1,000 simultaneous copies of an event are all acknowledged, and the event is emitted once [row 54]', async () => {
  const listener = await startHere()
  const statuses = await deliverAll(
    listener,
    Array.from({ length: 1000 }, () => ({ eventId: 'same' })),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect((await deliver(listener, { eventId: 'last' })).status).toBe(200)
  await until(() => ids(listener).includes('last'))
  expect(ids(listener)).toEqual(['same', 'last'])
})

test('events that were emitted are known after a restart, and not emitted again [row 55]', async () => {
  const first = await startHere()
  await deliver(first, { eventId: 'e1' })
  await until(() => ids(first).length === 1)
  expect(await first.end('SIGTERM')).toBe(143)
  const second = await startHere({ dir: first.dir })
  expect((await deliver(second, { eventId: 'e1' })).status).toBe(200)
  await deliver(second, { eventId: 'e2' })
  await until(() => ids(second).length === 1)
  expect(ids(second)).toEqual(['e2'])
})

test('another body under the same eventId is acknowledged, kept, warned about, and not emitted [row 56]', async () => {
  const listener = await startHere()
  await deliver(listener, { eventId: 'e1', data: { loanAmount: 1 } })
  expect((await deliver(listener, { eventId: 'e1', data: { loanAmount: 2 } })).status).toBe(200)
  await deliver(listener, { eventId: 'e2' })
  await until(() => ids(listener).length === 2)
  expect(ids(listener)).toEqual(['e1', 'e2'])
  await expect.poll(() => listener.stderr()).toContain('e1 arrived again with another body')
  expect(inboxOf(listener.dir).map(({ eventId, fate }) => [eventId, fate])).toEqual([
    ['e1', 'new'],
    ['e1', 'variant'],
    ['e2', 'new'],
  ])
})

test('a verified body that is not an event is acknowledged and stored unchanged; an unverified body is not stored [row 60]', async () => {
  const listener = await startHere()
  const odd = ['[1,2]', '"text"', 'null', '{"data":{}}', '{"eventId":7.5e400,"data":1}', 'not json', '']
  expect(
    new Set(
      await deliverAll(
        listener,
        odd.map((body) => ({ body })),
      ),
    ),
  ).toEqual(new Set([200]))
  await deliverAll(
    listener,
    odd.map((body) => ({ body: `${body} `, secret: 'wrong' })),
  )
  // An event with unknown fields is stored and printed like any other.
  const fields = Object.fromEntries(Array.from({ length: 52 }, (_, i) => [`campo${i}`, i]))
  expect((await deliver(listener, { eventId: 'many', data: fields })).status).toBe(200)
  await until(() => ids(listener).includes('many'))
  expect(ids(listener)).toEqual(['many'])
  const kept = inboxOf(listener.dir).filter(({ fate }) => fate === 'quarantined')
  expect(kept.map(({ body }) => body).sort()).toEqual([...odd].sort())
  await expect.poll(() => listener.stderr()).toContain('quarantine')
})

test('with no room left there is no 200 without a record, and stderr says so [row 66]', async () => {
  // Files may not exceed 2 MiB, so the reserve cannot be made, and the database reaches the limit.
  const listener = await startListener({ before: 'ulimit -f 2048' })
  const acknowledged: string[] = []
  let refused = 0
  for (let i = 0; refused < 3 && i < 200; i++) {
    const { status } = await deliver(listener, { eventId: `e${i}`, data: 'x'.repeat(50_000) })
    if (status === 200) acknowledged.push(`e${i}`)
    else {
      expect(status).toBe(503)
      refused++
    }
  }
  expect(refused).toBe(3)
  await expect.poll(() => listener.stderr()).toContain('NOT STORED')
  // Small events may still have fitted. Every acknowledged event is stored.
  await listener.end('SIGKILL')
  const kept = inboxOf(listener.dir).map(({ eventId }) => eventId)
  expect(acknowledged.length).toBeGreaterThan(10)
  expect(kept).toEqual(expect.arrayContaining(acknowledged))
})

test('a receiver creates a reserve of 4 MiB when it starts [row 66]', async () => {
  const listener = await startHere()
  expect(statSync(join(listener.dir, 'state/inbox.reserve')).size).toBe(4 * 1024 * 1024)
})

test('after kill -9 under load, every acknowledged event is stored once, and every stored event is emitted [row 67]', async () => {
  const dir = folder()
  const acknowledged = new Set<string>()
  const emitted: string[] = []
  for (let round = 0; round < 3; round++) {
    const listener = await startListener({ dir })
    let killed = false
    const senders = Array.from({ length: 20 }, async (_, sender) => {
      for (let i = 0; !killed; i++) {
        const eventId = `${round}-${sender}-${i}`
        if ((await deliver(listener, { eventId })).status === 200) acknowledged.add(eventId)
      }
    })
    const enough = acknowledged.size + 150
    await until(() => acknowledged.size > enough)
    listener.child.kill('SIGKILL')
    await listener.ended
    killed = true
    await Promise.all(senders)
    emitted.push(...ids(listener))
  }
  const last = await startListener({ dir })
  await deliver(last, { eventId: 'the-end' })
  await until(() => ids(last).includes('the-end'))
  emitted.push(...ids(last))
  const kept = inboxOf(dir).map(({ eventId }) => eventId)
  expect(kept.length).toBe(new Set(kept).size)
  expect(kept).toEqual(expect.arrayContaining([...acknowledged]))
  // Each event is printed at least once. An event that was printed and not yet noted when the receiver was killed is printed again, with
  // the same eventId.
  expect(new Set(emitted)).toEqual(new Set(kept))
})

describe('a disk that waits or fails', () => {
  /** Starts a listener whose disk syncs wait while `dir/hold` exists, and fail while `dir/fail` exists. */
  async function startOnBadDisk(args: readonly string[] = []) {
    const dir = folder()
    const preload = join(dir, 'bad-disk.cjs')
    writeFileSync(
      preload,
      `const fs = require('node:fs')
       const sync = fs.fdatasync
       fs.fdatasync = (file, done) => {
         if (fs.existsSync(${JSON.stringify(join(dir, 'hold'))})) return setTimeout(() => fs.fdatasync(file, done), 10)
         if (fs.existsSync(${JSON.stringify(join(dir, 'fail'))})) return done(Object.assign(new Error('EIO'), { code: 'EIO' }))
         sync(file, done)
       }`,
    )
    const listener = await startListener({ dir, args, env: { NODE_OPTIONS: `--require ${preload}` } })
    return { listener, hold: join(dir, 'hold'), fail: join(dir, 'fail') }
  }

  test('no event is acknowledged, printed or forwarded before it is synced to the disk [row 68]', async () => {
    const first = Promise.withResolvers<number>()
    const handler = await startHandler((_, count) => (count === 1 ? first.promise : 200))
    const { listener, hold } = await startOnBadDisk(['--forward-to', handler.url])
    for (const eventId of ['e1', 'e2']) expect((await deliver(listener, { eventId })).status).toBe(200)
    await until(() => handler.handled.length === 1 && ids(listener).length === 2)
    writeFileSync(hold, '')
    let answered = 0
    const delivery = deliver(listener, { eventId: 'held' }).then(({ status }) => {
      answered = status
    })
    await until(() => inboxOf(listener.dir).length === 3)
    // The event is written but not synced. The forwarder now reads all events that wait, and sends the second one.
    first.resolve(200)
    await until(() => handler.handled.length >= 2)
    // The listener answers other requests meanwhile, so an early acknowledgement or attempt would have arrived.
    for (let i = 0; i < 20; i++) expect((await deliver(listener, { method: 'GET', path: '/healthz' })).status).toBe(200)
    expect(answered).toBe(0)
    expect(ids(listener)).toEqual(['e1', 'e2'])
    expect(handler.handled.map(({ eventId }) => eventId)).toEqual(['e1', 'e2'])
    rmSync(hold)
    await delivery
    expect(answered).toBe(200)
    await until(() => ids(listener).length === 3 && handler.handled.length === 3)
    await handler.stop()
  })

  test('after one failed sync every delivery is 503 until the next start [row 68]', async () => {
    const { listener, fail } = await startOnBadDisk()
    expect((await deliver(listener, { eventId: 'before' })).status).toBe(200)
    writeFileSync(fail, '')
    expect((await deliver(listener, { eventId: 'lost' })).status).toBe(503)
    rmSync(fail)
    // The kernel may have discarded the bytes that it could not write, so a later successful sync proves nothing.
    expect((await deliver(listener, { eventId: 'lost' })).status).toBe(503)
    await expect.poll(() => listener.stderr()).toMatch(/NOT STORED.*could not be synced to the disk.*started again/s)
    expect(ids(listener)).toEqual(['before'])
    await listener.end('SIGTERM')
    const next = await startListener({ dir: listener.dir })
    expect((await deliver(next, { eventId: 'lost' })).status).toBe(200)
    await until(() => ids(next).includes('lost'))
  })

  test('after a failed sync the listener reports the events that were not stored, and ends with 13', async () => {
    let isBroken = false
    const handler = await startHandler(async () => {
      await until(() => isBroken)
      return 200
    })
    const { listener, fail } = await startOnBadDisk(['--forward-to', handler.url])
    await deliver(listener, { eventId: 'e1' })
    await until(() => handler.handled.length === 1)
    writeFileSync(fail, '')
    isBroken = true
    await until(() => listener.stderr().includes('NOT STORED'))
    expect(await listener.end('SIGTERM')).toBe(13)
    expect(existsSync(join(listener.dir, 'ready.json'))).toBe(false)
    await handler.stop()
  })
})

test('of two listeners on one inbox the second ends with 3 and names the first [row 92]', async () => {
  const first = await startListener()
  const second = await startListener({ dir: first.dir, unready: true })
  expect(await second.ended).toBe(3)
  await expect.poll(() => second.stderr()).toContain(`pid ${first.pid}`)
  // A killed receiver leaves no lock.
  await first.end('SIGKILL')
  const third = await startListener({ dir: first.dir })
  expect((await deliver(third)).status).toBe(200)
  expect(execFileSync('ls', [join(first.dir, 'state')]).toString()).toContain('inbox.lock')
})
