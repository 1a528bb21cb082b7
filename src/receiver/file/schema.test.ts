import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDatabase } from '../../disk/sqlite.ts'
import type { Arrival } from '../inbox.ts'
import { openInbox } from './inbox.ts'
import { INBOX_FILE, openInboxFile } from './inbox-file.ts'
import { BEFORE_SINCE, INBOX_MIGRATIONS, lastBefore } from './schema.ts'

const arrival = (n: number, receivedAt: number): Arrival => ({
  destination: '/webhooks',
  scheme: 'hmac',
  eventId: `event-${n}`,
  event: 'loan_approved',
  odd: null,
  body: Buffer.from('{}'),
  contentType: null,
  signature: null,
  receivedAt,
  forward: false,
})

/** An inbox that stored events of these times. Before each batch, a batch was rolled back, and the inbox was reopened several times. */
async function inboxOf(times: readonly number[], batch: number) {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-stretches-'))
  let open = await openInboxFile(dir, 'NORMAL', () => {})
  for (let from = 0; from < times.length; from += batch) {
    const arrivals = times.slice(from, from + batch).map((time, i) => arrival(from + i, time))
    const bad = { ...arrival(-1, 0), body: 'no bytes' as unknown as Uint8Array, receivedAt: {} as number }
    expect(() =>
      open.stored(() => open.writer.commit({ arrivals: [...arrivals, bad], forwards: [], emittedUpTo: undefined })),
    ).toThrow()
    open.stored(() => open.writer.commit({ arrivals, forwards: [], emittedUpTo: undefined }))
    if ((from / batch) % 5 !== 4) continue
    open.db.close()
    open = await openInboxFile(dir, 'NORMAL', () => {})
  }
  return {
    db: open.db,
    [Symbol.dispose]() {
      open.db.close()
      rmSync(dir, { recursive: true })
    },
  }
}

const numbers = (times: readonly number[], wanted: (time: number) => boolean) =>
  times.flatMap((time, i) => (wanted(time) ? [i + 1] : []))

test('the search bounds for a time miss no event, even if the clock was set back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -50, max: 100 }), { minLength: 3000, maxLength: 4500 }),
      fc.integer({ min: 100, max: 1700 }),
      fc.nat(),
      async (steps, batch, at) => {
        let now = 1e12
        const times = steps.map((step) => (now += step))
        const time = times[at % times.length] ?? 0
        using inbox = await inboxOf(times, batch)
        const above = Number(inbox.db.prepare(`SELECT ${BEFORE_SINCE} AS seq`).get(time)?.seq)
        expect(above).toBeLessThan(Math.min(...numbers(times, (each) => each >= time)))
        expect(lastBefore(inbox.db, time)).toBeGreaterThanOrEqual(Math.max(0, ...numbers(times, (each) => each < time)))
      },
    ),
    { numRuns: 10, endOnFailure: true },
  )
})

test('a search by time starts at most 1000 events away from the wanted time', async () => {
  const times = Array.from({ length: 5000 }, (_, i) => 1e12 + i)
  using inbox = await inboxOf(times, 300)
  for (const place of [0, 999, 1000, 1001, 2500, 4999]) {
    const time = times[place] ?? 0
    const above = Number(inbox.db.prepare(`SELECT ${BEFORE_SINCE} AS seq`).get(time)?.seq)
    expect(place - above).toBeLessThanOrEqual(1000)
    expect(lastBefore(inbox.db, time) - place).toBeLessThanOrEqual(1000)
  }
})

test('events stored before the table of stretches existed are also found and pruned by time', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-stretches-'))
  const older = INBOX_MIGRATIONS.slice(
    0,
    INBOX_MIGRATIONS.findIndex((sql) => sql.includes('stretches')),
  )
  const { db } = await openDatabase(dir, { name: INBOX_FILE, steps: older, synchronous: 'OFF' }, () => {})
  db.exec(`INSERT INTO destinations (name) VALUES ('/webhooks');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
    INSERT INTO events (seq, destination, scheme, fate, body, received_at, forward) SELECT i, 1, 'hmac', 'new', x'7b7d', 1000 + i, 0 FROM n`)
  db.close()
  const inbox = await openInbox(dir)
  try {
    await inbox.commit({ arrivals: [arrival(1, 9000)], forwards: [], emittedUpTo: 2501 })
    expect((await inbox.find({ since: 3499, limit: 9 })).map(({ seq }) => seq)).toEqual([2501, 2500, 2499])
    expect(await inbox.prune(3499)).toBe(2498)
  } finally {
    await inbox.close()
    rmSync(dir, { recursive: true })
  }
})

test('a stretch begun before a restart keeps its count and its times after the restart', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-stretches-'))
  try {
    const store = async (arrivals: Arrival[]) => {
      const inbox = await openInbox(dir)
      await inbox.commit({ arrivals, forwards: [], emittedUpTo: undefined })
      const found = (await inbox.find({ since: 5000, limit: 2 })).map(({ seq }) => seq)
      await inbox.close()
      return found
    }
    expect(await store([arrival(1, 9000)])).toEqual([1])
    // The clock was set back.
    expect(await store(Array.from({ length: 999 }, (_, i) => arrival(i + 2, 1000)))).toEqual([1])
    const { db } = await openInboxFile(dir, 'NORMAL', () => {})
    expect(db.prepare('SELECT * FROM stretches').all()).toEqual([{ last: 1000, earliest: 1000, latest: 9000 }])
    db.close()
  } finally {
    rmSync(dir, { recursive: true })
  }
})
