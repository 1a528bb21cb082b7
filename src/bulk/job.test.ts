import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timesOpen } from '../../test/kit/open-files.ts'
import { type Claims, openClaims } from './claims.ts'
import { createRowSum, idHash } from './id-hashes.ts'
import { type Job, openJob } from './job.ts'
import { connectAgain, NO_EARLIER_RUN, readFacts } from './ledger-file.ts'

type JobRequest = Parameters<typeof openJob>[0]

let dir: string
let open: { job: Job; claims: Claims }[]
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-job-'))
  open = []
})
afterEach(() => {
  for (const { job, claims } of open) {
    job.pause()
    claims.release()
  }
  rmSync(dir, { recursive: true, force: true })
})

const ledgers = () => readdirSync(join(dir, 'bulk')).filter((name) => name.endsWith('.db'))
const claimsOf = (pid: number) => openClaims({ dir: join(dir, 'claims'), pid, isAlive: () => true, notice: () => {} })

const BEGUN = '2026-01-01T00:00:00Z'

interface Wish extends Partial<Omit<JobRequest, 'facts' | 'rows'>> {
  source?: string
  settings?: string
  startedAt?: string
  command?: string
  pid?: number
  profile?: string
}

/** Opens the job of a file with one row for each of these ids. Their text is also used as the digest of the file. */
async function begin(ids: string, wish: Wish = {}): Promise<Job> {
  const {
    source = '/in.csv',
    settings = '',
    startedAt = BEGUN,
    command = 'evaluate',
    profile = 'p',
    pid = 1,
    ...more
  } = wish
  const rows = ids.split(' ').map((id) => [id])
  const claims = more.claims ?? (await claimsOf(open.length + 1))
  try {
    const job = await openJob({
      dir: join(dir, 'bulk'),
      claims,
      facts: { command, profile, source, digest: ids, settings, rows: rows.length, startedAt, pid },
      rows: {
        ids: Float64Array.from(rows, ([id = '']) => idHash(id.replace(/=.*/, ''))),
        async *again() {
          yield rows
        },
      },
      repeatable: false,
      resume: false,
      restart: false,
      notice: () => {},
      ...more,
    })
    open.push({ job, claims })
    return job
  } catch (error) {
    claims.release()
    throw error
  }
}

/** Closes a job without ending its run, and releases its claims. */
function leave(job: Job): void {
  const at = open.findIndex((each) => each.job === job)
  const [found] = open.splice(at, 1)
  job.pause()
  found?.claims.release()
}

/** Runs a file to its end. The row with the id `failed` gets the outcome `failed`, and every other row `ok`. */
async function finish(ids: string, wish: Wish & { endedAt?: string; failed?: string } = {}): Promise<Job> {
  const { endedAt = '2026-01-01T01:00:00Z', failed, ...more } = wish
  const job = await begin(ids, more)
  const sum = createRowSum()
  for (const [i, id] of ids.split(' ').entries()) {
    const outcome = id === failed ? 'failed' : 'ok'
    if (outcome === 'ok') sum.add([id])
    job.ledger.settle(i + 1, 'done', { outcome })
  }
  job.ledger.flush()
  job.end(endedAt, sum.value())
  leave(job)
  return job
}

const EARLIER_RUN = {
  kind: 'usage',
  code: 'EARLIER_RUN',
  hint: 'Add --resume to continue that run without sending anything twice, or --restart to send every row again. Nothing was sent.',
}

test('an unfinished run blocks a new run until the old run is resumed, or restarted with its first row', async () => {
  leave(await begin('a b'))
  await expect(begin('a b')).rejects.toMatchObject({
    ...EARLIER_RUN,
    message: `an earlier run of this file (started ${BEGUN}) did not finish`,
  })
  const again = await begin('a b', { resume: true, startedAt: '2026-02-01T00:00:00Z', pid: 9 })
  expect([again.resumed, again.extends, ledgers().length]).toEqual([true, undefined, 1])
  expect(readFacts(join(dir, 'bulk', ledgers()[0] ?? ''))).toMatchObject({ startedAt: BEGUN, pid: 9 })
  leave(again)
  const anew = await begin('a b', { restart: true, startedAt: '2026-02-01T00:00:00Z' })
  expect([anew.resumed, ledgers().length]).toEqual([false, 1])
  // The earlier ledger is not changed until a row is noted, so that it still prevents rows from being sent twice.
  expect(readFacts(join(dir, 'bulk', ledgers()[0] ?? ''))).toMatchObject({ startedAt: BEGUN, pid: 9 })
  anew.ledger.settle(1, 'done', { outcome: 'ok' })
  anew.ledger.flush()
  expect(readFacts(join(dir, 'bulk', ledgers()[0] ?? ''))).toMatchObject({ startedAt: '2026-02-01T00:00:00Z' })
})

