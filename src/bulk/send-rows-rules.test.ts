import { expect, test } from 'vitest'
import { BnplError, Interrupted } from '../errors.ts'
import type { Ledger, LedgerRow } from './ledger.ts'
import type { Operation, RowFile, RowResult } from './row.ts'
import { type DoneRow, type RunEnd, sendRows } from './send-rows.ts'

interface Trial {
  ids: readonly string[]
  repeatable?: boolean
  retryUnknown?: boolean
  /** The rows in the ledger of an earlier run. */
  known?: readonly LedgerRow[]
  concurrency?: number
  window?: number
  send?(id: string, stop: AbortController): Promise<RowResult>
  /** Returns functions that replace those of the ledger. */
  ledger?(stop: AbortController): Partial<Ledger>
  write?(rows: DoneRow[]): Promise<void>
}

/** Sends rows with a ledger in memory. `log` lists everything that happened, in order. */
async function go(trial: Trial): Promise<{ end: RunEnd; log: string[]; stop: AbortController }> {
  const { ids, repeatable = false, known, send = async () => ({ outcome: 'ok' }) } = trial
  const log: string[] = []
  const stop = new AbortController()
  const file: Pick<RowFile, 'batches' | 'values' | 'others'> = {
    batches: (async function* () {
      yield ids.map((raw, i) => ({ line: i + 2, raw }))
    })(),
    values: ({ raw }) => ['x', String(raw)],
    others: () => ({}),
  }
  const ledger: Ledger = {
    rows: () => (known ?? [])[Symbol.iterator](),
    async intend(number) {
      log.push(`intend ${number}`)
    },
    settle(number, state, result) {
      log.push(`${state} ${number}`)
      return JSON.stringify(result)
    },
    forget: (number) => log.push(`forget ${number}`),
    flush: () => log.push('flush'),
    unstored: () => 0,
    ...trial.ledger?.(stop),
  }
  const operation = {
    id: 1,
    repeatable,
    read: ([, id = '']: readonly (string | undefined)[]) => ({
      async send() {
        log.push(`send ${id}`)
        return send(id, stop)
      },
    }),
  } as unknown as Operation
  const end = await sendRows({
    file: file as RowFile,
    rows: ids.length,
    operation,
    ledger,
    resumed: known !== undefined,
    retryUnknown: trial.retryUnknown ?? false,
    begin: async () => {},
    concurrency: trial.concurrency ?? 1,
    ...(trial.window === undefined ? {} : { window: trial.window }),
    stop: stop.signal,
    drain: new AbortController().signal,
    async write(rows) {
      log.push(...rows.map((row) => `write ${row.number} ${row.id} ${row.json}`))
      await trial.write?.(rows)
    },
    onRow: (result, sent, values) => log.push(`over ${values[1]} ${result.outcome} ${sent ? 'sent' : 'known'}`),
  })
  return { end, log, stop }
}

const OK = '{"outcome":"ok"}'
const row = (number: number, state: LedgerRow['state'], outcome?: string): LedgerRow =>
  outcome === undefined
    ? { number, state, result: undefined, json: '' }
    : { number, state, result: { outcome }, json: JSON.stringify({ outcome }) }

test('if a call may not be repeated, intent, call, outcome and result follow in this order [row 93]', async () => {
  const { end, log } = await go({ ids: ['a'] })
  expect(log).toEqual(['intend 1', 'send a', 'done 1', 'over a ok sent', 'flush', `write 1 a ${OK}`])
  expect(end).toEqual({ complete: true })
})

test('a call that may be repeated needs no intent', async () => {
  const { log } = await go({ ids: ['a'], repeatable: true })
  expect(log).toEqual(['send a', 'done 1', 'over a ok sent', 'flush', `write 1 a ${OK}`])
})

test.each<[LedgerRow, boolean, boolean, string]>([
  [row(1, 'done', 'ok'), false, false, 'over a ok known'],
  [row(1, 'done', 'ok'), true, true, 'over a ok known'],
  [row(1, 'failed', 'failed'), false, false, 'send a'],
  [row(1, 'unknown', 'unknown'), false, false, 'over a unknown known'],
  [row(1, 'unknown', 'unknown'), false, true, 'send a'],
  [row(1, 'unknown', 'unknown'), true, false, 'send a'],
  [row(1, 'sent'), false, false, 'unknown 1; over a unknown known'],
  [row(1, 'sent'), false, true, 'send a'],
  [row(1, 'sent'), true, false, 'send a'],
])(
  'an earlier ledger row %j, with repeatable %s and --retry-unknown %s, leads to: %s [row 94]',
  async (known, repeatable, retryUnknown, said) => {
    const { log, end } = await go({ ids: ['a'], known: [known], repeatable, retryUnknown })
    const found = log.filter((each) => !each.startsWith('intend'))
    expect(said.startsWith('send') ? found[0] : found.slice(0, found.indexOf('flush')).join('; ')).toBe(said)
    expect(end).toEqual({ complete: true })
  },
)

