import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Entry, lineOf, type RecordedDelivery, type RecordedExchange, readRecording } from './lines.ts'

const EXCHANGE: RecordedExchange = {
  kind: 'exchange',
  v: 1,
  session: 'a1b2c3d4',
  at: '2026-03-01T12:00:00.000Z',
  by: 'client',
  endpoint: 'evaluate',
  request: { method: 'POST', path: '/partner/x', headers: [['accept', '*/*']], body: { form: [['amount', '1']] } },
  response: { status: 200, headers: [], body: { json: { data: { installmentOptions: [] } } } },
  ms: 12.5,
}
const DELIVERY: RecordedDelivery = {
  kind: 'delivery',
  v: 1,
  session: 'a1b2c3d4',
  at: '2026-03-01T12:00:01.000Z',
  request: { method: 'POST', path: '/webhooks', headers: [], body: { omitted: 'binary', bytes: 3 } },
  response: { status: 200 },
  ms: 1,
  signature: { scheme: 'hmac', header: 'service-signature', valid: true, algorithm: 'sha256', encoding: 'hex' },
}

async function read(text: string | Uint8Array) {
  using dir = mkdtempDisposableSync(join(tmpdir(), 'bnpl-recording-'))
  const path = join(dir.path, 'day.ndjson')
  writeFileSync(path, text)
  return await all(readRecording(path))
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

test('written entries are read back, each with the number of its line', async () => {
  const entries: Entry[] = [EXCHANGE, DELIVERY, { ...EXCHANGE, ended: 'timeout' }]
  expect(await read(entries.map(lineOf).join(''))).toEqual(entries.map((entry, i) => ({ line: i + 1, entry })))
})

test('a last line that a crash cut off is left out', async () => {
  const whole = lineOf(EXCHANGE)
  expect(await read(whole + whole.slice(0, -1))).toEqual([{ line: 1, entry: EXCHANGE }])
  expect(await read(whole.slice(0, 40))).toEqual([])
})

test.each([
  ['{"kind":"exchange"}', 'the field “v” is missing or has a wrong value'],
  ['not json', 'it is not JSON'],
  ['', 'it is empty'],
])('a line that is not an entry is refused with its number: %s', async (line, why) => {
  await expect(read(`${lineOf(EXCHANGE)}${line}\n`)).rejects.toMatchObject({
    kind: 'usage',
    message: `line 2 of day.ndjson is not an entry of a recording: ${why}`,
  })
})

test('numbers that a double cannot hold keep their digits', async () => {
  const line = lineOf(EXCHANGE).replace('"ms":12.5', '"ms":12.5,"x":12345678901234567890')
  const [found] = await read(line)
  expect(lineOf(found!.entry)).toContain('"x":12345678901234567890')
})

test('a file that is not there is refused', async () => {
  await expect(all(readRecording('/nowhere/day.ndjson'))).rejects.toMatchObject({ kind: 'usage' })
})
