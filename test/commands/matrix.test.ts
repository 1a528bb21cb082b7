import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Papa from 'papaparse'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { ClosedPipe } from '../../src/errors.ts'
import { outputFailed } from '../../src/terminal/output.ts'
import { beginDay, type Day, env } from '../kit/day.ts'
import { commandNames, isOf, SERVERS } from '../kit/every-command.ts'
import type { Ran } from '../kit/harness.ts'
import { ROOT } from '../kit/source-graph.ts'

/** Runs every command in every way in which a script may run it. `tables.test.ts` and `colours.test.ts` test what users see. */

/** Returns the error that `--json` prints on the last line of stderr. The test compares the fields that scripts depend on. */
function errorOf(line: string, { code, stdout, stderr }: Ran) {
  const last = stderr.trimEnd().split('\n').at(-1) ?? ''
  expect([line, last]).toEqual([line, expect.stringMatching(/^\{"error":\{.*\}\}$/)])
  // After failed checks (10) stdout has the result, which names them.
  if (code !== 10) expect([line, stdout]).toEqual([line, ''])
  const { error } = JSON.parse(last)
  expect([line, Object.keys(error).slice(0, 5)]).toEqual([line, ['kind', 'code', 'status', 'message', 'hint']])
  return error
}

let day: Day
let names: Awaited<ReturnType<typeof commandNames>>
beforeAll(async () => {
  day = await beginDay('--json')
  names = await commandNames(day.m.world().world)
})
afterAll(() => day?.end())

test('every command has at least one command line in this matrix', () => {
  const lines = [...day.rows.map(({ line }) => line), ...SERVERS]
  const missing = names.leaves.filter((name) => !lines.some(isOf(name)))
  expect(missing, 'commands without a line in test/kit/every-command.ts').toEqual([])
})

test('--dry-run prints requests where the README says so, is refused by other writing commands, and sends nothing', async () => {
  const [, said = ''] =
    /^`--dry-run` works with ([\s\S]*?)\.$/m.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? []
  const named = [...said.matchAll(/`([^`]+)`/g)].map(([, name]) => String(name))
  expect(named.filter((name) => !names.all.includes(name))).toEqual([])
  const before = (await day.run('sandbox requests --json')).json()
  for (const { line, code = 0, reads } of day.rows.filter(({ line }) => !isOf('__complete')(line))) {
    const ran = await day.run(line.replace(/( -- | true$|$)/, ' --dry-run$1'))
    if (named.some((name) => isOf(name)(line))) {
      expect([line, ran]).toEqual([line, expect.objectContaining({ code: 0, stdout: expect.stringMatching(/^curl /) })])
    } else if (ran.code !== 2) {
      expect([line, ran.code, reads]).toEqual([line, code, true])
      expect(ran.stdout).not.toMatch(/^curl /)
    } else {
      const error = (await day.run(line.replace(/( -- | true$|$)/, ' --dry-run --json$1'))).error()
      expect([line, error]).toMatchObject([line, { code: 'NO_DRY_RUN', hint: 'Remove --dry-run.' }])
    }
  }
  expect((await day.run('sandbox requests --json')).json()).toEqual(before)
})

test('a result beside a receiver that cannot be written causes exit 13, and a closed pipe causes exit 141 without an error [row 80, row 81]', async () => {
  const ENDS = [
    [13, outputFailed({ code: 'ENOSPC' }), expect.stringContaining('error: the result could not be written')],
    [141, new ClosedPipe(), expect.not.stringMatching(/error|EPIPE/)],
  ] as const
  // The other commands are in faults/output.test.ts.
  for (const { line } of day.rows.filter(({ reads, receiver }) => reads && receiver)) {
    for (const [ends, failure, said] of ENDS) {
      const { world, stderr } = day.m.world({ env })
      world.io.out = () => Promise.reject(failure)
      const code = await runCli(line.split(' '), world)
      expect([line, code, stderr()]).toEqual([line, ends, said])
    }
  }
})

test('a command that can run twice prints NDJSON with one document a line, CSV rows of one width, and no message with -q', async () => {
  for (const { line, json, code = 0 } of day.rows.filter(({ reads }) => reads)) {
    if (json === undefined || line.startsWith('api ')) continue
    const lines = await day.run(`${line} -o ndjson -q`)
    expect([line, lines.code, lines.stderr]).toEqual([line, code, code === 0 ? '' : lines.stderr])
    for (const each of lines.stdout.split('\n').filter(Boolean)) expect(() => JSON.parse(each), line).not.toThrow()
    const csv = await day.run(`${line} -o csv`)
    expect([
      line,
      csv.code,
      Papa.parse(csv.stdout, { header: true, delimiter: ',', skipEmptyLines: true }).errors,
    ]).toEqual([line, code, []])
  }
})

test('with --json and without a terminal, every result is exactly one document of its shape', async () => {
  for (const { line, json, code = 0 } of day.rows) {
    const ran = await day.run(json === undefined ? line : `${line} --json`)
    expect([line, ran.code, ran.stderr]).toEqual([line, code, ran.stderr])
    expect(ran.stdout + ran.stderr).not.toContain('\u001b')
    if (json !== undefined) expect([line, ran.json()]).toEqual([line, json])
  }
})

test('with --json, a failure leaves stdout empty and is explained in the last line of stderr', async () => {
  for (const name of names.leaves) {
    const ran = await day.run(`${name} --no-such-option --json`)
    expect([name, ran.code, errorOf(name, ran).kind]).toEqual([name, 2, 'usage'])
  }
  for (const { line } of day.rows) {
    const ran = await day.run(`${line.replace(/-p [\w:-]+/, '')} -p nobody --json`)
    if (ran.code === 0) continue
    const { kind } = errorOf(line, ran)
    expect([line, ran.code, kind]).not.toEqual([line, 1, 'bug'])
  }
})

test('a command that runs until it is stopped prints one line at the start and one line per event', async () => {
  const { 'sandbox start': sandbox, 'webhooks listen': listen } = await day.end()
  expect([sandbox?.code, listen?.code]).toEqual([130, 130])
  expect(JSON.parse(String(sandbox?.stdout))).toMatchObject({
    baseUrl: expect.any(String),
    paymentUrl: expect.any(String),
    dashboardUrl: expect.any(String),
    partners: expect.arrayContaining([
      {
        name: expect.any(String),
        product: 'bnpl',
        evaluationModule: expect.any(Boolean),
        active: true,
        apiKey: expect.any(String),
        publicKey: expect.any(String),
        entityId: expect.any(String),
        production: { name: expect.any(String), apiKey: expect.any(String), publicKey: expect.any(String) },
      },
    ]),
  })
  expect(sandbox?.stdout.trimEnd()).not.toContain('\n')
  const events = String(listen?.stdout).trimEnd().split('\n')
  expect(JSON.parse(String(events[0]))).toMatchObject({ eventId: 'E1', event: 'loan_approved', data: {} })
  for (const event of events) expect(() => JSON.parse(event)).not.toThrow()
})