test('after a signal no row is started, and the run ends with the signal’s reason [row 100]', async () => {
  const reason = new Interrupted()
  const { end, log } = await go({
    ids: ['a', 'b'],
    async send(_, stop) {
      stop.abort(reason)
      return { outcome: 'ok' }
    },
  })
  expect(log).toEqual(['intend 1', 'send a', 'done 1', 'over a ok sent', 'flush', `write 1 a ${OK}`])
  expect(end).toEqual({ complete: false, error: reason })
})

test('a signal between an intent and its call removes the intent [row 100]', async () => {
  const reason = new Interrupted()
  const { end, log } = await go({ ids: ['a', 'b'], ledger: (stop) => ({ intend: async () => stop.abort(reason) }) })
  expect(log).toEqual(['forget 1', 'flush'])
  expect(end).toEqual({ complete: false, error: reason })
})

test('a call that a signal stopped before it was sent removes its intent, if it has one [row 100]', async () => {
  for (const repeatable of [false, true]) {
    const reason = new Interrupted()
    const { end, log } = await go({
      ids: ['a', 'b'],
      repeatable,
      async send(_, stop) {
        stop.abort(reason)
        throw reason
      },
    })
    expect(log).toEqual(repeatable ? ['send a', 'flush'] : ['intend 1', 'send a', 'forget 1', 'flush'])
    expect(end).toEqual({ complete: false, error: reason })
  }
})

test.each([
  ['an error of the program keeps the intent', new TypeError('ours'), ['intend 1', 'send a', 'flush']],
  ['a usage error removes the intent', new BnplError('usage', 'no'), ['intend 1', 'send a', 'forget 1', 'flush']],
])('when a failed call ends the run, %s [row 94]', async (_, error, expected) => {
  const { end, log } = await go({ ids: ['a', 'b'], send: () => Promise.reject(error) })
  expect(log).toEqual(expected)
  expect(end).toEqual({ complete: false, error })
})

test('an intent that cannot be written ends the run before its call', async () => {
  const full = new BnplError('output', 'full')
  const { end, log } = await go({ ids: ['a', 'b'], ledger: () => ({ intend: () => Promise.reject(full) }) })
  expect(log).toEqual(['flush'])
  expect(end).toEqual({ complete: false, error: full })
})

test('a failure to write the outcomes at the end is reported, but does not hide an earlier failure', async () => {
  const full = new BnplError('output', 'full')
  const ledger = () => ({
    flush() {
      throw full
    },
  })
  expect((await go({ ids: ['a'], ledger })).end).toEqual({ complete: false, error: full })
  const first = new TypeError('ours')
  expect((await go({ ids: ['a'], ledger, send: () => Promise.reject(first) })).end).toEqual({
    complete: false,
    error: first,
  })
})

test('results are written even if outcomes cannot be stored, and results that cannot be written end the run', async () => {
  const full = new BnplError('output', 'full')
  const flush = () => {
    throw full
  }
  expect((await go({ ids: ['a'], ledger: () => ({ flush }) })).log).toContain(`write 1 a ${OK}`)
  expect((await go({ ids: ['a'], write: () => Promise.reject(full) })).end).toEqual({ complete: false, error: full })
})

test('five auth errors end the run with the last error, and the five rows are stored as failed [row 96]', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const { end, log } = await go({ ids, send: (id) => Promise.reject(new BnplError('auth', `no ${id}`)) })
  expect(end).toMatchObject({ complete: false, error: { kind: 'auth', message: 'no e' } })
  expect(log.filter((each) => each.startsWith('failed'))).toEqual([1, 2, 3, 4, 5].map((number) => `failed ${number}`))
})

test('the number of calls in progress is limited by the number of workers and by the window', async () => {
  for (const [concurrency, window, most] of [
    [3, 100, 3],
    [8, 2, 2],
  ] as const) {
    let busy = 0
    let highest = 0
    const { end, log } = await go({
      ids: Array.from({ length: 20 }, (_, i) => `t${i}`),
      concurrency,
      window,
      async send() {
        highest = Math.max(highest, ++busy)
        await new Promise(setImmediate)
        busy--
        return { outcome: 'ok' }
      },
    })
    expect([end, highest]).toEqual([{ complete: true }, most])
    expect(log.filter((each) => each.startsWith('write')).map((each) => Number(each.split(' ')[1]))).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
  }
})
