import { readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { env, lines, service, write } from '../kit/bulk-kit.ts'
import { countingService } from '../kit/counting-service.ts'
import { customers, rut } from '../kit/customer-rows.ts'
import { fakeClock, type Machine, machine, type Ran } from '../kit/harness.ts'
import { program, until } from '../kit/program.ts'

/** Runs at the same time, with and without a file in common. */

/** Rows whose transactions occur in no other file. */
const own = (name: string, count: number) => customers(count).replaceAll(',t-', `,${name}-`)

let round = 0

/** Makes ledgers of runs that ended 100 days ago. */
async function oldLedgers(m: Machine, count: number): Promise<string[]> {
  const { transport } = service(() => undefined)
  const then = Date.now() - 100 * 86_400_000
  for (let i = 0; i < count; i++) {
    write(m, 'old.csv', own(`old-${++round}`, 2))
    expect((await m.run('evaluate --from old.csv -q', { env, transport, clock: fakeClock(then) })).code).toBe(0)
  }
  const dir = join(m.stateDir, 'bulk')
  const paths = readdirSync(dir).map((name) => join(dir, name))
  for (const path of paths) utimesSync(path, then / 1000, then / 1000)
  return paths
}

test('six runs without common files all succeed when started together, with any delay between the starts [attack 7]', async () => {
  using m = machine()
  const files = Array.from({ length: 6 }, (_, i) => `f${i}`)
  for (const offset of [0, 3, 30]) {
    // Each run tries to remove the same ledgers.
    await oldLedgers(m, 2)
    const { transport } = service(() => undefined)
    const running: Promise<Ran>[] = []
    for (const name of files) {
      write(m, `${name}.csv`, own(`${name}-${++round}`, 20))
      running.push(m.run(`evaluate --from ${name}.csv --out ${name}.out.csv --force -q`, { env, transport }))
      for (let i = 0; i < offset; i++) await turn()
    }
    const ended = await Promise.all(running)
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(files.map(() => [0, '']))
    for (const name of files) expect(lines(readFileSync(join(m.dir, `${name}.out.csv`), 'utf8'))).toHaveLength(21)
  }
})

test('six processes without common files all succeed when started together [attack 7]', async () => {
  await using p = program()
  const service = await countingService(0)
  const names = Array.from({ length: 6 }, (_, i) => `f${i}`)
  const account = { BNPL_BASE_URL: service.baseUrl, BNPL_API_KEY: 'test-key-123456', BNPL_ENTITY_ID: 'E1' }
  for (const name of names) writeFileSync(join(p.dir, `${name}.csv`), own(name, 30))
  const ended = await Promise.all(
    names.map((name) => p.run(`evaluate --from ${name}.csv --out ${name}.out.csv -q`, account)),
  )
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']))
  expect([service.total(), service.asked.size]).toEqual([180, 180])
  await service.close()
})

test('a clock that is 100 days ahead during some runs does not let a finished file be sent again', async () => {
  using m = machine()
  const { transport, asked } = service(() => undefined)
  write(m, 'paid.csv', own('paid', 2))
  write(m, 'other.csv', own('other', 2))
  const run = (line: string, days: number) =>
    m.run(line, { env, transport, clock: fakeClock(Date.now() + days * 86_400_000) })
  expect((await run('evaluate --from paid.csv', 0)).code).toBe(0)
  for (const days of [100, 100, 130, 100, 5000])
    expect((await run(`evaluate --from other.csv --restart`, days)).code).toBe(0)
  const sent = asked.length
  const again = await run('evaluate --from paid.csv', 1)
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('were already sent')])
  expect(asked).toHaveLength(sent)
})

test('the ledger of an ended run is removed when runs on 30 different days have seen that it ended more than 90 days ago', async () => {
  using m = machine()
  const old = await oldLedgers(m, 2)
  const { transport } = service(() => undefined)
  const day = (days: number) => fakeClock(Date.now() + days * 86_400_000)
  const left = () =>
    readdirSync(join(m.stateDir, 'bulk')).filter((name) => old.includes(join(m.stateDir, 'bulk', name))).length
  write(m, 'a.csv', own('a', 2))
  for (let i = 0; i < 30; i++) {
    expect(left()).toBe(2)
    expect((await m.run('evaluate --from a.csv --restart', { env, transport, clock: day(i) })).code).toBe(0)
  }
  expect(left()).toBe(0)
})

/** The error of the command that starts second. Nothing of it was sent. */
const SECOND =
  /another process \(pid \d+\) is already sending the rows of this file|is being written by another run \(pid \d+\)|were already sent by the run|already exists|did not finish/

interface Pair {
  lines: [string, string]
  stdin?: [string, string]
  /** Whether both commands may succeed when the second starts after the first has ended. */
  both?: boolean
}

