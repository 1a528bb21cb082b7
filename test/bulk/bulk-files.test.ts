import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import type { Transport } from '../../src/contract/wire.ts'
import { Interrupted } from '../../src/errors.ts'
import { outputFailed } from '../../src/terminal/output.ts'
import { answer, env, lines, service, write } from '../kit/bulk-kit.ts'
import { customers, rut } from '../kit/customer-rows.ts'
import { fakeClock, type Machine, machine } from '../kit/harness.ts'

/** What happens to the files of a run: those that it writes, those that appear meanwhile, and its input. */

const read = (m: Machine, name: string) => readFileSync(join(m.dir, name), 'utf8')
const ids = (count: number) => `trx\n${Array.from({ length: count }, (_, i) => `t-${i + 1}\n`).join('')}`
const leftovers = (m: Machine) => readdirSync(m.dir).filter((name) => name.startsWith('.bnpl-'))

/** Returns a service whose first answer waits until `go` is called. `asked` resolves when the first request has arrived. */
function held() {
  const { transport, asked } = service(() => undefined)
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const waiting: Transport = async (request) => {
    begun.resolve()
    await go.promise
    return transport(request)
  }
  return { transport: waiting, asked, begun: begun.promise, go: go.resolve }
}

test.each([
  ['--out o.csv', '--out o.csv', 'o.csv'],
  ['--out o.csv', '--out link/o.csv', 'link/o.csv'],
  ['--out a.csv --failed f.csv', '--out b.csv --failed f.csv', 'f.csv'],
  ['--out o.csv', '--out b.csv --failed o.failed.csv', 'o.failed.csv'],
  ['--out b.csv --failed o.failed.csv', '--out o.csv', 'o.failed.csv'],
  ['--out a.csv --junit r.xml', '--out b.csv --junit r.xml', 'r.xml'],
  ['--out a.csv --junit r.xml', '--out r.xml -o csv', 'r.xml'],
])(
  'a second run that writes to a file of the first run is refused with the pid of the first: %s and %s [attack 2, row 115]',
  async (first, second, file) => {
    using m = machine()
    write(m, 'a.csv.in', ids(30))
    write(m, 'b.csv.in', ids(40))
    symlinkSync(m.dir, join(m.dir, 'link'))
    const { transport, begun, go } = held()
    const running = m.run(`verify --from a.csv.in ${first}`, { env, transport })
    await begun
    const other = service(() => undefined)
    const refused = await m.run(`verify --from b.csv.in ${second} --force`, { env, transport: other.transport })
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toContain(`${join(m.dir, file)} is being written by another run (pid ${process.pid})`)
    expect(other.asked).toEqual([])
    go()
    expect((await running).code).toBe(0)
    const out = /--out (\S+)/.exec(first)?.[1] ?? ''
    expect(lines(read(m, out))).toHaveLength(31)
    // After the first run has ended, the second may write the file.
    expect((await m.run(`verify --from b.csv.in ${second} --force`, { env, transport: other.transport })).code).toBe(0)
    expect(other.asked).toHaveLength(40)
    expect(leftovers(m)).toEqual([])
  },
)

test.each([
  ['evaluate', 'rut,amount,trx\n11222333-9,250.000,o-1\n', 'amount'],
  ['evaluate', 'rut;Monto Total;trx\n11222333-9;250.000;o-1\n', 'Monto Total'],
  ['verify', 'trx,expectedAmount\no-1,"250.000"\n', 'expectedAmount'],
])(
  '%s refuses an amount with separators in a file, and says how to write it and why',
  async (command, text, column) => {
    using m = machine()
    write(m, 'in.csv', text)
    const { code, stderr } = await m.run(`${command} --from in.csv -p sandbox`)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`line 2: ${column} “250.000”: it must be written without separators`),
    ])
    expect(stderr).toContain('as 250000, because in a file 250.000 may also be a decimal number')
  },
)

