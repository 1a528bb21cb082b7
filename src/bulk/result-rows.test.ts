import { expect, test } from 'vitest'
import { createResultText, type ResultForm } from './result-rows.ts'
import type { Operation, RowResult } from './row.ts'
import type { DoneRow } from './send-rows.ts'

const operation = {
  columns: [
    { name: 'amount', required: true },
    { name: 'trx', required: true },
  ],
  id: 1,
  resultColumns: ['state', 'notes'],
} as unknown as Operation

const text = (form: ResultForm, otherColumns: readonly string[] = []) =>
  createResultText(form, {
    operation,
    otherColumns,
    cell: (value) => (value === undefined || value === null ? '' : `<${value}>`),
    clean: (json) => json.replace('BELL', '.'),
  })

const done = (line: number, result: RowResult, others: Record<string, unknown> = {}): DoneRow => ({
  number: line - 1,
  raw: { line, raw: '' },
  id: `t"${line}`,
  others,
  result,
  json: JSON.stringify(result),
})

const ok = done(2, { outcome: 'ok', state: 'OPEN' })
const failed = done(4, {
  outcome: 'failed',
  error: { kind: 'refused', code: 'ERR_1', status: 422, message: 'no, BELL', hint: 'x' },
})

test('results as NDJSON: one line per row, with its position, id and outcome', async () => {
  const ndjson = await text('ndjson')
  expect([ndjson.head(), ndjson.foot(), ndjson.rows([])]).toEqual(['', '', ''])
  expect(ndjson.rows([ok, failed])).toBe(
    '{"line":2,"trx":"t\\"2","outcome":"ok","state":"OPEN"}\n' +
      '{"line":4,"trx":"t\\"4","outcome":"failed","error":{"kind":"refused","code":"ERR_1","status":422,"message":"no, .","hint":"x"}}\n',
  )
})

test('results as JSON: one array however many batches there are', async () => {
  const json = await text('json')
  const all = [json.head(), json.rows([]), json.rows([ok, ok]), json.rows([]), json.rows([failed]), json.foot()].join(
    '',
  )
  expect(JSON.parse(all).map(({ line }: { line: number }) => line)).toEqual([2, 2, 4])
  expect(all.startsWith('[\n{"line":2')).toBe(true)
  expect(all.split('\n')).toHaveLength(6)
  const empty = await text('json')
  expect(JSON.parse(empty.head() + empty.foot())).toEqual([])
})

test('other columns are copied to the results; a name that a result column also has gets the prefix “input.”', async () => {
  const others = { shop: 'S', line: 'L', trx: 'T', outcome: 'O', notes: 'N', error: 'E', more: [1] }
  const row = done(3, { outcome: 'ok', more: 1 }, others)
  const expected = {
    line: 3,
    trx: 't"3',
    outcome: 'ok',
    more: 1,
    shop: 'S',
    'input.line': 'L',
    'input.trx': 'T',
    'input.outcome': 'O',
    'input.notes': 'N',
    'input.error': 'E',
    'input.more': [1],
  }
  for (const form of ['ndjson', 'json'] as const) {
    const written = await text(form)
    expect(JSON.parse(written.rows([row]))).toEqual(expected)
  }
  const csv = await text('csv', Object.keys(others).slice(0, 6))
  expect(csv.head()).toBe(
    'line,trx,outcome,state,notes,errorKind,errorCode,errorStatus,errorMessage,' +
      '<shop>,<input.line>,<input.trx>,<input.outcome>,<input.notes>,<input.error>\n',
  )
  expect(csv.rows([row])).toBe('3,"<t""3>",ok,,,,,,,<S>,<L>,<T>,<O>,<N>,<E>\n')
})

test('results as CSV: a header, one line per row, and the error in separate columns', async () => {
  const csv = await text('csv')
  expect(csv.head()).toBe('line,trx,outcome,state,notes,errorKind,errorCode,errorStatus,errorMessage\n')
  expect([csv.rows([]), csv.foot()]).toEqual(['', ''])
  expect(csv.rows([ok, failed])).toBe(
    '2,"<t""2>",ok,<OPEN>,,,,,\n4,"<t""4>",failed,,,<refused>,<ERR_1>,<422>,"<no, BELL>"\n',
  )
})

test('a list of words is one readable cell; any other list is formatted by the cell function', async () => {
  const csv = await text('csv')
  const notes = (value: unknown) => csv.rows([done(2, { outcome: 'ok', notes: value })])
  expect(notes(['a b', 'c'])).toBe('2,"<t""2>",ok,,<a b c>,,,,\n')
  expect(notes([])).toBe('2,"<t""2>",ok,,<>,,,,\n')
  expect(notes(['a', 1])).toBe('2,"<t""2>",ok,,"<a,1>",,,,\n')
  expect(notes('a')).toBe('2,"<t""2>",ok,,<a>,,,,\n')
})

test('the id column of the results is called id if the operation has no column for the id', async () => {
  const nameless = { ...operation, columns: [], id: 0 } as unknown as Operation
  const csv = await createResultText('csv', { operation: nameless, otherColumns: [], cell: String, clean: String })
  expect(csv.head().startsWith('line,id,outcome,')).toBe(true)
})
