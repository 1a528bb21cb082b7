import { expect, test } from 'vitest'
import { contextOf, machineOfTest } from '../../../test/kit/command-context.ts'
import type { StoredRows } from '../../bulk/job.ts'
import type { InputColumn, RowResult } from '../../bulk/row.ts'
import type { RunEnd } from '../../bulk/send-rows.ts'
import type { GlobalOptions } from '../../context.ts'
import { BnplError, Interrupted } from '../../errors.ts'
import { es } from '../../language/es/es.ts'
import { packed } from '../../language/packing.ts'
import { inCatalogue, type Words } from '../../language/patterns.ts'
import { finish } from './finish.ts'
import type { OpenRun } from './prepare.ts'
import { createTally } from './results.ts'

const DONE: RunEnd = { complete: true }

interface Ran {
  rows?: number
  known?: number
  results?: readonly (RowResult & { again?: boolean; refused?: boolean })[]
  lines?: readonly number[]
  out?: string
  failedFile?: string
  begun?: boolean
  isUnchanged?: () => Promise<boolean>
  onEnd?: () => Promise<void>
  finishResults?: () => Promise<void>
  broken?: AbortSignal
  stored?: StoredRows
  /** How many rows have an outcome only in memory, before and after one more attempt to write them. */
  unstored?: readonly [number, number]
  repeatable?: boolean
  columns?: readonly InputColumn[]
  /** The names of the second column in the file, and of the third one. */
  compares?: readonly string[]
  comparesToo?: readonly string[]
}

/** Ends a run. @returns what was done, in order, what was said, and the error of the exit code */
async function ended(end: RunEnd, ran: Ran = {}, output: GlobalOptions['output'] = 'json', inLanguage?: Words) {
  const { world, stdout, stderr } = machineOfTest().world({ ...(inLanguage && { inLanguage }) })
  const context = contextOf(world, { output })
  const did: string[] = []
  const results = ran.results ?? []
  const tally = createTally(ran.rows ?? results.length, ran.known ?? 0, ({ refused }) => refused === true)
  for (const { again, ...result } of results) tally.count(result, again !== true)
  tally.unknownLines = [...(ran.lines ?? [])]
  const prepared = {
    options: {},
    plan: { from: 'rows.csv', out: ran.out },
    command: {
      operation: {
        command: 'verify',
        things: 'transactions',
        repeatable: ran.repeatable === true,
        columns: ran.columns ?? [{ name: 'trx', required: true }],
      },
      onEnd: async () => {
        did.push('onEnd')
        await ran.onEnd?.()
      },
    },
    checked: {
      use: { used: [['trx'], ran.compares ?? [], ran.comparesToo ?? []], unused: ['note'] },
      filled: [1, ran.compares?.length ?? 0, ran.comparesToo?.length ?? 0],
    },
    input: { name: 'rows.csv', isUnchanged: ran.isUnchanged ?? (async () => true) },
  }
  const left = ran.unstored?.[1] ?? 0
  let unstored = ran.unstored?.[0] ?? 0
  const run = {
    ...prepared,
    job: {
      ledger: {
        unstored: () => unstored,
        flush() {
          did.push('ledger flushed')
          unstored = left
          if (left > 0) throw new BnplError('output', 'the disk is still full')
        },
      },
      end: (_: string, sum: number) => did.push(`ledger ended, sum ${sum}`),
      pause: () => did.push('ledger kept'),
      discard: () => did.push('ledger removed'),
      stored: () => ran.stored,
    },
    tally,
    results: {
      begun: () => ran.begun ?? results.length > 0,
      finish: async () => {
        did.push('results placed')
        await ran.finishResults?.()
      },
      abandon: async () => did.push('results removed'),
      failedFile: () => ran.failedFile,
      broken: ran.broken ?? new AbortController().signal,
    },
    sum: { value: () => 42 },
  } as unknown as OpenRun
  const error: any = await finish(context, run, end).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { did, error, stdout: stdout(), stderr: stderr() }
}

const ok: RowResult = { outcome: 'ok' }
const failed: RowResult = { outcome: 'failed' }
const unknown: RowResult = { outcome: 'unknown' }

