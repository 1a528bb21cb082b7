import { expect, test } from 'vitest'
import { takeOver } from './inbox.ts'
import type { Session } from './session.ts'

/** A session whose server finds receivers that ended, each with this many events, and the queries that it received. */
function played(gone: Record<number, number>) {
  const asked: [string, unknown[]][] = []
  const left = { ...gone }
  const query = async (text: string, values: unknown[] = []) => {
    asked.push([text.trim().split(/\s+/).slice(0, 2).join(' '), values])
    if (text.includes('pg_try_advisory_lock')) return { rows: Object.keys(gone).map((id) => ({ id: Number(id) })) }
    if (!text.includes('event_numbers')) return { rows: [], rowCount: null }
    const [, id, limit] = values as number[]
    const rowCount = Math.min(left[Number(id)] ?? 0, Number(limit))
    left[Number(id)] = (left[Number(id)] ?? 0) - rowCount
    return { rows: [], rowCount }
  }
  return { asked, session: { id: 9, query } as unknown as Session }
}

/** Runs a takeover. Returns how often it reported events, and the queries that it made. */
async function taken(gone: Record<number, number>) {
  const { asked, session } = played(gone)
  let reports = 0
  await takeOver(session, () => reports++)
  return { reports, asked }
}

const LOOK = ['SELECT id', [9, 0x626e7031]] as const
const MOVE = (id: number) => ['UPDATE bnpl_inbox.events', [9, id, 500]] as const
const FORGET = (id: number) =>
  [
    ['DELETE FROM', [id]],
    ['SELECT pg_advisory_unlock($1,', [0x626e7031, id]],
  ] as const

test('where no receiver is gone nothing is taken over', async () => {
  expect(await taken({})).toEqual({ reports: 0, asked: [LOOK] })
})

test('a gone receiver without events is deleted, and nothing is reported', async () => {
  expect(await taken({ 4: 0 })).toEqual({ reports: 0, asked: [LOOK, MOVE(4), ...FORGET(4)] })
})

test('events are taken over 500 at a time with a report each, then the gone receiver is deleted and unlocked', async () => {
  expect(await taken({ 4: 1, 5: 500, 6: 501 })).toEqual({
    reports: 1 + 1 + 2,
    asked: [LOOK, MOVE(4), ...FORGET(4), MOVE(5), MOVE(5), ...FORGET(5), MOVE(6), MOVE(6), ...FORGET(6)],
  })
})

test('before a takeover of this process’s lost session, its mark of emitted events is stored', async () => {
  const { asked, session } = played({ 3: 1, 4: 1 })
  await takeOver(
    session,
    () => {},
    (id) => (id === 3 ? 17 : 0),
  )
  expect(asked).toEqual([LOOK, ['UPDATE bnpl_inbox.receivers', [3, 17]], MOVE(3), ...FORGET(3), MOVE(4), ...FORGET(4)])
})
