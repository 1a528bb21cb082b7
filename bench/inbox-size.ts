import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openInbox } from '../src/receiver/file/inbox.ts'
import type { Arrival } from '../src/receiver/inbox.ts'
import { type Cell, publish, quick } from './finding.ts'

/**
 * How many bytes an event takes on the disk: with its body, and after the body was pruned. `node bench/inbox-size.ts [--quick] [--json]`
 */

const EVENTS = quick ? 10_000 : 200_000
const BATCH = 500
/** Bytes of two bodies: a loan_approved event, and a pre_approve event of 51 fields. */
const SIZES = [500, 1950]

const rows: Cell[][] = []
for (const size of SIZES) {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-size-'))
  const file = join(dir, 'inbox.db')
  const inbox = await openInbox(dir)
  const filler = 'x'.repeat(size - 60)
  const arrival = (n: number): Arrival => {
    // As long as an id of the service: 36 characters.
    const eventId = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
    const body = Buffer.from(`{"eventId":"${eventId}","data":"${filler}"}`)
    const about = {
      event: 'pre_approve',
      odd: null,
      contentType: 'application/json',
      signature: 'a'.repeat(64),
    } as const
    return { ...about, destination: '/webhooks', scheme: 'hmac', eventId, body, receivedAt: n, forward: true }
  }
  for (let n = 0; n < EVENTS; n += BATCH) {
    const arrivals = Array.from({ length: BATCH }, (_, i) => arrival(n + i))
    const at = { attempts: 1, status: 200, error: null, ms: 3, at: n }
    const forwards = arrivals.map((_, i) => ({ ...at, seq: n + i + 1, receivedAt: n + i, state: 'delivered' as const }))
    await inbox.commit({ arrivals, forwards, emittedUpTo: n + BATCH })
  }
  await inbox.close()
  const whole = statSync(file).size
  const began = performance.now()
  const again = await openInbox(dir)
  await again.backlog()
  const openMs = performance.now() - began
  await again.prune(Number.MAX_SAFE_INTEGER)
  await again.close()
  const db = new DatabaseSync(file)
  db.exec('VACUUM')
  db.close()
  rows.push([size, whole / EVENTS, statSync(file).size / EVENTS, openMs])
  rmSync(dir, { recursive: true })
}
publish({
  title: 'The inbox on the disk',
  about: `The size of the SQLite file with ${EVENTS.toLocaleString('en')} forwarded events, in bytes for each event. Pruning removes the bodies of the events; then the file is made smaller (VACUUM). The inbox still recognizes a pruned event, so that it is not forwarded twice. The last column is the time in ms to open the inbox before it is pruned.`,
  columns: ['bytes of a body', 'bytes on the disk', 'after pruning', 'ms to open'],
  rows,
  missed: [],
})