test('a complete run places the results, then ends the ledger, and prints one line on stderr', async () => {
  const { did, error, stdout, stderr } = await ended(DONE, { results: [ok, ok, { ...ok, again: true }] })
  expect(did).toEqual(['results placed', 'onEnd', 'ledger ended, sum 42'])
  expect(error).toBeUndefined()
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '3 of 3 rows: 3 ok\n' })
})

test('with --out the summary is printed on stdout as JSON', async () => {
  const { stdout, stderr } = await ended(DONE, {
    results: [ok, { ...failed, again: true }],
    out: '/o.csv',
    failedFile: '/o.failed.csv',
  })
  expect(JSON.parse(stdout)).toEqual({
    rows: 2,
    sent: 1,
    earlier: 1,
    ok: 1,
    failed: 1,
    differences: {},
    out: '/o.csv',
    failedFile: '/o.failed.csv',
    columns: { used: { trx: ['trx'] }, notUsed: ['note'] },
  })
  expect(stderr).toBe('')
})

test('the summary of a run that compares says what was compared, or that it only checked that a loan exists', async () => {
  const columns = [
    { name: 'trx', required: true },
    { name: 'state', required: false, compared: 'state' },
  ]
  const ran = { results: [ok], columns }
  expect((await ended(DONE, { ...ran, compares: ['estado'] })).stderr).toBe('1 of 1 rows: 1 ok; compared: state\n')
  expect((await ended(DONE, ran)).stderr).toBe('1 of 1 rows: 1 ok; compared: only that a loan exists\n')
  const json = JSON.parse((await ended(DONE, { ...ran, compares: ['estado'], out: '/o.csv' })).stdout)
  expect(json).toMatchObject({ compared: ['state'], columns: { used: { state: ['estado'] } } })
  const table = await ended(DONE, { ...ran, compares: ['estado'], out: '/o.csv' }, 'table')
  expect(table.stdout.replaceAll(/ +/g, ' ')).toBe('Rows 1\nOk 1\nCompared state\nResults /o.csv\n')
})

test('in Spanish the summary names in Spanish each thing that was compared', async () => {
  const columns = [
    { name: 'trx', required: true },
    { name: 'amount', required: false, compared: 'amount' },
    { name: 'interestRate', required: false, compared: 'interest rate' },
  ]
  const spanish = inCatalogue(packed(es), 'es')
  const ran = { results: [ok], columns, compares: ['monto'], comparesToo: ['tasa'] }
  expect((await ended(DONE, ran, 'json', spanish)).stderr).toBe(
    '1 de 1 fila: 1 correcta; se comparó: monto, tasa de interés\n',
  )
  const table = await ended(DONE, { ...ran, out: '/o.csv' }, 'table', spanish)
  expect(table.stdout.replaceAll(/ +/g, ' ')).toContain('Comparado monto, tasa de interés\n')
  const nothing = await ended(DONE, { results: [ok], columns }, 'json', spanish)
  expect(nothing.stderr).toBe('1 de 1 fila: 1 correcta; se comparó: solo que exista un crédito\n')
})

test('with -o table the summary shows rows of earlier runs and differences only if there are any', async () => {
  const different: RowResult = { outcome: 'different', differences: ['amount'] }
  const whole = await ended(DONE, { results: [ok, ok], out: '/o.csv' }, 'table')
  expect(whole.stdout.replaceAll(/ +/g, ' ')).toBe('Rows 2\nOk 2\nResults /o.csv\n')
  const results = [{ ...ok, again: true }, failed, different, { outcome: 'missing' }]
  const partly = await ended(DONE, { results, out: '/o.csv', failedFile: '/f.csv' }, 'table')
  expect(partly.stdout.replaceAll(/ +/g, ' ')).toBe(
    'Rows 4\nDone in earlier runs 1\nOk 1\nFailed 1\nDifferent 1\n with an unexpected amount 1\nMissing 1\nResults /o.csv\nFailed rows /f.csv\n',
  )
})

