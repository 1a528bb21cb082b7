import { expect, test } from 'vitest'
import { checkFile } from './check.ts'
import { idHash } from './id-hashes.ts'
import type { Input } from './input.ts'
import type { Operation } from './operation.ts'
import type { Values } from './row.ts'

const inputOf = (...pieces: (string | Uint8Array)[]): Input => ({
  name: 'rows.csv',
  path: undefined,
  async *bytes() {
    for (const piece of pieces) yield Buffer.from(piece)
  },
  version: async () => 'v1',
  close: async () => {},
})

const asked: Values[] = []
const operation = {
  columns: [
    { name: 'note', required: false },
    { name: 'trx', required: true },
    { name: 'amount', required: true },
  ],
  id: 1,
  check(values: Values) {
    asked.push(values)
    return values[2] === 'bad' ? ['amount is bad', 'amount is no number'] : []
  },
} as unknown as Operation

const { signal } = new AbortController()
const check = (text: string | Uint8Array, maxRows?: number) => checkFile(inputOf(text), operation, signal, maxRows)
const badRows = (count: string, ...lines: string[]) => ({
  kind: 'usage',
  code: 'BAD_ROWS',
  message: [`rows.csv has ${count}; nothing was sent`, ...lines].join('\n'),
  hint: 'Correct the file and run it again.',
})

test('a file whose rows can all be sent: their number, its content, and the hash of each id in order', async () => {
  const checked = await check('trx,amount\nb,1\na,2\n')
  expect(checked.rows).toBe(2)
  expect([...checked.ids]).toEqual([idHash('b'), idHash('a')])
  expect(checked.blocks).toMatchObject({ count: 1, version: 'v1' })
})

test('a row with an empty cell that is needed is named once for each, and is not looked at further [row 95]', async () => {
  asked.length = 0
  await expect(check('note,trx,amount\nx,,\n,c,1\ny, ,bad\n')).rejects.toMatchObject(
    badRows('3 problems', 'line 2: trx is empty', 'line 2: amount is empty', 'line 4: trx is empty'),
  )
  expect(asked).toEqual([[undefined, 'c', '1']])
})

test('a single problem is one, and each that the operation finds counts [row 95]', async () => {
  await expect(check('trx,amount\na,1,2\n')).rejects.toMatchObject(
    badRows('a problem', 'line 2: it has 3 cells, and the first line has 2'),
  )
  await expect(check('trx,amount\na,bad\n')).rejects.toMatchObject(
    badRows('2 problems', 'line 2: amount is bad', 'line 2: amount is no number'),
  )
})

test('an id that comes again is named with the line where it came first, also in a row that has another problem [row 95]', async () => {
  await expect(check('trx,amount\na,1\nb,1\na,2\nb\n"a",\n')).rejects.toMatchObject(
    badRows(
      '4 problems',
      'line 4: trx is the same as in line 2',
      'line 5: it has 1 cell, and the first line has 2',
      'line 6: amount is empty',
      'line 6: trx is the same as in line 2',
    ),
  )
})

test('what was found before the line that ends the reading is named with it [row 95]', async () => {
  const input = inputOf('trx,amount\na,\nc,1\n', '"b" c,1\n')
  await expect(checkFile(input, operation, signal)).rejects.toMatchObject(
    badRows(
      '2 problems',
      'line 2: amount is empty',
      'line 4: a quoted cell is not closed, or something follows its closing quote',
    ),
  )
  await expect(check(Buffer.from([0xff, 0xfe]))).rejects.toMatchObject({ code: 'BAD_ROWS' })
})

test('a file with a header alone has no rows [row 95]', async () => {
  await expect(check('trx,amount\n\n')).rejects.toMatchObject({
    kind: 'usage',
    code: 'NO_ROWS',
    message: 'rows.csv has no rows',
    hint: 'Nothing was sent.',
  })
})

test('a file with more rows than a run may have is refused, its problems unsaid', async () => {
  await expect(
    check(`trx,amount\n${',1\n'.repeat(3)}${Array.from({ length: 1200 }, (_, i) => `t${i},1\n`).join('')}`, 1199),
  ).rejects.toMatchObject({
    kind: 'usage',
    code: 'INPUT_TOO_LARGE',
    message: 'rows.csv has more than 1.199 rows',
    hint: 'Nothing was sent. Split it, and run the parts one after the other.',
  })
})

test('a failure that is not of the file’s text is passed on as it is', async () => {
  const broken = new Error('EIO')
  const failing = {
    ...operation,
    check() {
      throw broken
    },
  }
  await expect(checkFile(inputOf('trx,amount\na,1\n'), failing, signal)).rejects.toBe(broken)
})