test('a finished run blocks a new one if its calls may not be repeated, and otherwise leaves no ledger', async () => {
  await finish('a b')
  await expect(begin('a b')).rejects.toMatchObject({
    ...EARLIER_RUN,
    message: `the rows of this file were already sent by the run of ${BEGUN}`,
    hint: 'Add --resume to write the results again; rows with a final answer are not sent again. Or add --restart to send every row again. Nothing was sent.',
  })
  await finish('a b', { repeatable: true, command: 'verify' })
  expect(ledgers()).toHaveLength(1)
  expect((await begin('a b', { repeatable: true, command: 'verify' })).resumed).toBe(false)
})

test.each([
  ['another command', { command: 'verify' }],
  ['another profile', { profile: 'q' }],
])('%s makes a separate run', async (_, wish) => {
  leave(await begin('a b'))
  expect((await begin('a b', wish)).resumed).toBe(false)
  expect(ledgers()).toHaveLength(2)
})

test('the same content under another path is the same run', async () => {
  leave(await begin('a b'))
  await expect(begin('a b', { source: '/copy.csv' })).rejects.toMatchObject({ code: 'EARLIER_RUN' })
  expect((await begin('a b', { source: '/copy.csv', resume: true })).resumed).toBe(true)
})

test('a run is not continued with other settings', async () => {
  leave(await begin('a b', { settings: 'E1' }))
  await expect(begin('a b', { settings: 'E2', resume: true })).rejects.toMatchObject({
    kind: 'usage',
    code: 'SETTINGS_CHANGED',
    message: `the run of ${BEGUN} was started with other settings (E1; now E2)`,
    hint: 'Use the same settings to continue, or add --restart, which sends every row again. Nothing was sent.',
  })
  expect((await begin('a b', { settings: 'E2', restart: true })).resumed).toBe(false)
})

test('a second process with the same file or content is refused with the pid of the first process [row 115]', async () => {
  await begin('a b')
  const refused = {
    kind: 'config',
    code: 'RUN_LOCKED',
    message: 'another process (pid 1) is already sending the rows of this file',
    hint: 'Wait for that process, or stop it. Nothing was sent.',
  }
  await expect(begin('a b', { source: '/copy.csv' })).rejects.toMatchObject(refused)
  await expect(begin('a b c')).rejects.toMatchObject(refused)
  await begin('x', { source: '/other.csv' })
})

test('two pipes can be sent at the same time unless their content is the same [row 115]', async () => {
  await begin('a b', { source: 'stdin' })
  await begin('c d', { source: 'stdin' })
  await expect(begin('a b', { source: 'stdin' })).rejects.toMatchObject({ code: 'RUN_LOCKED' })
})

const CHANGED = {
  kind: 'usage',
  code: 'INPUT_CHANGED',
  message: `the file was changed after its run of ${BEGUN} began, and that run did not finish`,
  hint: 'Restore the old content and continue with --resume. Or add --restart, which sends every row of the new content. Nothing was sent.',
}

test('a changed file of an unfinished run is refused, and --restart removes the old ledger with its first row [row 95]', async () => {
  leave(await begin('a b'))
  await expect(begin('a b c')).rejects.toMatchObject(CHANGED)
  await expect(begin('a b c', { resume: true })).rejects.toMatchObject(CHANGED)
  expect(ledgers()).toHaveLength(1)
  const anew = await begin('a b c', { restart: true })
  expect([anew.resumed, ledgers().length]).toEqual([false, 2])
  anew.ledger.settle(1, 'done', { outcome: 'ok' })
  anew.ledger.flush()
  expect(ledgers()).toHaveLength(1)
})

test('a changed file of calls that may be repeated is run as a whole, and cannot be resumed [row 95]', async () => {
  leave(await begin('a b', { repeatable: true }))
  await expect(begin('a b c', { repeatable: true, resume: true })).rejects.toMatchObject(CHANGED)
  const anew = await begin('a b c', { repeatable: true })
  expect([anew.resumed, ledgers().length]).toEqual([false, 2])
  anew.ledger.settle(1, 'done', { outcome: 'ok' })
  anew.ledger.flush()
  expect(ledgers()).toHaveLength(1)
})

