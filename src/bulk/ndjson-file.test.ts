import { expect, test } from 'vitest'
import { openNdjson } from './ndjson-file.ts'
import { MAX_ROW_LENGTH } from './row.ts'

const columns = [
  { name: 'id', required: true },
  { name: 'amount', required: false },
]

async function* pieces(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts
}

async function rowsOf(first: string, ...rest: string[]) {
  const found: unknown[] = []
  for await (const batch of openNdjson('rows', pieces(rest), first, columns).batches)
    found.push(...batch.map(({ line, raw }) => [line, raw]))
  return found
}

const file = () => openNdjson('rows', pieces([]), '', columns)
const row = (raw: string) => ({ line: 1, raw })

test('each line is a row however the input is split; blank lines only count, and the last needs no line end', async () => {
  expect(await rowsOf('\n{"id":1}\n  \n{"i', 'd":2}', '\r\n\n{"id":3}')).toEqual([
    [2, '{"id":1}'],
    [4, '{"id":2}\r'],
    [6, '{"id":3}'],
  ])
  expect(await rowsOf('{"id":1}\n', ' \n ')).toEqual([[1, '{"id":1}']])
  expect(await rowsOf('', '\n')).toEqual([])
})

test('a line of 10 MB is a row, a longer one is refused with its number [row 95]', async () => {
  const longest = 'x'.repeat(MAX_ROW_LENGTH)
  expect(await rowsOf('{}\n', longest)).toEqual([
    [1, '{}'],
    [2, longest],
  ])
  await expect(rowsOf('{}\n{}\n', longest, 'x', '\n')).rejects.toMatchObject({
    name: 'UnreadableRow',
    line: 3,
    message: 'this line is longer than 10 MB',
  })
})

test.each<[string, unknown]>([
  ['{"id":"a","amount":"5"}', ['a', '5']],
  ['{"ID":" a ","Amount":5.50}', ['a', '5.5']],
  ['{"id":12345678901234567890,"amount":null}', ['12345678901234567890', undefined]],
  ['{"id":"  ","amount":""}', [undefined, undefined]],
  ['{"id":"a","shop":{"x":[true]}}\r', ['a', undefined]],
  ['{"id":null,"ID":"b"}', ['b', undefined]],
  ['{}', [undefined, undefined]],
  ['{"id":', 'it is not JSON (one object on each line)'],
  ['{"id":1} {"id":2}', 'it is not JSON (one object on each line)'],
  ['[1]', 'it is not a JSON object'],
  ['null', 'it is not a JSON object'],
  ['"a"', 'it is not a JSON object'],
  ['12345678901234567890', 'it is not a JSON object'],
  ['{"id":true}', 'id must be text or a number'],
  ['{"Id":["a"]}', 'Id must be text or a number'],
  ['{"id":"a","amount":{}}', 'amount must be text or a number'],
  ['{"id":"a","ID":"a"}', ['a', undefined]],
  ['{"failedKind":{},"id":"a"}', ['a', undefined]],
])('%s is read as a row, or refused with a reason [row 95]', (raw, expected) => {
  expect(file().values(row(raw))).toEqual(expected)
})

test('other fields of a row are returned unchanged, without the failure fields of an earlier run', () => {
  expect(file().others(row('{"id":"a","shop":{"x":[1]},"n":null,"failedKind":"refused","Amount":1}'))).toEqual({
    shop: { x: [1] },
    n: null,
  })
})

test('a failed row is the original row, with the new failure fields instead of the old ones', () => {
  const why = { failedKind: 'refused', failedMessage: 'no' }
  expect(file().failedHead()).toBe('')
  expect(file().failedRow(row('{"id":12345678901234567890,"failedKind":"auth"}'), why)).toBe(
    '{"id":12345678901234567890,"failedKind":"refused","failedMessage":"no"}\n',
  )
  expect([file().form, file().otherColumns]).toEqual(['ndjson', []])
})
