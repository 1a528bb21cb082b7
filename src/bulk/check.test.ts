import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Interrupted } from '../errors.ts'
import { checkRows, createProblems } from './check.ts'
import { openInput } from './input.ts'
import type { Operation } from './operation.ts'

test('rows without end are refused before they fill the disk or the memory, and no file stays', async () => {
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

test('the first twenty problems are named by line, and the others are counted', () => {
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
          obstacle: () => (id === 'd' ? 'd exists already' : undefined),
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
      'line 5: d exists already',
      'line 6: id is the same as in line 2',
    ])
    expect(sent).toBe(0)
    await input.close()
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