test('when rows are added to a finished file, the new run takes over the results of the other rows [attack 12]', async () => {
  await finish('a b')
  const job = await begin('a c b', { startedAt: '2026-02-01T00:00:00Z' })
  expect([job.resumed, job.extends, job.known(false)]).toEqual([true, BEGUN, 2])
  expect([...job.ledger.rows()].map(({ number }) => number)).toEqual([1, 3])
  job.end('2026-02-01T01:00:00Z', '0')
  expect(ledgers()).toHaveLength(1)
})

test('a new run combines the rows of several finished runs, and their ledgers are removed at its end [attack 12]', async () => {
  await finish('a', { source: 'stdin' })
  await finish('b', { source: 'stdin', startedAt: '2026-02-01T00:00:00Z', endedAt: '2026-02-01T01:00:00Z' })
  await finish('z', { source: 'stdin' })
  const job = await begin('a b c', { source: 'stdin' })
  expect([job.extends, job.known(false), ledgers().length]).toEqual(['2026-02-01T00:00:00Z', 2, 4])
  job.end('2026-03-01T00:00:00Z', '0')
  expect(ledgers()).toHaveLength(2)
})

test.each([
  ['changed', 'a=2 b c'],
  ['removed', 'b c'],
])('a file in which a sent row was %s is refused, and the refused run leaves no ledger [attack 12]', async (_, ids) => {
  await finish('a b')
  await expect(begin(ids)).rejects.toMatchObject({
    kind: 'usage',
    code: 'EARLIER_RUN',
    message: `the run of ${BEGUN} already sent rows of this file, and some of them were changed or removed afterwards`,
    hint: 'Put new rows into a separate file. To send every row again, even those that were already sent, add --restart. Nothing was sent now.',
  })
  expect(ledgers()).toHaveLength(1)
})

test('a row that failed may be changed or removed [attack 12]', async () => {
  await finish('a b', { failed: 'b' })
  const job = await begin('a c')
  expect([job.resumed, job.known(false)]).toEqual([true, 1])
})

test('rows of a finished run in another order are refused as sent; --resume takes over their results [attack 12]', async () => {
  await finish('a b')
  await expect(begin('b a')).rejects.toMatchObject({
    code: 'EARLIER_RUN',
    message: expect.stringContaining('were already sent by the run'),
  })
  expect((await begin('b a', { resume: true })).known(false)).toBe(2)
})

test('an unfinished run of a pipe prevents only runs with the same rows [attack 12]', async () => {
  const first = await begin('a b', { source: 'stdin' })
  first.ledger.settle(1, 'done', { outcome: 'ok' })
  first.ledger.flush()
  leave(first)
  await expect(begin('a b c', { source: 'stdin' })).rejects.toMatchObject(CHANGED)
  expect((await begin('x y', { source: 'stdin' })).resumed).toBe(false)
  expect(ledgers()).toHaveLength(2)
})

test('the results of a finished run are not taken over by a run with other settings [attack 12]', async () => {
  await finish('a b', { settings: 'E1' })
  await expect(begin('a b c', { settings: 'E2' })).rejects.toMatchObject({ code: 'SETTINGS_CHANGED' })
  expect((await begin('x y', { settings: 'E2' })).resumed).toBe(false)
})

test('a restarted run replaces the finished runs of its file only when it ends [attack 12]', async () => {
  await finish('a b')
  const job = await begin('a b c', { restart: true })
  expect([job.resumed, job.known(true), ledgers().length]).toEqual([false, 0, 2])
  job.end('2026-02-01T00:00:00Z', '0')
  expect(ledgers()).toHaveLength(1)
})

test('known rows include rows with an unknown outcome, unless those rows are sent again [row 94]', async () => {
  for (const repeatable of [false, true]) {
    const job = await begin('a b c d', { repeatable, source: `/${repeatable}`, command: String(repeatable) })
    job.ledger.settle(1, 'done', { outcome: 'ok' })
    job.ledger.settle(2, 'unknown', { outcome: 'unknown' })
    job.ledger.settle(3, 'failed', { outcome: 'failed' })
    await job.ledger.intend(4)
    expect([job.known(false), job.known(true)]).toEqual(repeatable ? [1, 1] : [3, 1])
  }
})

