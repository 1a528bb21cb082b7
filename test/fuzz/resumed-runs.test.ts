import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkRows } from '../../src/bulk/check.ts'
import { openClaims } from '../../src/bulk/claims.ts'
import { asChecked, openInput } from '../../src/bulk/input.ts'
import { openJob } from '../../src/bulk/job.ts'
import type { Operation, RowResult } from '../../src/bulk/row.ts'
import { openRows } from '../../src/bulk/row-file.ts'
import { type RunEnd, sendRows } from '../../src/bulk/send-rows.ts'
import type { Transport } from '../../src/contract/wire.ts'
import { BnplError, Interrupted } from '../../src/errors.ts'
import { customers } from '../kit/customer-rows.ts'
import { machine } from '../kit/harness.ts'
import { WAIT_MS } from '../kit/limits.ts'
import { loan } from '../kit/loan.ts'
import { budget, TIMEOUT } from './budget.ts'

/** A folder in memory, if the system has one, because every intent is synced to the disk. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** The seed of the everyday tries, which are the same each time. */
const SEED = 1_600_013_005
const isFree = process.env.BNPL_FUZZ !== undefined || process.env.BNPL_FUZZ_SEED !== undefined
const tries = (name: string, everyday: number, large: number) =>
  isFree ? budget(name, everyday, large) : { numRuns: everyday, seed: SEED, endOnFailure: true }

/** The event that ends a run before its last row, after `after` rows were sent. */
interface Cut {
  after: number
  by: 'signal' | 'fault' | 'refusals' | 'full disk'
}

interface Trial {
  repeatable: boolean
  ids: string[]
  form: 'csv' | 'ndjson'
  blockBytes: number
  window: number
  concurrency: number
  cuts: Cut[]
  /** How many turns of the event loop the answers take. The list is repeated over the rows. */
  turns: number[]
  /** How many steps the writing of each batch of results takes; 12 means a turn of the event loop. */
  pauses: number[]
}

const trials: fc.Arbitrary<Trial> = fc.record({
  repeatable: fc.boolean(),
  ids: fc
    .tuple(fc.integer({ min: 1, max: 150 }), fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 9 }))
    .map(([count, widths]) =>
      Array.from({ length: count }, (_, i) => `T${i}${'-'.repeat(widths[i % widths.length] ?? 0)}`),
    ),
  form: fc.constantFrom('csv', 'ndjson'),
  blockBytes: fc.integer({ min: 1, max: 6000 }),
  window: fc.integer({ min: 1, max: 64 }),
  concurrency: fc.integer({ min: 1, max: 24 }),
  cuts: fc.array(
    fc.record({
      after: fc.integer({ min: 1, max: 150 }),
      by: fc.constantFrom('signal', 'fault', 'refusals', 'full disk'),
    }),
    { maxLength: 4 },
  ),
  turns: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 7 }),
  pauses: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 7 }),
})

/** The ids that the service saw. */
interface Seen {
  asked: string[]
  refused: Set<string>
  faulty: Set<string>
}

/** Runs a file until it is cut. Resumes the run before it. */
async function runOnce(dir: string, trial: Trial, cut: Cut | undefined, seen: Seen) {
  const { repeatable, blockBytes, window, concurrency, turns, pauses } = trial
  const stop = new AbortController()
  const notice = () => {}
  let sent = 0
  const isCut = () => cut !== undefined && sent >= cut.after
  const operation: Operation = {
    command: 'test',
    things: 'tests',
    columns: [{ name: 'id', required: true }],
    id: 0,
    repeatable,
    settings: '',
    resultColumns: [],
    read: ([id = '']) => ({ send: () => send(id) }),
  }
  const send = async (id: string): Promise<RowResult> => {
    seen.asked.push(id)
    sent++
    for (let i = turns[seen.asked.length % turns.length] ?? 0; i > 0; i--) await new Promise(setImmediate)
    if (isCut() && cut?.by === 'signal') stop.abort(new Interrupted())
    if (isCut() && cut?.by === 'fault') {
      seen.faulty.add(id)
      throw new TypeError('a fault')
    }
    if (isCut() && cut?.by === 'refusals') {
      seen.refused.add(id)
      throw new BnplError('auth', 'no')
    }
    return { outcome: 'ok' }
  }
  const input = await openInput(join(dir, 'in'), {
    cwd: dir,
    spoolDir: dir,
    stdin: async function* () {},
    signal: stop.signal,
    blockBytes,
  })
  const claims = await openClaims({ dir: join(dir, 'claims'), pid: 1, isAlive: () => false, notice })
  try {
    const checked = await checkRows(input, operation, stop.signal)
    const facts = {
      command: 'test',
      profile: 'p',
      source: join(dir, 'in'),
      digest: checked.content.digest,
      settings: '',
      rows: checked.rows,
      startedAt: '2026-01-01T00:00:00Z',
      pid: 1,
    }
    const rows = { ids: checked.ids, async *again() {} }
    const job = await openJob({
      dir: join(dir, 'bulk'),
      claims,
      facts,
      rows,
      repeatable,
      resume: true,
      restart: false,
      notice,
    })
    const written: string[] = []
    let batches = 0
    const running = sendRows({
      file: await openRows(asChecked(input, checked.content), operation),
      rows: checked.rows,
      operation,
      ledger: job.ledger,
      resumed: job.resumed,
      retryUnknown: false,
      begin: async () => {},
      concurrency,
      window,
      stop: stop.signal,
      drain: new AbortController().signal,
      async write(done) {
        if (isCut() && cut?.by === 'full disk') throw new BnplError('output', 'full')
        // The pauses go from no time at all to a turn of the event loop, and so try every order in which promises can settle.
        const ticks = pauses[batches++ % pauses.length] ?? 0
        for (let i = 0; i < ticks; i++) await null
        if (ticks === 12) await new Promise(setImmediate)
        written.push(...done.map(({ id, result }) => `${id} ${result.outcome}`))
      },
      onRow: () => {},
    })
    const end = await unlessItHangs(running)
    job.pause()
    return { end, written }
  } finally {
    claims.release()
    await input.close()
  }
}