test('if stdout is full, the hint of a run says to continue with --resume', async () => {
  using m = machine()
  write(m, 'in.csv', ids(3))
  const { transport } = service(() => undefined)
  const { world, stderr } = m.world({ env, transport })
  const out = () => Promise.reject(outputFailed({ code: 'ENOSPC' }))
  const line = ['verify', '--from', 'in.csv', '--concurrency', '1']
  expect(await runCli(line, { ...world, io: { ...world.io, out } })).toBe(13)
  expect(stderr()).toMatch(
    /^ {2}Check the disk, or the program that reads stdout\.\n {2}Then continue with the same command and --resume\.$/m,
  )
})

test('the next run removes the temporary files of a killed run, and not those of a running one [attack 2]', async () => {
  using m = machine()
  write(m, 'in.csv', ids(3))
  const { transport, begun, go } = held()
  const running = m.run('verify --from in.csv --out a.csv', { env, transport })
  await begun
  const [mine = ''] = leftovers(m)
  // The files of a dead process, whose number no process has.
  const dead = mine.replace(`-${process.pid}-`, '-999999999-')
  write(m, dead, 'half a result')
  write(m, 'other.csv', ids(4))
  const other = service(() => undefined)
  expect((await m.run('verify --from other.csv --out b.csv', { env, transport: other.transport })).code).toBe(0)
  expect(leftovers(m)).toEqual([mine])
  go()
  expect((await running).code).toBe(0)
  expect([leftovers(m), lines(read(m, 'a.csv'))]).toEqual([[], expect.objectContaining({ length: 4 })])
})

test.each([
  ['results', 'evaluate --from in.csv --out o.csv', 'o.csv', '--out'],
  ['results', 'verify --from in.csv --out o.csv', 'o.csv', '--out'],
  ['failed rows', 'evaluate --from in.csv --out o.csv --failed f.csv', 'f.csv', '--failed'],
  ['failed rows', 'verify --from in.csv --out o.csv --failed f.csv', 'f.csv', '--failed'],
])(
  'a file created at the path of the %s during the run is kept, the run exits with 13 and can be resumed: %s [attack 10]',
  async (_, line, file, option) => {
    using m = machine()
    write(m, 'in.csv', customers(20))
    const { transport, asked } = service((trx) => {
      if (trx === 't-5') write(m, file, 'PRECIOUS')
      if (trx !== 't-9') return undefined
      return answer(line.startsWith('verify') ? 404 : 422, { error: { code: 'ERR_NO' } })
    })
    const ran = await m.run(line, { env, transport })
    expect(ran).toMatchObject({ code: 13, stdout: '' })
    expect(ran.stderr).toContain(`a file appeared at ${join(m.dir, file)} during the run and was not changed\n`)
    expect(ran.stderr).toContain('Every row is done.')
    expect(ran.stderr).toContain(
      `with --resume and ${option} OTHER-FILE. It writes the results and sends nothing twice`,
    )
    expect(read(m, file)).toBe('PRECIOUS')
    expect(leftovers(m)).toEqual([])

    const again = await m.run(`${line.replace(`${option} ${file}`, `${option} other.csv`)} --resume`, {
      env,
      transport,
    })
    expect(again.code).toBe(line.startsWith('verify') ? 10 : 11)
    expect(asked).toHaveLength(20)
    expect(read(m, file)).toBe('PRECIOUS')
    expect(lines(read(m, option === '--out' ? 'other.csv' : 'o.csv'))).toHaveLength(21)
  },
)

test('--resume replaces the results of the earlier run, and not a file that appears meanwhile [attack 10]', async () => {
  using m = machine()
  write(m, 'in.csv', ids(20))
  const stop = new AbortController()
  const cut = service((trx) => {
    if (trx === 't-5') stop.abort(new Interrupted())
    return undefined
  })
  const options = { env, transport: cut.transport, signal: stop.signal }
  expect((await m.run('verify --from in.csv --out o.csv', options)).code).toBe(130)
  const before = read(m, 'o.csv')
  const { transport } = service((trx) => {
    if (trx === 't-19') write(m, 'o.csv', 'PRECIOUS')
    return undefined
  })
  expect((await m.run('verify --from in.csv --out o.csv --resume', { env, transport })).code).toBe(13)
  expect(read(m, 'o.csv')).toBe('PRECIOUS')
  // The ledger is kept until the results are in their place.
  write(m, 'o.csv', before)
  const last = service(() => undefined)
  const again = await m.run('verify --from in.csv --out o.csv --resume --json', { env, transport: last.transport })
  expect([again.code, again.json().earlier, last.asked]).toEqual([0, 20, []])
  expect(lines(read(m, 'o.csv'))).toHaveLength(21)
})

