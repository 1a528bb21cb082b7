import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { cleanUp, deliver, deliverAll, folder, type Listener, startListener, until } from './listener.ts'

afterEach(cleanUp)

const ids = (listener: Listener) => listener.events().map(({ eventId }) => eventId)

/** What is in the inbox of a listener, read beside it. */
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

test('row 54: of 1,000 copies at once all are acknowledged and one is emitted', async () => {
  const listener = await startListener()
  const statuses = await deliverAll(
    listener,
    Array.from({ length: 1000 }, () => ({ eventId: 'same' })),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect((await deliver(listener, { eventId: 'last' })).status).toBe(200)
  await until(() => ids(listener).includes('last'))
  expect(ids(listener)).toEqual(['same', 'last'])
})

test('row 55: after a restart what was emitted is known, and not emitted again', async () => {
  const first = await startListener()
  await deliver(first, { eventId: 'e1' })
  await until(() => ids(first).length === 1)
  expect(await first.end('SIGTERM')).toBe(143)
  const second = await startListener({ dir: first.dir })
  expect((await deliver(second, { eventId: 'e1' })).status).toBe(200)
  await deliver(second, { eventId: 'e2' })
  await until(() => ids(second).length === 1)
  expect(ids(second)).toEqual(['e2'])
})

test('row 56: another body under the same eventId is acknowledged, kept, warned about, and not emitted', async () => {
  const listener = await startListener()
  await deliver(listener, { eventId: 'e1', data: { loanAmount: 1 } })
  expect((await deliver(listener, { eventId: 'e1', data: { loanAmount: 2 } })).status).toBe(200)
  await deliver(listener, { eventId: 'e2' })
  await until(() => ids(listener).length === 2)
  expect(ids(listener)).toEqual(['e1', 'e2'])
  expect(listener.stderr()).toContain('e1 came again with another body')
  expect(inboxOf(listener.dir).map(({ eventId, fate }) => [eventId, fate])).toEqual([
    ['e1', 'new'],
    ['e1', 'variant'],
    ['e2', 'new'],
  ])
})

test('row 60: what is verified and odd is acknowledged and kept raw; what is not verified leaves nothing', async () => {
  const listener = await startListener()
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
  // Fields that nobody knows are no reason to keep an event from anybody.
  const fields = Object.fromEntries(Array.from({ length: 52 }, (_, i) => [`campo${i}`, i]))
  expect((await deliver(listener, { eventId: 'many', data: fields })).status).toBe(200)
  await until(() => ids(listener).includes('many'))
  expect(ids(listener)).toEqual(['many'])
  const kept = inboxOf(listener.dir).filter(({ fate }) => fate === 'quarantined')
  expect(kept.map(({ body }) => body).sort()).toEqual([...odd].sort())
  expect(listener.stderr()).toContain('quarantine')
})

test('row 66: with no room left there is no 200 without a record, and it says so loudly', async () => {
  // 2 MiB a file: the reserve cannot be made, and the database runs into the limit.
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
  expect(listener.stderr()).toContain('NOT STORED')
  // It goes on where there is room: what is small may still fit, and what was acknowledged is there.
  await listener.end('SIGKILL')
  const kept = inboxOf(listener.dir).map(({ eventId }) => eventId)
  expect(acknowledged.length).toBeGreaterThan(10)
  expect(kept).toEqual(expect.arrayContaining(acknowledged))
})

test('row 66: a reserve is kept from the start', async () => {
  const listener = await startListener()
  expect(statSync(join(listener.dir, 'state/inbox.reserve')).size).toBe(4 * 1024 * 1024)
})

test('row 67: after kill -9 under load every acknowledged event is there once, and none is lost on the way out', async () => {
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
  // Emitted at least once: what was written and not yet noted when it was killed comes again, with the same eventId.
  expect(new Set(emitted)).toEqual(new Set(kept))
})

test('row 68: the disk is synced before the answer leaves', async () => {
  const dir = folder()
  const trace = join(dir, 'trace')
  if (spawnSync('strace', ['-V']).status !== 0) {
    // Without a tracer: at least the database is told to.
    expect(readFileSync('src/receiver/inbox-sqlite.ts', 'utf8')).toContain("synchronous: 'FULL'")
    return
  }
  const listener = await startListener({ dir, before: `exec 3>&1` })
  const tracer = (await import('node:child_process')).spawn('strace', [
    ...[
      '-f',
      '-y',
      '-e',
      'trace=fdatasync,fsync,write,writev,sendto',
      '-s',
      '32',
      '-o',
      trace,
      '-p',
      String(listener.pid),
    ],
  ])
  await new Promise((resolve) => tracer.stderr.once('data', resolve))
  expect((await deliver(listener, { eventId: 'traced' })).status).toBe(200)
  await listener.end('SIGTERM')
  await new Promise((resolve) => tracer.once('close', resolve))
  const lines = readFileSync(trace, 'utf8').split('\n')
  const answered = lines.findIndex((line) => /(write|writev|sendto)\(.*HTTP\/1.1 200/.test(line))
  const synced = lines.findIndex((line) => /f(data)?sync\(.*inbox\.db-wal/.test(line))
  expect(answered).toBeGreaterThan(0)
  expect(synced).toBeGreaterThanOrEqual(0)
  expect(synced).toBeLessThan(answered)
})

test('row 92: of two listeners on one inbox the second ends with 3 and names the first', async () => {
  const first = await startListener()
  const second = await startListener({ dir: first.dir, unready: true })
  expect(await second.ended).toBe(3)
  expect(second.stderr()).toContain(`pid ${first.pid}`)
  // And a killed one leaves no lock behind.
  await first.end('SIGKILL')
  const third = await startListener({ dir: first.dir })
  expect((await deliver(third)).status).toBe(200)
  expect(execFileSync('ls', [join(first.dir, 'state')]).toString()).toContain('inbox.lock')
})
