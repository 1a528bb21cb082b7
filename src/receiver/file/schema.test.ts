import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../disk/sqlite.ts'
import type { Arrival } from '../inbox.ts'
import { openInbox } from './inbox.ts'
import { INBOX_FILE } from './inbox-file.ts'
import { INBOX_MIGRATIONS } from './schema.ts'

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

test('a search by time and pruning find every event of that time and no other, even if the clock was set back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -50, max: 100 }), { minLength: 1, maxLength: 60 }),
      fc.nat(),
      async (steps, at) => {
        let now = 1e12
        const times = steps.map((step) => (now += step))
        const time = times[at % times.length] ?? 0
        const dir = mkdtempSync(join(tmpdir(), 'bnpl-times-'))
        const inbox = await openInbox(dir)
        try {
          const arrivals = times.map((each, i) => arrival(i, each))
          await inbox.commit({ arrivals, forwards: [], emittedUpTo: times.length })
          const later = times.flatMap((each, i) => (each >= time ? [i + 1] : [])).reverse()
          expect((await inbox.find({ since: time, limit: 100 })).map(({ seq }) => seq)).toEqual(later)
          expect(await inbox.find({ since: now + 1e6, limit: 100 })).toEqual([])
          expect(await inbox.prune(time)).toBe(times.length - later.length)
          expect((await inbox.find({ limit: 100 })).map(({ seq }) => seq)).toEqual(later)
        } finally {
          await inbox.close()
          rmSync(dir, { recursive: true })
        }
      },
    ),
    { numRuns: 20, endOnFailure: true },
  )
})

test.each([
  ['with an index of times', (sql: string) => sql.includes('CREATE TABLE stretches')],
  ['with times of a thousand events each', (sql: string) => sql.includes('DROP TABLE stretches')],
])('events that an earlier version stored %s are also found and pruned by time', async (_, isLater) => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-times-'))
  const older = INBOX_MIGRATIONS.slice(0, INBOX_MIGRATIONS.findIndex(isLater))
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

test('a search by time and pruning find their first or last event with the index of times, and scan no table', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-times-'))
  const inbox = await openInbox(dir)
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  onTestFinished(() => prepare.mockRestore())
  try {
    await inbox.find({ since: 5000, limit: 9 })
    await inbox.prune(5000)
    const asked = [...new Set(prepare.mock.calls.map(([sql]) => sql))].filter((sql) => sql.includes('received_at'))
    using db = new DatabaseSync(join(dir, INBOX_FILE), { readOnly: true })
    const plans = asked
      .filter((sql) => /received_at (>=|<) \?/.test(sql) && /(min|max)\(/.test(sql))
      .map((sql) =>
        db
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map(({ detail }) => String(detail)),
      )
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(plan.join('\n')).toContain('INDEX events_by_time')
      expect(plan.filter((step) => /^SCAN (e|events)\b/.test(step))).toEqual([])
    }
  } finally {
    await inbox.close()
    rmSync(dir, { recursive: true })
  }
})