test('the ledger counts the rows sent before and after a resume, and starts from zero after a restart', async () => {
  const job = await begin('a b c d e')
  job.ledger.settle(1, 'done', { outcome: 'ok' })
  job.ledger.settle(2, 'unknown', { outcome: 'unknown' })
  job.ledger.settle(3, 'failed', { outcome: 'failed' })
  await job.ledger.intend(4)
  const counts = { sent: 4, failed: 1, unknown: 2 }
  expect(job.stored()).toEqual(counts)
  leave(job)
  const again = await begin('a b c d e', { resume: true })
  expect(again.stored()).toEqual(counts)
  leave(again)
  const anew = await begin('a b c d e', { restart: true })
  expect(anew.stored()).toEqual({ sent: 0, failed: 0, unknown: 0 })
  anew.ledger.settle(1, 'done', { outcome: 'ok' })
  anew.ledger.flush()
  expect(anew.stored()).toEqual({ sent: 1, failed: 0, unknown: 0 })
  anew.pause()
  expect(anew.stored()).toBeUndefined()
})

test('discarding a job removes the ledger of a new job, but keeps the ledger of a resumed job', async () => {
  const job = await begin('a b')
  job.discard()
  leave(job)
  expect(ledgers()).toEqual([])
  leave(await begin('a b'))
  const again = await begin('a b', { resume: true })
  again.discard()
  again.pause()
  expect(ledgers()).toHaveLength(1)
})

const DAY_MS = 86_400_000

/** The starts of runs on 30 different days, the last of them some days after the start of the tests. */
const thirtyRunsUntil = (days: number) =>
  Array.from({ length: 30 }, (_, i) => new Date(Date.parse(BEGUN) + (days - 29 + i) * DAY_MS).toISOString())

test.each([
  ['ended 90 days ago at the last of 30 runs on different days', thirtyRunsUntil(90), false],
  ['ended more than 90 days ago at 29 of 30 runs', thirtyRunsUntil(118.9), false],
  ['ended more than 90 days ago at 30 runs on different days', thirtyRunsUntil(119.1), true],
  ['ended more than 90 days ago at 40 runs on one day', Array(40).fill(thirtyRunsUntil(130)[0]), false],
  [
    'seems old because the clock of one run is 100 days ahead',
    [...thirtyRunsUntil(29), ...thirtyRunsUntil(100).slice(-1)],
    false,
  ],
  ['seems old to 29 runs with clocks that are ahead', thirtyRunsUntil(9000).slice(1), false],
  ['ends in the future, because the clock was behind later', thirtyRunsUntil(-400), false],
])('the ledger of a run that %s is swept: %3$s', async (_, starts, swept) => {
  await finish('old', { source: '/old.csv', endedAt: BEGUN })
  await begin('unfinished', { source: '/unfinished.csv' }).then(leave)
  writeFileSync(join(dir, 'bulk', 'text.db'), 'no ledger')
  writeFileSync(join(dir, 'bulk', 'notes.txt'), 'no ledger')
  const [old = ''] = ledgers().filter((name) => readFacts(join(dir, 'bulk', name))?.endedAt !== undefined)
  for (const name of readdirSync(join(dir, 'bulk'))) utimesSync(join(dir, 'bulk', name), 0, 0)
  for (const [i, startedAt] of starts.entries()) {
    expect(existsSync(join(dir, 'bulk', old))).toBe(true)
    const job = await begin(`new ${i}`, { source: '/new.csv', startedAt })
    job.discard()
    leave(job)
  }
  expect(existsSync(join(dir, 'bulk', old))).toBe(!swept)
  expect(ledgers()).toHaveLength(swept ? 2 : 3)
  expect(existsSync(join(dir, 'bulk', 'notes.txt'))).toBe(true)
})

test.each([
  ['that was written to within a day', 0.9 * DAY_MS, undefined],
  ['that another run uses', 100 * DAY_MS, 'old'],
])('a ledger %s is not swept', async (_, age, taken) => {
  await finish('old', { source: '/old.csv', endedAt: BEGUN })
  const [old = ''] = ledgers()
  const now = Date.parse(BEGUN) + 100 * DAY_MS
  utimesSync(join(dir, 'bulk', old), (now - age) / 1000, (now - age) / 1000)
  if (taken !== undefined) await begin(taken, { source: '/old.csv', resume: true })
  utimesSync(join(dir, 'bulk', old), (now - age) / 1000, (now - age) / 1000)
  await begin('new', { startedAt: new Date(now).toISOString() })
  expect(existsSync(join(dir, 'bulk', old))).toBe(true)
})