test('the line on stderr counts each outcome, names differences and the file of the failed rows', async () => {
  const different: RowResult = { outcome: 'different', differences: ['amount'] }
  const missing: RowResult = { outcome: 'missing' }
  const { stderr } = await ended(DONE, { results: [ok, failed, different, missing], failedFile: '/f.csv' })
  expect(stderr).toBe(
    '4 of 4 rows: 1 ok, 1 failed, 1 different (1 with an unexpected amount), 1 missing; failed rows: /f.csv\n',
  )
})

test('an input that changed during a complete run is reported; an input that cannot be checked is not', async () => {
  const changed = await ended(DONE, { results: [ok], isUnchanged: async () => false })
  expect(changed.stderr).toContain('rows.csv was changed during the run')
  expect(changed.error).toBeUndefined()
  const gone = await ended(DONE, { results: [ok], isUnchanged: () => Promise.reject(new Error('gone')) })
  expect(gone.stderr).not.toContain('changed')
  const stopped = await ended({ complete: false, error: new Interrupted(130) }, { isUnchanged: async () => false })
  expect(stopped.stderr).not.toContain('changed')
})

test('the worst outcome decides the error: unknown before failed before not as expected', async () => {
  const different: RowResult = { outcome: 'different', differences: ['amount', 'state'] }
  const missing: RowResult = { outcome: 'missing' }
  const all = await ended(DONE, { results: [ok, failed, unknown, different], lines: [4] })
  expect(all.error).toMatchObject({ kind: 'outcome-unknown', code: 'ROWS_UNKNOWN' })
  expect((await ended(DONE, { results: [ok, failed, different] })).error).toMatchObject({
    kind: 'partial',
    code: 'ROWS_FAILED',
    message: '1 of 3 rows failed',
  })
  expect((await ended(DONE, { results: [ok, different, different, missing] })).error).toMatchObject({
    kind: 'check-failed',
    code: 'EXPECTATION_FAILED',
    message: '3 of 4 rows are not as expected: 1 missing, 2 with an unexpected amount, 2 in an unexpected state',
  })
  expect(all.did).toContain('ledger ended, sum 42')
})

test('the error names the lines of rows with an unknown outcome, and ends with “…” if there are more', async () => {
  const one = await ended(DONE, { results: [ok, unknown], lines: [3] })
  expect(one.error.message).toBe('1 of 2 rows were sent, but their outcome is unknown: line 3')
  expect(one.error.hint).toContain('bnpl verify --from rows.csv --resume --retry-unknown')
  const two = await ended(DONE, { results: [unknown, unknown], lines: [2, 3] })
  expect(two.error.message).toMatch(/: lines 2, 3$/)
  const more = await ended(DONE, { results: [unknown, unknown, unknown], lines: [2, 3] })
  expect(more.error.message).toMatch(/: lines 2, 3, …$/)
})

test('the hint says to run failed rows again, or to correct the rows first if every row was refused', async () => {
  const refused = { ...failed, refused: true }
  const hint = async (results: NonNullable<Ran['results']>, failedFile?: string) =>
    (await ended(DONE, { results, ...(failedFile ? { failedFile } : {}) })).error.hint
  expect(await hint([failed, refused])).toBe(
    'Read the reason in each failed row. Add --failed FILE to write the failed rows to a file that you can run again.',
  )
  expect(await hint([failed, refused], 'f.csv')).toBe('Run the failed rows again with: bnpl verify --from f.csv')
  expect(await hint([refused])).toBe('The service would refuse these rows again. The message of each row says why.')
  expect(await hint([refused], 'f.csv')).toBe(
    'The service would refuse these rows again. The message of each row says why. Correct the rows in f.csv, then run: bnpl verify --from f.csv',
  )
})

test('a run that stops before its first call leaves no ledger; a run that stops later keeps the ledger', async () => {
  const stop: RunEnd = { complete: false, error: new BnplError('network', 'no answer', { code: 'X' }) }
  const before = await ended(stop, { rows: 3 })
  expect(before.did).toEqual(['results removed', 'ledger removed'])
  expect(before.error).toMatchObject({ kind: 'network', message: 'no answer', hint: undefined })
  expect(before.stderr).toBe('')
  const after = await ended(stop, { rows: 3, results: [ok] })
  expect(after.did).toEqual(['results placed', 'ledger kept'])
  expect(after.error).toMatchObject({
    kind: 'network',
    code: 'X',
    message: 'no answer\nThe run was stopped: 1 of 3 rows are done, 2 were not sent.',
    hint: 'Continue with the same command and --resume.',
  })
  expect(after.stderr).toBe('1 of 3 rows: 1 ok\n')
})