test('when no row fails any more, the file of failed rows is removed, unless another program wrote the file [attack 10]', async () => {
  using m = machine()
  write(m, 'in.csv', customers(5))
  let failing = true
  const { transport } = service((trx) => {
    if (!failing && trx === 't-3') write(m, 'o.failed.csv', 'MINE')
    return failing && trx === 't-3' ? answer(401, {}) : undefined
  })
  expect((await m.run('evaluate --from in.csv --out o.csv', { env, transport })).code).toBe(11)
  expect(read(m, 'o.failed.csv')).toContain('t-3')
  failing = false
  expect((await m.run('evaluate --from in.csv --out o.csv --resume', { env, transport })).code).toBe(0)
  expect(read(m, 'o.failed.csv')).toBe('MINE')
  rmSync(join(m.dir, 'o.failed.csv'))
  failing = true
  await m.run('evaluate --from in.csv --out o.csv --restart --force', { env, transport })
  expect(read(m, 'o.failed.csv')).toContain('t-3')
  const quiet = service(() => undefined)
  await m.run('evaluate --from in.csv --out o.csv --resume', { env, transport: quiet.transport })
  expect(readdirSync(m.dir)).not.toContain('o.failed.csv')
})

test('after a JUnit report could not be written, --resume writes the report and sends no row again [attack 10]', async () => {
  using m = machine()
  write(m, 'in.csv', ids(10))
  const { transport, asked } = service((trx) => {
    if (trx === 't-9') mkdirSync(join(m.dir, 'r.xml'))
    return undefined
  })
  expect((await m.run('verify --from in.csv --out o.csv --junit r.xml', { env, transport })).code).toBe(13)
  const again = await m.run('verify --from in.csv --out o.csv --junit s.xml --resume', { env, transport })
  expect([again.code, asked.length]).toEqual([0, 10])
  expect(read(m, 's.xml')).toContain('tests="10"')
})

test('a JUnit report replaces an earlier report, but --junit with a symbolic link or another file is refused [row 114]', async () => {
  using m = machine()
  write(m, 'in.csv', ids(2))
  const { transport } = service(() => undefined)
  const verify = (out: string, junit: string) =>
    m.run(`verify --from in.csv --out ${out} --junit ${junit}`, { env, transport })
  expect((await verify('1.csv', 'r.xml')).code).toBe(0)
  expect((await verify('2.csv', 'r.xml')).code).toBe(0)
  symlinkSync('r.xml', join(m.dir, 'link.xml'))
  write(m, 'keys.txt', 'precious')
  for (const [junit, why] of [
    ['link.xml', 'is a symbolic link'],
    ['keys.txt', 'is not a JUnit report'],
  ] as const) {
    const refused = await verify('3.csv', junit)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`--junit ${junit} ${why}`)])
  }
  expect(read(m, 'keys.txt')).toBe('precious')
  expect(readdirSync(m.dir).filter((name) => name === '3.csv' || name.endsWith('.part'))).toEqual([])
})

const NOTE = 'x'.repeat(300)
/** Returns 600 rows, which are read in three blocks. Another amount of the same length does not change the length of the file. */
const priced = (amount: number) => {
  const rows = Array.from({ length: 600 }, (_, i) => `${rut(i)},${amount},t-${i + 1},${NOTE}`)
  return `rut,amount,externalTrxId,note\n${rows.join('\n')}\n`
}

