import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Interrupted } from '../errors.ts'
import { checkRows, createProblems } from './check.ts'
import { idHash } from './id-hashes.ts'
import { type Input, openInput } from './input.ts'
import type { Operation, Values } from './row.ts'

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
const operation: Operation = {
  columns: [
    { name: 'note', required: false },
    { name: 'trx', required: true },
    { name: 'amount', required: true },
  ],
  id: 1,
  command: 'test',
  things: 'tests',
  repeatable: true,
  settings: '',
  resultColumns: [],
  read(values) {
    asked.push(values)
    if (values[2] === 'bad') return { problems: ['amount is bad', 'amount is no number'] }
    return { send: async () => ({ outcome: 'ok' }) }
  },
}

const { signal } = new AbortController()
const check = (text: string | Uint8Array, maxRows?: number) => checkRows(inputOf(text), operation, signal, maxRows)
const badRows = (count: string, ...lines: string[]) => ({
  kind: 'usage',
  code: 'BAD_ROWS',
  message: [`rows.csv has ${count}; nothing was sent`, ...lines].join('\n'),
  hint: 'Correct the file, then run the command again.',
})

test('the check of a correct file returns the number of rows, the digest of the content, and the hash of each id in order', async () => {
  const checked = await check('trx,amount\nb,1\na,2\n')
  expect(checked.rows).toBe(2)
  expect([...checked.ids]).toEqual([idHash('b'), idHash('a')])
  expect(checked.content).toEqual({
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    size: expect.any(Number),
    version: 'v1',
  })
})

test('each empty required cell of a row is reported once, and the rest of the row is not checked [row 95]', async () => {
  asked.length = 0
  await expect(check('note,trx,amount\nx,,\n,c,1\ny, ,bad\n')).rejects.toMatchObject(
    badRows('3 problems', 'line 2: trx is empty', 'line 2: amount is empty', 'line 4: trx is empty'),
  )
  expect(asked).toEqual([[undefined, 'c', '1']])
})

test('a single problem is counted as “a problem”, and every problem that the operation finds counts [row 95]', async () => {
  await expect(check('trx,amount\na,1,2\n')).rejects.toMatchObject(
    badRows('a problem', 'line 2: it has 3 cells, but the first line has 2'),
  )
  await expect(check('trx,amount\na,bad\n')).rejects.toMatchObject(
    badRows('2 problems', 'line 2: amount is bad', 'line 2: amount is no number'),
  )
})

test('a repeated id is reported with the line of its first occurrence, even in a row with another problem [row 95]', async () => {
  await expect(check('trx,amount\na,1\nb,1\na,2\nb\n"a",\n')).rejects.toMatchObject(
    badRows(
      '4 problems',
      'line 4: trx is the same as in line 2',
      'line 5: it has 1 cell, but the first line has 2',
      'line 6: amount is empty',
      'line 6: trx is the same as in line 2',
    ),
  )
})

test('problems found before an unreadable line are reported together with the problem of that line [row 95]', async () => {
  const input = inputOf('trx,amount\na,\nc,1\n', '"b" c,1\n')
  await expect(checkRows(input, operation, signal)).rejects.toMatchObject(
    badRows(
      '2 problems',
      'line 2: amount is empty',
      'line 4: a quoted cell is not closed, or has text after its closing quote',
    ),
  )
  await expect(check(Buffer.from([0xff, 0xfe]))).rejects.toMatchObject({ code: 'BAD_ROWS' })
})

test('a file with only a header has no rows [row 95]', async () => {
  await expect(check('trx,amount\n\n')).rejects.toMatchObject({
    kind: 'usage',
    code: 'NO_ROWS',
    message: 'rows.csv has no rows',
    hint: 'Write at least one row into the file. Nothing was sent.',
  })
})

test('a file with too many rows is refused without listing its problems', async () => {
  await expect(
    check(`trx,amount\n${',1\n'.repeat(3)}${Array.from({ length: 1200 }, (_, i) => `t${i},1\n`).join('')}`, 1199),
  ).rejects.toMatchObject({
    kind: 'usage',
    code: 'INPUT_TOO_LARGE',
    message: 'rows.csv has more than 1.199 rows',
    hint: 'Split the file and run the parts one after the other. Nothing was sent.',
  })
})

test('an error that is not about the text of the file is rethrown unchanged', async () => {
  const broken = new Error('EIO')
  const failing = {
    ...operation,
    read() {
      throw broken
    },
  }
  await expect(checkRows(inputOf('trx,amount\na,1\n'), failing, signal)).rejects.toBe(broken)
})