test('the hint to continue with --resume is given once, after the hint of the error itself', async () => {
  const stopped = (hint: string, rows = 2) =>
    ended({ complete: false, error: new BnplError('network', 'no answer', { hint }) }, { rows, results: [ok] })
  expect((await stopped('Check the service.')).error.hint).toBe(
    'Check the service.\nThen continue with the same command and --resume.',
  )
  expect((await stopped('Make room, then use --resume.')).error.hint).toBe('Make room, then use --resume.')
  const advised = (id: 'repeat' | 'allow-more-time') =>
    ended(
      {
        complete: false,
        error: new BnplError('network', 'no answer', { hint: 'Run the command again.', advice: { id } }),
      },
      { rows: 2, results: [ok] },
    )
  expect((await advised('repeat')).error.hint).toBe('Continue with the same command and --resume. That is safe.')
  expect((await advised('allow-more-time')).error.hint).toBe(
    'Continue with the same command and --resume, which is safe. Add --timeout 60s to wait longer.',
  )
  expect((await stopped('Make room.', 1)).error.message).toBe('no answer\nEvery row is done.')
})

test('rows that failed or have no known outcome do not count as done when a run is stopped', async () => {
  const refused = { ...failed, refused: true }
  const stop: RunEnd = { complete: false, error: new BnplError('network', 'no answer') }
  const stopped = await ended(stop, { rows: 9, known: 1, results: [ok, failed, refused, unknown, failed] })
  expect(stopped.error.message).toBe(
    'no answer\nThe run was stopped: 3 of 9 rows are done, 2 failed, 1 without a known outcome, 3 were not sent.',
  )
})

test('the error also counts failed and unknown rows of earlier runs that this run has not reached', async () => {
  const stored = { sent: 7, failed: 2, unknown: 4 }
  const ran = { rows: 9, known: 5, results: [unknown, ok], lines: [3], stored }
  const { error } = await ended({ complete: false, error: new Interrupted(130) }, ran)
  expect(error.message).toContain('1 of 9 rows are done, 2 failed, 4 without a known outcome, 2 were not sent')
  expect(error.hint).toContain('sent but not answered (lines 3, …)')
  const unread = await ended({ complete: false, error: new Interrupted(130) }, { ...ran, results: [], lines: [] })
  expect(unread.error.hint).toMatch(/sent but not answered\. If .* --resume --retry-unknown/)
})

test('the error of a run that stops after an unknown outcome says how to send only the other rows', async () => {
  const error = new BnplError('outcome-unknown', 'no answer', { hint: 'Do not run the command again yet.' })
  const stopped = await ended({ complete: false, error }, { rows: 4, results: [unknown], lines: [2] })
  expect(stopped.error.hint).toMatch(
    /^To send only the other rows, use the same command and --resume\.\nFind out whether .* \(line 2\)\. .*--retry-unknown/,
  )
})

test('the error of a stopped run keeps the exchange and the wait that the service asked for', async () => {
  const exchange = {
    method: 'GET',
    url: 'https://api.example.com/x',
    attempts: 1,
    sent: true,
    outcome: 'rejected',
  } as const
  const error = new BnplError('service', 'it failed', { exchange, retryAfterMs: 90_000 })
  const stopped = await ended({ complete: false, error }, { rows: 2, results: [ok] })
  expect(stopped.error).toMatchObject({ exchange, retryAfterMs: 90_000, cause: error })
})

test('an interruption keeps its exit code and counts the rows of earlier runs as done', async () => {
  const { error } = await ended(
    { complete: false, error: new Interrupted(143) },
    { rows: 1500, known: 1200, results: [ok, ok] },
  )
  expect(error).toBeInstanceOf(Interrupted)
  expect(error.exitCode).toBe(143)
  expect(error.message).toMatch(/1.202 of 1.500 rows are done, 298 were not sent/)
})