const PAIRS: Record<string, Pair> = {
  'one input twice': { lines: ['evaluate --from a.csv --out 1.csv', 'evaluate --from a.csv --out 2.csv'] },
  'an input and a copy of it': { lines: ['evaluate --from a.csv --out 1.csv', 'evaluate --from copy.csv --out 2.csv'] },
  'an input and a longer version of it': {
    lines: ['evaluate --from a.csv --out 1.csv', 'evaluate --from grown.csv --out 2.csv'],
    both: true,
  },
  '--resume beside a run': {
    lines: ['evaluate --from a.csv --out 1.csv', 'evaluate --from a.csv --out 2.csv --resume'],
    both: true,
  },
  'two times --resume': {
    lines: ['evaluate --from a.csv --out 1.csv --resume', 'evaluate --from a.csv --out 2.csv --resume'],
    both: true,
  },
  'one --out': { lines: ['evaluate --from a.csv --out 1.csv', 'evaluate --from b.csv --out 1.csv'] },
  'one --failed': {
    lines: [
      'verify --from a.csv --column amount= --out 1.csv --failed f.csv',
      'verify --from b.csv --column amount= --out 2.csv --failed f.csv',
    ],
    both: true,
  },
  'one --junit': {
    lines: [
      'verify --from a.csv --column amount= --out 1.csv --junit r.xml',
      'verify --from b.csv --column amount= --out 2.csv --junit r.xml',
    ],
    both: true,
  },
  'the same through two pipes': {
    lines: ['evaluate --from - --out 1.csv', 'evaluate --from - --out 2.csv'],
    stdin: [own('a', 40), own('a', 40)],
  },
  'two pipes': {
    lines: ['evaluate --from - --out 1.csv', 'evaluate --from - --out 2.csv'],
    stdin: [own('a', 40), own('b', 40)],
    both: true,
  },
}

test.each(Object.entries(PAIRS))(
  'two commands at the same time both succeed, or one command is refused with the reason: %s [row 115]',
  async (name, { lines: words, stdin, both = false }) => {
    let refused = 0
    for (const offset of [0, 1, 4, 15, 60, 400]) {
      using m = machine()
      for (const file of ['a', 'copy']) write(m, `${file}.csv`, own('a', 40))
      write(m, 'b.csv', own('b', 40))
      const { transport, asked } = service(() => undefined)
      const given = (i: 0 | 1) => ({ env, transport, ...(stdin ? { stdin: stdin[i] } : {}) })
      const first = m.run(words[0], given(0))
      for (let i = 0; i < offset; i++) await turn()
      // The longer version replaces the file, as a program does that writes a new file and renames it.
      if (words[1].includes('grown.csv')) {
        renameSync(write(m, 'grown.csv', `${own('a', 40)}${rut(90)},5000,a-41\n`), join(m.dir, 'a.csv'))
      }
      const second = m.run(words[1].replace('grown.csv', 'a.csv'), given(1))
      const ended = await Promise.all([first, second])
      const where = `${name}, offset ${offset}: ${ended.map(({ code, stderr }) => `${code} ${stderr}`).join(' | ')}`
      const fine = ended.filter(({ code }) => code === 0)
      expect(fine.length, where).toBeGreaterThan(0)
      if (!both) expect(fine.length, where).toBe(1)
      for (const { code, stderr } of ended.filter((each) => each.code !== 0)) {
        expect([2, 3], where).toContain(code)
        expect(stderr, where).toMatch(SECOND)
      }
      if (words[0].startsWith('evaluate')) expect([asked.length, where]).toEqual([new Set(asked).size, where])
      for (const [i, { code }] of ended.entries()) {
        const out = /--out (\S+)/.exec(words[i] ?? '')?.[1] ?? ''
        if (code !== 0) continue
        const rows = lines(readFileSync(join(m.dir, out), 'utf8')).slice(1)
        const wanted = words[i]?.includes('b.csv') || (stdin && i === 1 && stdin[0] !== stdin[1]) ? 'b' : 'a'
        expect(rows.filter((row) => row.split(',')[1]?.startsWith(`${wanted}-`)).length, where).toBe(rows.length)
        expect(rows.length, where).toBeGreaterThanOrEqual(40)
      }
      if (ended.some(({ code }) => code === 3)) refused++
    }
    // At some of the offsets the two commands did overlap. Two pipes never conflict.
    expect(refused > 0).toBe(name !== 'two pipes')
  },
)

test('of two processes that use the same file the second is refused with the pid of the first [row 115, attack 2]', async () => {
  await using p = program()
  const service = await countingService(undefined)
  const account = { BNPL_BASE_URL: service.baseUrl, BNPL_API_KEY: 'test-key-123456', BNPL_ENTITY_ID: 'E1' }
  for (const name of ['a', 'b']) writeFileSync(join(p.dir, `${name}.csv`), own(name, 40))
  const first = p.start('evaluate --from a.csv --out o.csv --failed f.csv', account)
  await until(() => service.total() === 8, first)
  const others = [
    ['evaluate --from b.csv --out o.csv --force', 'o.csv is being written by another run'],
    ['evaluate --from b.csv --out x1.csv --failed f.csv', 'f.csv is being written by another run'],
    ['verify --from b.csv --out x2.csv --junit o.csv', 'o.csv is being written by another run'],
    ['evaluate --from a.csv --out x3.csv --resume', 'is already sending the rows of this file'],
    ['evaluate --from a.csv --out x4.csv --restart', 'is already sending the rows of this file'],
  ] as const
  for (const [{ code, stderr }, words] of await Promise.all(
    others.map(async ([line, words]) => [await p.run(line, account), words] as const),
  )) {
    expect(stderr).toContain(words)
    expect([code, stderr.includes(`(pid ${first.child.pid})`)]).toEqual([3, true])
  }
  expect(service.total()).toBe(8)
  // After the kill, the first run locks nothing, and its files are removed.
  first.child.kill('SIGKILL')
  await first.ended
  expect(readdirSync(p.dir).filter((name) => name.endsWith('.part'))).toHaveLength(1)
  await service.close()
  const quick = await countingService(0)
  const account2 = { ...account, BNPL_BASE_URL: quick.baseUrl }
  const ran = await p.run('evaluate --from b.csv --out o.csv --failed f.csv -q', account2)
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  expect(readdirSync(p.dir).filter((name) => name.endsWith('.part'))).toEqual([])
  expect(readdirSync(join(p.stateDir, 'claims'))).toEqual(['claims.db'])
  await quick.close()
})
