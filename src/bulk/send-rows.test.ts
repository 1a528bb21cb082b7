import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BnplError } from '../errors.ts'
import { openClaims } from './claims.ts'
import { openJob } from './job.ts'
import type { Operation, RawRow, RowFile, RowResult } from './row.ts'
import { type DoneRow, type RunEnd, sendRows } from './send-rows.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-run-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** Returns a file with the rows 1, 2, 3 … */
function fileOf(count: number): RowFile {
  return {
    form: 'csv',
    otherColumns: [],
    leftOut: [],
    skipped: [],
    use: () => ({ used: [], unused: [] }),
    spelled: () => 'id',
    texts: () => [],
    batches: (async function* () {
      for (let at = 0; at < count; at += 100)
        yield Array.from(
          { length: Math.min(100, count - at) },
          (_, i): RawRow => ({ line: at + i + 2, raw: [String(at + i + 1)] }),
        )
    })(),
    values: ({ raw }) => [...raw],
    others: () => ({}),
    failedHead: () => '',
    failedRow: () => '',
  }
}

async function go(
  count: number,
  send: (id: string) => Promise<RowResult>,
  options: {
    repeatable?: boolean
    write?: (rows: DoneRow[]) => Promise<void>
    retryUnknown?: boolean
    restart?: boolean
    begin?: () => Promise<void>
  } = {},
): Promise<{ end: RunEnd; written: string[]; sent: string[] }> {
  const { repeatable = false, restart = false } = options
  const facts = {
    command: 'test',
    profile: 'p',
    source: 'f',
    digest: 'd',
    settings: '',
    rows: count,
    startedAt: '2026-01-01T00:00:00Z',
    pid: 1,
  }
  const notice = () => {}
  const claims = await openClaims({ dir: join(dir, 'claims'), pid: 1, isAlive: () => false, notice })
  const rows = { ids: new Float64Array(), async *again() {} }
  const job = await openJob({ dir, claims, facts, rows, repeatable, resume: !restart, restart, notice })
  const written: string[] = []
  const sent: string[] = []
  const operation: Operation = {
    command: 'test',
    things: 'tests',
    columns: [{ name: 'id', required: true }],
    id: 0,
    repeatable,
    settings: '',
    resultColumns: [],
    read: ([id = '']) => ({
      send() {
        sent.push(id)
        return send(id)
      },
    }),
  }
  const signal = new AbortController().signal
  const end = await sendRows({
    file: fileOf(count),
    rows: count,
    operation,
    ledger: job.ledger,
    resumed: job.resumed,
    retryUnknown: options.retryUnknown ?? false,
    begin: options.begin ?? (async () => {}),
    concurrency: 4,
    stop: signal,
    drain: signal,
    async write(rows) {
      written.push(...rows.map(({ id, result }) => `${id} ${result.outcome}`))
      await options.write?.(rows)
    },
    onRow: () => {},
  })
  job.pause()
  claims.release()
  return { end, written, sent }
}

const ok = async () => ({ outcome: 'ok' })

test('a row whose call was sent before a bug is unknown to the next run, and is not sent again', async () => {
  const broken = new TypeError('ours')
  const first = await go(10, async (id) => (id === '3' ? Promise.reject(broken) : ok()))
  expect(first.end).toEqual({ complete: false, error: broken })
  const second = await go(10, ok)
  expect(second.sent).not.toContain('3')
  expect(second.written).toContain('3 unknown')
  expect(second.end).toEqual({ complete: true })
})

test('when a call is sent, its intent is on the disk [row 93]', async () => {
  const missing: string[] = []
  const { end } = await go(200, async (id) => {
    const [name = ''] = readdirSync(dir).filter((each) => each.endsWith('.db'))
    using db = new DatabaseSync(join(dir, name), { readOnly: true })
    if (db.prepare('select state from row where number = ?').get(Number(id))?.state !== 'sent') missing.push(id)
    return ok()
  })
  expect([end, missing]).toEqual([{ complete: true }, []])
})

test('an error before a call leaves the row unsent', async () => {
  const missing = new BnplError('config', 'no key')
  const first = await go(10, () => Promise.reject(missing))
  expect(first.end).toEqual({ complete: false, error: missing })
  const second = await go(10, ok)
  expect(second.sent).toHaveLength(10)
  expect(second.written.every((row) => row.endsWith('ok'))).toBe(true)
})

test('results that cannot be written end the run, and the next run writes the stored results without sending again', async () => {
  const full = new BnplError('output', 'no room')
  const first = await go(500, ok, { write: () => Promise.reject(full) })
  expect(first.end).toEqual({ complete: false, error: full })
  expect(first.sent.length).toBeLessThan(500)
  const second = await go(500, ok)
  expect(second.sent.filter((id) => first.sent.includes(id))).toEqual([])
  expect(second.written).toEqual(Array.from({ length: 500 }, (_, i) => `${i + 1} ok`))
})

test('a slow row limits how far other rows get ahead, and the end of the run ends their wait', async () => {
  const fatal = new BnplError('config', 'over')
  let answered = 0
  const ran = await go(
    5000,
    async (id) => {
      if (id !== '1') {
        answered++
        return { outcome: 'ok' }
      }
      while (answered < 2047) await new Promise((resolve) => setTimeout(resolve, 1))
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw fatal
    },
    { repeatable: true },
  )
  expect(ran.end).toEqual({ complete: false, error: fatal })
  expect(ran.sent.length).toBeLessThan(2100)
})

test('an error before the first row ends the run with nothing stored, and the next run sends every row', async () => {
  const declined = new BnplError('usage', 'you said no')
  const first = await go(10, ok, { begin: () => Promise.reject(declined) })
  expect(first).toEqual({ end: { complete: false, error: declined }, written: [], sent: [] })
  const second = await go(10, ok)
  expect([second.end, second.sent.length]).toEqual([{ complete: true }, 10])
})

test('a run without a row to send does not start', async () => {
  await go(10, ok)
  let begun = 0
  const second = await go(10, ok, { begin: async () => void begun++ })
  expect([second.end, second.sent, begun]).toEqual([{ complete: true }, [], 0])
})

test('the first row of a restarted run replaces the rows of the earlier one', async () => {
  await go(10, ok)
  const cut = new BnplError('config', 'over')
  const restarted = await go(10, async (id) => (id === '3' ? Promise.reject(cut) : ok()), { restart: true })
  expect(restarted.end).toEqual({ complete: false, error: cut })
  const third = await go(10, ok)
  expect(third.sent).toContain('10')
  expect([...new Set([...restarted.sent, ...third.sent])]).toHaveLength(10)
})