/** Empties the only ledger. */
function empty(): void {
  truncateSync(join(dir, 'bulk', ledgers()[0] ?? ''), 0)
}

test.each<[string, string, Wish]>([
  ['the same content', 'a b', {}],
  ['the same content by another path', 'a b', { source: '/copy.csv' }],
  ['the same file with other content', 'a b c', {}],
  ['the same content, resumed', 'a b', { resume: true }],
])('an emptied ledger blocks a run, because the sent rows are unknown: %s', async (_, ids, wish) => {
  leave(await begin('a b'))
  empty()
  await expect(begin(ids, wish)).rejects.toMatchObject({ kind: 'config', code: 'STATE_DAMAGED' })
  expect(ledgers()).toHaveLength(1)
})

test.each<[string, string, Wish]>([
  ['another file', 'x y', { source: '/other.csv' }],
  ['a run with --restart', 'a b', { restart: true }],
  ['calls that may be repeated', 'a b', { repeatable: true }],
])('an emptied ledger does not block %s', async (_, ids, wish) => {
  leave(await begin('a b'))
  empty()
  expect((await begin(ids, wish)).resumed).toBe(false)
})

test('an emptied ledger of a pipe blocks only a pipe with the same content', async () => {
  leave(await begin('a b', { source: 'stdin' }))
  empty()
  await expect(begin('a b', { source: 'stdin' })).rejects.toMatchObject({ code: 'STATE_DAMAGED' })
  expect((await begin('x y', { source: 'stdin' })).resumed).toBe(false)
})

/** Overwrites the only ledger with text that is not a database. @returns its path */
async function spoil(): Promise<string> {
  leave(await begin('a b'))
  const path = join(dir, 'bulk', ledgers()[0] ?? '')
  for (const beside of ['-wal', '-shm']) rmSync(path + beside, { force: true })
  writeFileSync(path, 'no ledger '.repeat(600))
  return path
}

test('a restarted run removes an unreadable ledger when its first row is stored, and not before', async () => {
  const path = await spoil()
  const job = await begin('a b', { restart: true, pid: 7 })
  expect(ledgers()).toHaveLength(2)
  const [aside = ''] = ledgers().filter((name) => !path.endsWith(name))
  expect(aside.slice(0, 25)).toBe(
    ledgers()
      .find((name) => path.endsWith(name))
      ?.slice(0, 25),
  )
  expect(readFileSync(join(dir, 'bulk', aside), 'utf8')).toContain('no ledger')
  job.ledger.settle(1, 'done', { outcome: 'ok' })
  job.ledger.flush()
  expect(ledgers().map((name) => join(dir, 'bulk', name))).toEqual([path])
  expect(readFacts(path)).toMatchObject({ pid: 7 })
})

test('an unreadable ledger is put back when the restarted run is discarded before it sends a row', async () => {
  const path = await spoil()
  const job = await begin('a b', { restart: true })
  job.discard()
  expect(ledgers().map((name) => join(dir, 'bulk', name))).toEqual([path])
  expect(readFileSync(path, 'utf8')).toContain('no ledger')
})

test('an unreadable ledger is put back when the ledger of the restarted run cannot be created', async () => {
  const path = await spoil()
  const rows = {
    get ids(): Float64Array {
      throw new Error('no')
    },
    async *again() {},
  }
  await expect(begin('a b', { restart: true, ...({ rows } as object) })).rejects.toThrow('no')
  expect(ledgers().map((name) => join(dir, 'bulk', name))).toEqual([path])
  expect(readFileSync(path, 'utf8')).toContain('no ledger')
})

test('--resume without an earlier run gives a notice, but only if the calls may not be repeated', async () => {
  const notices: string[] = []
  const notice = (text: string) => void notices.push(text)
  const job = await begin('a b', { resume: true, notice })
  expect([job.resumed, notices]).toEqual([false, [NO_EARLIER_RUN]])
  await begin('x y', { source: '/other.csv', resume: true, repeatable: true, notice })
  expect(notices).toHaveLength(1)
})