test('a fault in the program is thrown unchanged', async () => {
  const fault = new TypeError('a fault of the test')
  expect((await ended({ complete: false, error: fault }, { results: [ok] })).error).toBe(fault)
})

test('results that cannot be placed end the run as unfinished: the ledger is kept', async () => {
  const full = new BnplError('output', 'the disk is full')
  const { did, error } = await ended(DONE, { results: [ok], finishResults: () => Promise.reject(full) })
  expect(did).toEqual(['results placed', 'ledger kept'])
  expect(error).toMatchObject({ kind: 'output', message: 'the disk is full\nEvery row is done.' })
})

test('if the reader of the results is gone, the run is unfinished and the ledger is kept', async () => {
  const left = AbortSignal.abort(new BnplError('output', 'nobody reads'))
  const { did, error } = await ended(DONE, { results: [ok], broken: left })
  expect(did).toEqual(['results placed', 'ledger kept'])
  expect(error.message).toContain('nobody reads')
})

test('if the last step of the command fails, the ledger is not ended', async () => {
  const { did, error } = await ended(DONE, {
    results: [ok],
    onEnd: () => Promise.reject(new BnplError('output', 'the report cannot be written')),
  })
  expect(did).toEqual(['results placed', 'onEnd', 'ledger kept'])
  expect(error.message).toContain('the report cannot be written')
})

const LEDGER_FULL = new BnplError('output', 'the ledger is full', { hint: 'Make room, then continue with --resume.' })
const STOPPED: RunEnd = { complete: false, error: LEDGER_FULL }

test('outcomes that the ledger could not note are tried again after the results, and do not count as done if that fails', async () => {
  const ran: Ran = { rows: 6, results: [ok, ok, ok], out: 'o.csv', stored: { sent: 3, failed: 0, unknown: 2 } }
  const { did, error } = await ended(STOPPED, { ...ran, unstored: [2, 2] })
  expect(did).toEqual(['results placed', 'ledger flushed', 'ledger kept'])
  expect(error.message).toBe(
    'the ledger is full\nThe run was stopped: 1 of 6 rows are done, 2 answered but not noted in the ledger, 3 were not sent.',
  )
  expect(error.hint).toBe(
    'The ledger could not note the results of 2 rows. Only o.csv has them. Copy that file before you continue, because --resume replaces it. --resume will report these rows as unknown. Do not send them again with --retry-unknown, because the service has already answered them.\nMake room, then continue with --resume.',
  )
  const stored = await ended(STOPPED, { ...ran, unstored: [2, 0], stored: { sent: 3, failed: 0, unknown: 0 } })
  expect(stored.error).toMatchObject({
    message: 'the ledger is full\nThe run was stopped: 3 of 6 rows are done, 3 were not sent.',
    hint: 'Make room, then continue with --resume.',
  })
})

test('the hint about results that only the output has names stdout, or says that they were not stored', async () => {
  const ran: Ran = { rows: 2, results: [ok], stored: { sent: 1, failed: 0, unknown: 1 }, unstored: [1, 1] }
  expect((await ended(STOPPED, ran)).error.hint).toContain(
    'The ledger could not note the result of 1 row. Only the output of this run has it. Keep that output. --resume will report this row as unknown. Do not send it again with --retry-unknown,',
  )
  const lost = await ended(STOPPED, { ...ran, out: 'o.csv', finishResults: () => Promise.reject(LEDGER_FULL) })
  expect(lost.error.hint).toMatch(
    /^The result of 1 row could not be stored\. --resume will report this row as unknown\. /,
  )
})

test('if calls are safe to repeat, rows that the ledger lacks do not count as done, and the hint does not name them', async () => {
  const ran: Ran = { rows: 9, results: [ok, ok, ok], stored: { sent: 1, failed: 0, unknown: 0 }, unstored: [2, 2] }
  const { error } = await ended(STOPPED, { ...ran, repeatable: true })
  expect(error.message).toContain('1 of 9 rows are done, 2 answered but not noted in the ledger, 6 were not sent.')
  expect(error.hint).toBe('Make room, then continue with --resume.')
})
