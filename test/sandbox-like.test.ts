import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Entry } from '../src/recording/entries.ts'
import { lineOf } from '../src/recording/lines.ts'
import { type Machine, machine } from './harness.ts'
import { whileServed } from './while-served.ts'

const common = { v: 1 as const, session: 's', at: '2026-03-01T12:00:00.000Z' }
const SESSION: Entry = { kind: 'session', ...common, program: 'bnpl 1', command: 'smoke', environment: 'beta' }
/** A recorded answer of a service whose list of destinations has another path. */
const LISTED: Entry = {
  kind: 'exchange',
  ...common,
  by: 'client',
  endpoint: 'listWebhooks',
  ms: 5,
  request: { method: 'GET', path: '/partner/webhook', headers: [['authorization', 'Bearer (secret)']] },
  response: {
    status: 200,
    headers: [['content-type', 'application/json']],
    body: { json: { data: { items: [{ id: 7, address: 'https://host-a.example/hook' }], page: 1 } } },
  },
}

const recorded = (m: Machine, entries: readonly Entry[] = [LISTED]) =>
  writeFileSync(join(m.dir, 'day.ndjson'), [SESSION, ...entries].map(lineOf).join(''))

const listOf = async (port: number, apiKey: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}/partner/webhook`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  return [answer.headers.get('content-type'), await answer.json()]
}

test('a sandbox started with --like answers like the recorded service, also after a restart, until --no-like', async () => {
  using m = machine()
  recorded(m)
  const there = ['application/json', { data: { items: [], page: 1 } }]
  const served = (options: string) => whileServed(m, ({ port, apiKey }) => listOf(port, apiKey), options)
  expect(await served('--like day.ndjson')).toEqual(there)
  expect(await served('')).toEqual(there)
  expect(await served('--no-like')).toEqual(['application/json; charset=utf-8', { data: [] }])
  expect(await served('')).toEqual(['application/json; charset=utf-8', { data: [] }])
})

test('sandbox status and contract gaps show what was learnt from a recording, and the date of the recording', async () => {
  using m = machine()
  recorded(m)
  await whileServed(
    m,
    async () => {
      const status = (await m.run('sandbox status --json')).json()
      expect(status.like).toMatchObject({
        learnt: { from: common.at, to: common.at, exchanges: 1, deliveries: 0 },
        answers: expect.any(Array),
      })
      const row = status.like.fidelity.find((each: { endpoint: string }) => each.endpoint === 'listWebhooks')
      expect(row).toMatchObject({ seen: 1, missing: expect.any(Array) })
      expect(row.same / row.facts).toBeGreaterThan(row.conventions.same / row.conventions.facts)
      const { stdout } = await m.run('sandbox status')
      expect(stdout).toMatch(/Like +1 exchange and 0 deliveries of 2026-/)
      expect(stdout).toMatch(/listWebhooks +1 +\d+ % +\d+ %/)
      const gaps = (await m.run('contract gaps --json')).json()
      for (const { gap, answer } of status.like.answers)
        expect(gaps.find(({ number }: { number: number }) => number === gap).learnt).toMatchObject({
          answer: expect.stringContaining(answer),
          at: common.at,
        })
    },
    '--like day.ndjson',
  )
  expect((await m.run('sandbox status --json')).json().like).not.toBe(null)
  expect((await m.run('contract gaps --json')).json()[0].learnt).toBe(null)
})

test('a file without an exchange or a delivery is refused before anything starts', async () => {
  using m = machine()
  recorded(m, [])
  for (const line of ['sandbox start --port 0 --like day.ndjson', 'sandbox run --like day.ndjson -- true']) {
    const ran = await m.run(`${line} `)
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining('contains no recorded exchange and no recorded delivery'),
    ])
  }
  const missing = await m.run('sandbox run --like day.ndjson --like other.ndjson -- true')
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('other.ndjson cannot be read')])
})