test.each([
  ['every amount', () => priced(990_000), 3],
  ['every amount, and size and time of the file stay', () => priced(990_000), 3],
  ['a row that was sent already', () => priced(250_000).replace(',250000,t-1,', ',990000,t-1,'), 3],
  ['a row that was not sent yet', () => priced(250_000).replace(',250000,t-590,', ',990000,t-590,'), 3],
  ['rows were added', () => `${priced(250_000)}${rut(900)},990000,t-900,\n`, 3],
  ['rows were removed', () => priced(250_000).slice(0, 150_000), 3],
  ['nothing but its time', () => priced(250_000), 0],
])(
  'when the input changes during the run, only rows that were checked are sent: %s [attack 11]',
  async (what, changed, code) => {
    using m = machine()
    const path = write(m, 'in.csv', priced(250_000))
    const { atime, mtime } = statSync(path)
    const amounts: string[] = []
    const { transport, asked } = service(() => undefined)
    const ran = await m.run('evaluate --from in.csv --out o.csv', {
      env,
      async transport(request) {
        amounts.push(new URLSearchParams(new TextDecoder().decode(request.body)).get('amount') ?? '')
        if (amounts.length === 50) {
          writeFileSync(path, changed())
          if (what.endsWith('stay')) utimesSync(path, atime, mtime)
        }
        return transport(request)
      },
    })
    expect(amounts.filter((amount) => amount !== '250000')).toEqual([])
    expect(ran.code).toBe(code)
    expect(lines(read(m, 'o.csv'))).toHaveLength(asked.length + 1)
    if (code === 0)
      return expect([asked.length, ran.stderr]).toEqual([600, expect.stringMatching(/^Columns read: [^\n]*\n$/)])
    expect(ran.stderr).toContain('in.csv was changed during the run, so the run stopped before it sent a changed row')
    expect(ran.stderr).toMatch(/The run was stopped: \d+ of 600 rows are done, \d+ were not sent\./)
    // With the old contents again, the run resumes and sends the other rows.
    writeFileSync(path, priced(250_000))
    expect((await m.run('evaluate --from in.csv --out o.csv --resume -q', { env, transport })).code).toBe(0)
    expect([asked.length, new Set(asked).size]).toEqual([600, 600])
  },
)

test('when the input changes after the last row was read, the rows are sent as checked, with a warning [attack 11]', async () => {
  using m = machine()
  const path = write(m, 'in.csv', customers(20))
  const { transport, asked } = service(() => {
    if (asked.length === 1) writeFileSync(path, customers(20).replace(',1019,', ',9999,'))
    return undefined
  })
  const ran = await m.run('evaluate --from in.csv --out o.csv', { env, transport })
  expect([ran.code, asked.length]).toEqual([0, 20])
  expect(ran.stderr).toContain(
    'in.csv was changed during the run; the results are for the rows that the file had when the run began',
  )
  expect(read(m, 'o.csv')).toContain(',1019,')
})

const sentTwice = (asked: readonly string[]) => asked.filter((trx, i) => asked.indexOf(trx) !== i)

test.each([
  ['at the end', (text: string) => `${text}${rut(100)},5000,new-1\n`],
  ['at the end, of a file whose last line is not ended', (text: string) => `${text.trimEnd()}\n${rut(100)},5000,new-1`],
  ['in the middle', (text: string) => text.replace(/(?<=t-2\n)/, `${rut(100)},5000,new-1\n`)],
  [
    'by a spreadsheet, which writes other line ends and another order',
    (text: string) => {
      const [head, ...rows] = lines(text)
      return `\ufeff${[head, `${rut(100)},5000,new-1`, ...rows.reverse()].join('\r\n')}\r\n`
    },
  ],
])(
  'a row added to the file of a finished run is sent alone, with a note about the other rows: %s [attack 12]',
  async (_, added) => {
    using m = machine()
    write(m, 'c.csv', customers(5))
    const { transport, asked } = service(() => undefined)
    const clock = fakeClock()
    expect((await m.run('evaluate --from c.csv --out o.csv', { env, transport, clock })).code).toBe(0)
    write(m, 'c.csv', added(customers(5)))
    const ran = await m.run('evaluate --from c.csv --out p.csv', { env, transport })
    expect(ran.code).toBe(0)
    expect(ran.stderr.replace(/^Columns read.*\n/, '')).toBe(
      '5 rows were sent by the run of 2026-03-01T12:00:00.000Z and are not sent again; sending the other row\n',
    )
    expect(asked.slice(5)).toEqual(['new-1'])
    // The results contain every row, in the order of the file.
    const order = lines(read(m, 'c.csv'))
      .slice(1)
      .map((line) => line.trim().split(',')[2])
    expect(
      lines(read(m, 'p.csv'))
        .slice(1)
        .map((line) => line.split(',').slice(1, 3)),
    ).toEqual(order.map((trx) => [trx, 'ok']))
    // The longer file is now finished too, and may grow again.
    expect((await m.run('evaluate --from c.csv', { env, transport })).code).toBe(2)
    write(m, 'c.csv', `${read(m, 'c.csv').trimEnd()}\n${rut(101)},5000,new-2\n`)
    expect((await m.run('evaluate --from c.csv --out p.csv --force', { env, transport })).code).toBe(0)
    expect([asked.length, sentTwice(asked)]).toEqual([7, []])
  },
)

