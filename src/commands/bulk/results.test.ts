import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machine } from '../../../test/kit/harness.ts'
import { loan } from '../../../test/kit/loan.ts'
import { runCli } from '../../cli.ts'
import type { Transport } from '../../contract/wire.ts'
import { ClosedPipe } from '../../errors.ts'
import { createTally } from './results.ts'

const env = { BNPL_API_KEY: 'k-1234567890', BNPL_BASE_URL: 'https://api.example.com' }

/**
 * Verifies T1, T2 and T3 one after the other with a service that keeps T2 waiting until the results were written out for the first time.
 * @param out what stdout does then
 */
async function verifyThree(out: () => Promise<void>) {
  using m = machine()
  writeFileSync(join(m.dir, 'ids.csv'), 'externalTrxId\nT1\nT2\nT3\n')
  const written: string[] = []
  const asked: string[] = []
  const first = Promise.withResolvers<void>()
  const transport: Transport = async ({ url }) => {
    const trx = String(url.split('/').at(-2))
    asked.push(trx)
    if (trx === 'T2') await first.promise
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data: loan(trx) })) }
  }
  const { world, stderr } = m.world({ env, transport })
  world.io.out = async (data) => {
    written.push(String(data))
    await out().finally(first.resolve)
  }
  const words = 'verify --from ids.csv -o ndjson --concurrency 1'.split(' ')
  return { code: await runCli(words, world), written, asked, stderr: stderr() }
}

test('a row does not wait for the rows after it: a reader gets the first line before the second row is sent', async () => {
  const { code, written } = await verifyThree(async () => {})
  expect(code).toBe(0)
  expect(written.length).toBeGreaterThan(1)
  expect(written[0]).toMatch(/^\{"line":2,"externalTrxId":"T1",.*\}\n$/)
  expect(written.join('').split('\n')).toHaveLength(4)
})

test('a reader that closes the pipe between two rows ends the run, and nothing more is sent [row 81]', async () => {
  const { code, asked, stderr } = await verifyThree(() => Promise.reject(new ClosedPipe()))
  expect({ code, asked }).toEqual({ code: 141, asked: ['T1', 'T2'] })
  expect(stderr).toMatch(/\n2 of 3 rows: 2 ok; compared: only that a loan exists\n$/)
})

const row = (line: number, outcome: string) => ({
  number: line - 1,
  raw: { line, raw: '' },
  id: `T${line}`,
  others: {},
  result: { outcome },
  json: '',
})

test('rows are counted by outcome, by difference, as sent or done earlier, and as refused', () => {
  const tally = createTally(6, 2, ({ error }) => error?.kind === 'refused')
  const failed = (kind: string) => ({ outcome: 'failed', error: { kind, code: null, message: 'no' } })
  tally.count({ outcome: 'ok' }, false)
  tally.count({ outcome: 'ok' }, true)
  tally.count({ outcome: 'different', differences: ['amount', 'state'] }, true)
  tally.count({ outcome: 'different', differences: ['amount'] }, true)
  tally.count(failed('refused'), true)
  tally.count(failed('network'), true)
  expect([tally.sent, tally.earlier, tally.known, tally.done()]).toEqual([5, 1, 2, 6])
  expect([tally.of('ok'), tally.of('different'), tally.of('failed'), tally.of('unknown')]).toEqual([2, 2, 2, 0])
  expect([...tally.differences]).toEqual([
    ['amount', 2],
    ['state', 1],
  ])
  expect(tally.refused).toBe(1)
})

test('the first ten unknown rows are named by line', () => {
  const tally = createTally(30, 0, () => false)
  tally.name(Array.from({ length: 24 }, (_, i) => row(i + 2, i % 2 === 0 ? 'unknown' : 'ok')))
  expect(tally.unknownLines).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20])
})