function problemsOf(lines: readonly number[]) {
  const problems = createProblems()
  for (const line of lines) problems.add(line, `p${line}`)
  return problems
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

test.each([0, 1, 19, 20])('%i problems are all named, by line', (count) => {
  const problems = problemsOf(upTo(count).reverse())
  expect(problems.count()).toBe(count)
  expect(problems.lines()).toEqual(upTo(count).map((line) => `line ${line}: p${line}`))
})

test.each([21, 199, 200, 201, 202, 401, 1000])(
  'of %i problems the first twenty by line are named, and the rest counted',
  (count) => {
    for (const lines of [upTo(count), upTo(count).reverse()]) {
      const problems = problemsOf(lines)
      expect(problems.count()).toBe(count)
      const expected = [...upTo(20).map((line) => `line ${line}: p${line}`), `… and ${count - 20} more`]
      expect(problems.lines()).toEqual(expected)
      expect(problems.lines()).toEqual(expected)
    }
  },
)

test('problems of one line stay in the order in which they were found', () => {
  const problems = createProblems()
  for (const problem of ['b', 'a', 'c']) problems.add(7, problem)
  expect(problems.lines()).toEqual(['line 7: b', 'line 7: a', 'line 7: c'])
})

test('endless rows of a pipe are refused without a leftover file, and more rows than the maximum are refused', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-endless-'))
  try {
    const { signal } = new AbortController()
    const stdin = async function* () {
      for (;;) yield Buffer.from('trx\n')
    }
    const opening = openInput('-', { cwd: dir, spoolDir: join(dir, 'bulk'), stdin, signal, maxSpoolBytes: 1024 })
    await expect(opening).rejects.toMatchObject({ kind: 'usage', code: 'INPUT_TOO_LARGE' })
    expect(readdirSync(join(dir, 'bulk'))).toEqual([])
    writeFileSync(join(dir, 'in.csv'), 'trx\n1\n2\n3\n')
    const input = await openInput('in.csv', { cwd: dir, spoolDir: dir, stdin, signal })
    const operation: Operation = {
      command: 'test',
      things: 'tests',
      columns: [{ name: 'trx', required: true }],
      id: 0,
      repeatable: true,
      settings: '',
      resultColumns: [],
      read: () => ({ send: async () => ({ outcome: 'ok' }) }),
    }
    expect(await checkRows(input, operation, signal, 3)).toMatchObject({ rows: 3 })
    await expect(checkRows(input, operation, signal, 2)).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' })
    const stopped = AbortSignal.abort(new Interrupted())
    await expect(checkRows(input, operation, stopped)).rejects.toBeInstanceOf(Interrupted)
    await input.close()
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

test('problems added in reverse order are listed by line, and those after the first twenty are only counted', () => {
  const problems = createProblems()
  for (let line = 500; line > 0; line--) problems.add(line, 'wrong')
  expect(problems.lines().slice(0, 2)).toEqual(['line 1: wrong', 'line 2: wrong'])
  expect(problems.lines().at(-1)).toBe('… and 480 more')
  expect(problems.lines()).toHaveLength(21)
})

test('problems of a row, obstacles of its call and repeated ids are reported together, by line', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-check-'))
  try {
    writeFileSync(join(dir, 'in.csv'), 'id,amount\na,1\nb,\nc,x\nd,2\na,3\n')
    const { signal } = new AbortController()
    const input = await openInput('in.csv', { cwd: dir, spoolDir: dir, stdin: async function* () {}, signal })
    let sent = 0
    const operation: Operation = {
      command: 'test',
      things: 'tests',
      columns: [
        { name: 'id', required: true },
        { name: 'amount', required: true },
      ],
      id: 0,
      repeatable: true,
      settings: '',
      resultColumns: [],
      read([id, amount]) {
        if (amount === 'x') return { problems: ['amount is x', 'and that is wrong'] }
        return {
          obstacle: () => (id === 'd' ? 'd already exists' : undefined),
          async send() {
            sent++
            return { outcome: 'ok' }
          },
        }
      },
    }
    const refused = await checkRows(input, operation, signal).catch((error: unknown) => error)
    expect(refused).toMatchObject({ kind: 'usage', code: 'BAD_ROWS' })
    expect(String(refused).split('\n')).toEqual([
      expect.stringContaining('in.csv has 5 problems; nothing was sent'),
      'line 3: amount is empty',
      'line 4: amount is x',
      'line 4: and that is wrong',
      'line 5: d already exists',
      'line 6: id is the same as in line 2',
    ])
    expect(sent).toBe(0)
    await input.close()
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