test('a run that extends several finished runs names the latest one', async () => {
  const at = (month: number) => ({ startedAt: `2026-0${month}-01T00:00:00Z`, endedAt: `2026-0${month}-01T01:00:00Z` })
  await finish('a', { source: 'stdin', ...at(1) })
  await finish('b', { source: 'stdin', ...at(3) })
  await finish('c', { source: 'stdin', ...at(2) })
  const job = await begin('a b c d', { source: 'stdin' })
  expect(job.extends).toBe('2026-03-01T00:00:00Z')
})

/** Returns the numbers of the rows that the only ledger contains. */
function onDisk(): unknown[] {
  const other = connectAgain(join(dir, 'bulk', ledgers()[0] ?? ''))
  const numbers = other.prepare('select number from row order by number').all()
  other.close()
  return numbers.map(({ number }) => number)
}

test('a resumed run keeps the earlier rows; a restarted run replaces them when its first row is stored', async () => {
  const first = await begin('a b')
  first.ledger.settle(1, 'done', { outcome: 'ok' })
  first.ledger.flush()
  leave(first)
  const again = await begin('a b', { resume: true })
  expect(again.known(false)).toBe(1)
  again.ledger.settle(2, 'done', { outcome: 'ok' })
  again.ledger.flush()
  expect(onDisk()).toEqual([1, 2])
  leave(again)
  const anew = await begin('a b', { restart: true })
  expect([anew.known(false), anew.known(true), onDisk()]).toEqual([0, 0, [1, 2]])
  anew.ledger.settle(2, 'failed', { outcome: 'failed' })
  anew.ledger.flush()
  expect(onDisk()).toEqual([2])
  anew.ledger.settle(1, 'done', { outcome: 'ok' })
  anew.ledger.flush()
  expect(onDisk()).toEqual([1, 2])
})

test('512 outcomes of repeatable calls are written at once; outcomes of other calls wait for a later write', async () => {
  for (const repeatable of [true, false]) {
    const job = await begin('a', { repeatable, source: 'stdin' })
    for (let number = 1; number <= 512; number++) job.ledger.settle(number, 'done', { outcome: 'ok' })
    expect([repeatable, onDisk().length]).toEqual([repeatable, repeatable ? 512 : 0])
    job.discard()
    leave(job)
  }
})

test('the ledger of a finished run contains its end time and the sum of its sent rows, and no file is left open', async () => {
  await finish('a b')
  const [name = ''] = ledgers()
  expect(name).toMatch(/^[0-9a-f]{24}-[0-9a-f]{24}\.db$/)
  const path = join(dir, 'bulk', name)
  expect(readFacts(path)).toMatchObject({ endedAt: '2026-01-01T01:00:00Z', sentSum: expect.stringMatching(/./) })
  expect(timesOpen(path)).toBe(0)
  for (const end of ['pause', 'discard'] as const) {
    const job = await begin('a b', { resume: true })
    expect(timesOpen(path)).toBeGreaterThan(0)
    job[end]()
    job[end]()
    expect([end, timesOpen(path)]).toEqual([end, 0])
    leave(job)
  }
})

test('a resumed run that fails to start keeps the earlier ledger', async () => {
  leave(await begin('a b'))
  const rows = {
    get ids(): Float64Array {
      throw new Error('no')
    },
    async *again() {},
  }
  await expect(begin('a b', { resume: true, ...({ rows } as object) })).rejects.toThrow('no')
  expect(ledgers()).toHaveLength(1)
  expect(timesOpen(join(dir, 'bulk'))).toBe(0)
})

test('a resumed run, an extended run and a run without --resume give no notice of a missing earlier run', async () => {
  leave(await begin('a b'))
  const notices: string[] = []
  const notice = (text: string) => void notices.push(text)
  leave(await begin('a b', { resume: true, notice }))
  leave(await begin('x', { source: '/other.csv', notice }))
  await finish('p', { source: '/third.csv' })
  leave(await begin('p q', { source: '/third.csv', resume: true, notice }))
  expect(notices).toEqual([])
})

test('the ledger of an unfinished run is not swept, and a ledger that vanishes during the sweep is no error', async () => {
  leave(await begin('a b', { source: '/a.csv' }))
  const [old = ''] = ledgers()
  utimesSync(join(dir, 'bulk', old), 0, 0)
  symlinkSync(join(dir, 'gone'), join(dir, 'bulk', 'link.db'))
  await begin('new', { startedAt: '2027-01-01T00:00:00Z' })
  expect(ledgers()).toContain(old)
})