test.each([
  ['another amount', (text: string) => text.replace(',1002,', ',9002,')],
  ['another person', (text: string) => text.replace(rut(2), rut(200))],
  ['a row that was sent is missing', (text: string) => text.replace(/.*t-3\n/, '')],
  ['another amount, and rows added', (text: string) => `${text.replace(',1002,', ',9002,')}${rut(9)},5000,new-1\n`],
  [
    'the same rows in another order',
    (text: string) => `${lines(text).slice(0, 1)}\n${lines(text).slice(1).reverse().join('\n')}\n`,
  ],
])(
  'the file of a finished run with a changed row is refused, like the unchanged file: %s [attack 12]',
  async (_, changed) => {
    using m = machine()
    write(m, 'c.csv', customers(5))
    const { transport, asked } = service(() => undefined)
    await m.run('evaluate --from c.csv', { env, transport })
    write(m, 'c.csv', changed(customers(5)))
    const ran = await m.run('evaluate --from c.csv', { env, transport })
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toMatch(
      /were already sent by the run of|already sent rows of this file, and some of them were changed/,
    )
    expect(asked).toHaveLength(5)
    const all = await m.run('evaluate --from c.csv --restart', { env, transport })
    expect(all.code).toBe(0)
    expect(asked.length).toBeGreaterThan(8)
    // The run that began anew is now the one that a longer file is compared with.
    write(m, 'c.csv', `${changed(customers(5))}${rut(50)},5000,new-9\n`)
    asked.length = 0
    expect([(await m.run('evaluate --from c.csv', { env, transport })).code, asked]).toEqual([0, ['new-9']])
  },
)

test('a failed row may be corrected in the file, and is sent together with the new rows [attack 12]', async () => {
  using m = machine()
  write(m, 'c.csv', customers(5))
  const { transport, asked } = service((trx, nth) =>
    nth === 1 && trx === 't-2' ? answer(422, { error: { code: 'ERR_AMOUNT' } }) : undefined,
  )
  expect((await m.run('evaluate --from c.csv', { env, transport })).code).toBe(11)
  write(m, 'c.csv', `${customers(5).replace(',1001,', ',2001,')}${rut(9)},5000,new-1\n`)
  const ran = await m.run('evaluate --from c.csv -o ndjson', { env, transport })
  expect(ran.code).toBe(0)
  expect(ran.stderr).toContain('4 rows were sent by the run of ')
  expect(asked.slice(5).sort()).toEqual(['new-1', 't-2'])
  expect(lines(ran.stdout).map((line) => JSON.parse(line).amount)).toEqual([1000, 2001, 1002, 1003, 1004, 5000])
})

test('evaluate sends a file of new rows without an option, and verify may also send the same rows again [attack 12]', async () => {
  using m = machine()
  write(m, 'c.csv', customers(5))
  const { transport, asked } = service(() => undefined)
  await m.run('evaluate --from c.csv', { env, transport })
  write(m, 'c.csv', customers(9).replaceAll('t-', 'u-'))
  expect(await m.run('evaluate --from c.csv', { env, transport })).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/\n9 of 9 rows: 9 ok\n$/),
  })
  expect(asked).toHaveLength(14)
  for (const rows of [ids(5), ids(6)]) {
    write(m, 'v.csv', rows)
    asked.length = 0
    expect((await m.run('verify --from v.csv', { env, transport })).code).toBe(0)
    expect(asked).toHaveLength(lines(rows).length - 1)
  }
})