async function unlessItHangs(running: Promise<RunEnd>): Promise<RunEnd> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the run hangs')), WAIT_MS)
  })
  return Promise.race([running, late]).finally(() => clearTimeout(timer))
}

const textOf = ({ ids, form }: Trial) =>
  form === 'csv' ? `id\n${ids.join('\n')}\n` : ids.map((id) => `${JSON.stringify({ id })}\n`).join('')

test('property: a run that is cut and resumed, at any point and any number of times, writes every row once [database 1]', {
  timeout: TIMEOUT,
}, async () => {
  await fc.assert(
    fc.asyncProperty(trials, async (trial) => {
      const dir = mkdtempSync(join(MEMORY, 'bnpl-resumed-'))
      try {
        writeFileSync(join(dir, 'in'), textOf(trial))
        const seen: Seen = { asked: [], refused: new Set(), faulty: new Set() }
        for (const cut of trial.cuts) await runOnce(dir, trial, cut, seen)
        const { end, written } = await runOnce(dir, trial, undefined, seen)
        expect(end).toEqual({ complete: true })
        // The outcome of a call that ended in a fault is unknown.
        const isUnknown = (id: string) => !trial.repeatable && seen.faulty.has(id)
        expect(written).toEqual(trial.ids.map((id) => `${id} ${isUnknown(id) ? 'unknown' : 'ok'}`))
        const twice = seen.asked.filter((id, i) => seen.asked.indexOf(id) !== i)
        const mayBeSentAgain = (id: string) => seen.refused.has(id) || (trial.repeatable && seen.faulty.has(id))
        expect(twice.filter((id) => !mayBeSentAgain(id))).toEqual([])
      } finally {
        rmSync(dir, { recursive: true, force: true })
      }
    }),
    tries('resumed runs', 50, 3000),
  )
})

const env = { BNPL_API_KEY: 'test-key-123456', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n')

/** The three commands that run over files, with rows for each of them. */
const COMMANDS = {
  evaluate: { line: 'evaluate', rows: customers, most: 400 },
  verify: { line: 'verify', rows: (count: number) => named('externalTrxId', count), most: 6000 },
  informe: { line: 'informe download --dir reports', rows: (count: number) => named('preApproveId', count), most: 40 },
}
const named = (column: string, count: number) =>
  `${column}\n${Array.from({ length: count }, (_, i) => `T${i}\n`).join('')}`

test('property: evaluate, verify and informe download write every row once after Ctrl-C at any row and --resume [database 1]', {
  timeout: TIMEOUT,
}, async () => {
  const interrupted = fc.record({
    command: fc.constantFrom('evaluate' as const, 'verify' as const, 'informe' as const),
    share: fc.double({ min: 0.01, max: 1, noNaN: true }),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 }),
    concurrency: fc.integer({ min: 1, max: 32 }),
  })
  await fc.assert(
    fc.asyncProperty(interrupted, async ({ command, share, cuts, concurrency }) => {
      using m = machine()
      const { line, rows, most } = COMMANDS[command]
      const count = Math.ceil(share * most)
      writeFileSync(join(m.dir, 'in.csv'), rows(count))
      const asked = new Map<string, number>()
      let total = 0
      let stop = { at: Number.POSITIVE_INFINITY, by: new AbortController() }
      const transport: Transport = async ({ url, body }) => {
        if (url.startsWith('https://storage')) return { status: 200, headers: {}, body: PDF }
        const data = answerTo(url, body)
        asked.set(data.externalTrxId, (asked.get(data.externalTrxId) ?? 0) + 1)
        if (++total === stop.at) stop.by.abort(new Interrupted())
        return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data })) }
      }
      const go = (at: number) => {
        stop = { at, by: new AbortController() }
        const words = `${line} --from in.csv --out out.csv --resume --concurrency ${concurrency} --json`
        return m.run(words, { env, transport, signal: stop.by.signal })
      }
      let finished = 0
      for (const cut of cuts.sort((a, b) => a - b)) {
        const { code } = await go(Math.ceil(cut * count))
        expect([0, 130]).toContain(code)
        if (code === 0) finished++
      }
      const last = await go(Number.POSITIVE_INFINITY)
      expect([last.code, last.stderr]).toEqual([0, expect.stringMatching(/^Columns read: [^\n]*\n$/)])
      expect(last.json()).toMatchObject({ rows: count, ok: count })
      expect(readFileSync(join(m.dir, 'out.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(count + 1)
      // A finished run of calls that are safe to repeat begins again from the first row.
      const runs = command === 'evaluate' ? 1 : finished + 1
      expect([...asked.values()].filter((times) => times > runs)).toEqual([])
      expect(asked.size).toBe(count)
    }),
    tries('interrupted commands', 8, 300),
  )
})

function answerTo(url: string, body: Uint8Array | undefined): Record<string, unknown> & { externalTrxId: string } {
  const id = decodeURIComponent(url.split('/').at(-2) ?? '')
  if (url.endsWith('/loan')) return loan(id)
  if (url.includes('informe'))
    return { externalTrxId: id, url: `https://storage.example.com/${id}.pdf?X-Amz-Signature=c0ffee` }
  const { externalTrxId = '' } = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body)))
  return { externalTrxId, preApproveId: `P-${externalTrxId}`, installmentOptions: [] }
}