test('rows added to the input of a pipe are sent alone, and are refused with another entity id [attack 12]', async () => {
  using m = machine()
  const { transport, asked } = service(() => undefined)
  const pipe = (stdin: string, more = '') => m.run(`evaluate --from - ${more}`, { env, transport, stdin })
  expect((await pipe(customers(5))).code).toBe(0)
  const grown = `${customers(5)}${rut(9)},5000,new-1\n`
  const other = await pipe(grown, '--entity-id E2')
  expect([other.code, asked.length]).toEqual([2, 5])
  expect(other.stderr).toContain('was started with other settings (entityId E1; now entityId E2)')
  expect((await pipe(grown)).code).toBe(0)
  expect(asked.slice(5)).toEqual(['new-1'])
})

test('a run over added rows can be interrupted and resumed, and sends no row twice [attack 12]', async () => {
  using m = machine()
  write(m, 'c.csv', customers(20))
  const stop = new AbortController()
  const { transport, asked } = service((trx) => {
    if (trx === 't-45') stop.abort(new Interrupted())
    return undefined
  })
  await m.run('evaluate --from c.csv', { env, transport })
  write(m, 'c.csv', customers(80))
  const cut = await m.run('evaluate --from c.csv --out o.csv --concurrency 2', { env, transport, signal: stop.signal })
  expect(cut.code).toBe(130)
  expect(cut.stderr).toContain(`Interrupted: ${asked.length} of 80 rows are done`)
  const ran = await m.run('evaluate --from c.csv --out o.csv --resume --json', { env, transport })
  expect(ran.json()).toMatchObject({ rows: 80, ok: 80 })
  expect([asked.length, sentTwice(asked)]).toEqual([80, []])
  expect(lines(read(m, 'o.csv'))).toHaveLength(81)
})

test('the ledger contains no national id of a row [attack 12]', async () => {
  using m = machine()
  write(m, 'c.csv', customers(5))
  const { transport } = service(() => undefined)
  await m.run('evaluate --from c.csv', { env, transport })
  write(m, 'c.csv', customers(6))
  await m.run('evaluate --from c.csv', { env, transport })
  const dir = join(m.stateDir, 'bulk')
  const kept = readdirSync(dir)
    .map((name) => readFileSync(join(dir, name), 'latin1'))
    .join()
  for (const canary of [rut(0), '10000000', rut(5), '10000005']) expect(kept).not.toContain(canary)
})

const ESC = '\u001b]0;title\u0007\u009b31m'

test('a control character in results is written as an escape, line breaks are kept, and --csv-raw escapes nothing [attack 20]', async () => {
  using m = machine()
  write(m, 'in.csv', `rut,amount,trx,note\n${rut(0)},1000,t-1,"two\r\nlines${ESC}"\n`)
  const { transport } = service(() => answer(422, { error: { code: 'ERR_NO', message: `no${ESC}` } }))
  await m.run('evaluate --from in.csv --out o.csv', { env, transport })
  const controls = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/
  expect(read(m, 'o.csv')).not.toMatch(controls)
  expect(read(m, 'o.csv')).toContain('no\\u001b]0;title\\u0007\\u009b31m')
  expect(read(m, 'o.csv')).toContain('"two\r\nlines\\u001b]0;title')
  const [, ...row] = read(m, 'o.failed.csv').split('\n')
  // The row is written as it was in the file, so that it can be run again. The service's message is cleaned.
  expect(row.join('\n')).toMatch(
    /^\d+-.,1000,t-1,"two\r\nlines\u001b\]0;title\u0007\u009b31m",refused,.*no\\u001b\]0;title/,
  )
  await m.run('evaluate --from in.csv --out raw.csv --resume --csv-raw', { env, transport })
  expect(read(m, 'raw.csv')).toContain(`no${ESC}`)
  const json = await m.run('evaluate --from in.csv -o ndjson --resume', { env, transport })
  expect(json.stdout).not.toMatch(controls)
})
