import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { lineOf } from '../../src/recording/lines.ts'
import { type Machine, machine } from '../kit/harness.ts'

/** `contract export`: recordings as HAR and as fixtures. */

const pair = z.strictObject({ name: z.string(), value: z.string() })
const message = {
  httpVersion: z.string(),
  cookies: z.array(pair),
  headers: z.array(pair),
  headersSize: z.int(),
  bodySize: z.int(),
}

/** HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), strictly: fields that it does not name begin with `_`. */
const HAR = z.strictObject({
  log: z.strictObject({
    version: z.literal('1.2'),
    creator: z.strictObject({ name: z.string(), version: z.string() }),
    pages: z.array(z.unknown()),
    entries: z.array(
      z.strictObject({
        startedDateTime: z.iso.datetime(),
        time: z.number().check(z.nonnegative()),
        request: z.strictObject({
          ...message,
          method: z.string(),
          url: z.url(),
          queryString: z.array(pair),
          postData: z.optional(
            z.strictObject({ mimeType: z.string(), text: z.string(), params: z.optional(z.array(pair)) }),
          ),
        }),
        response: z.strictObject({
          ...message,
          status: z.int(),
          statusText: z.string(),
          content: z.strictObject({ size: z.int(), mimeType: z.string(), text: z.optional(z.string()) }),
          redirectURL: z.string(),
          _error: z.optional(z.string()),
        }),
        cache: z.strictObject({}),
        timings: z.strictObject({ send: z.number(), wait: z.number(), receive: z.number() }),
        comment: z.string(),
      }),
    ),
  }),
})

/** Records a morning: two evaluations, a verification without a loan, a list, a report, a delivery and a call without an answer. */
async function morning(m: Machine): Promise<void> {
  for (const line of [
    'evaluate -p sandbox --rut 12345678-5 --amount 50000 --trx T1',
    'evaluate -p sandbox --rut 12345678-5 --amount 60000 --trx T2',
    'verify -p sandbox T1',
    'webhooks list -p sandbox',
  ])
    await m.run(`${line} --record day.ndjson`)
  const common = { v: 1, session: 'aaaaaaaa', at: '2026-03-01T12:00:00.000Z', ms: 3 } as const
  const request = {
    method: 'POST',
    path: '/webhooks',
    headers: [],
    body: { json: { eventId: 'e1', data: { state: 'ACTIVE' } } },
  }
  const more = [
    lineOf({
      kind: 'delivery',
      ...common,
      request: { ...request, headers: [] },
      response: { status: 200 },
      signature: { scheme: 'hmac', valid: true },
    }),
    lineOf({
      kind: 'exchange',
      ...common,
      by: 'client',
      endpoint: 'listLeads',
      request: { method: 'GET', path: '/partner/leads?page=2', headers: [] },
      ended: 'timeout',
    }),
  ]
  writeFileSync(join(m.dir, 'more.ndjson'), more.join(''))
}

const read = (m: Machine, name: string) => JSON.parse(readFileSync(join(m.dir, name), 'utf8'))

test('a recording is exported as HAR 1.2, with one entry for each exchange and delivery', async () => {
  using m = machine()
  await morning(m)
  const ran = await m.run('contract export day.ndjson more.ndjson --har day.har --json')
  expect([ran.code, ran.json()]).toEqual([0, [{ file: 'day.har', entries: 6 }]])
  const har = read(m, 'day.har')
  expect(z.safeParse(HAR, har).error).toBeUndefined()
  const [first, , third] = har.log.entries
  expect(first.request).toMatchObject({
    url: 'http://127.0.0.1:4555/partner/pre-loan-request/bnpl',
    postData: {
      mimeType: 'application/x-www-form-urlencoded',
      params: expect.arrayContaining([{ name: 'amount', value: '50000' }]),
    },
  })
  expect(JSON.parse(first.response.content.text)).toMatchObject({ data: { installmentOptions: expect.any(Array) } })
  expect([third.response.status, third.response.statusText, third.comment]).toEqual([404, 'Not Found', 'verifyLoan'])
  const last = har.log.entries.at(-1)
  expect([last.response.status, last.response._error]).toEqual([0, 'timeout'])
  expect(last.request.queryString).toEqual([{ name: 'page', value: '2' }])
  expect(statSync(join(m.dir, 'day.har')).mode & 0o777).toBe(0o600)
})

test('a recording is exported as fixtures: a file per call and status and per kind of delivery, and an index', async () => {
  using m = machine()
  await morning(m)
  const ran = await m.run('contract export day.ndjson more.ndjson --fixtures fx')
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  const files = ['delivery/loan_approved.json', 'evaluate/200.json', 'listWebhooks/200.json', 'verifyLoan/404.json']
  expect(read(m, 'fx/index.json').map(({ file, count }: { file: string; count: number }) => [file, count])).toEqual(
    files.map((file) => [file, file.startsWith('evaluate') ? 2 : 1]),
  )
  expect(readdirSync(join(m.dir, 'fx')).sort()).toEqual([
    'delivery',
    'evaluate',
    'index.json',
    'listWebhooks',
    'verifyLoan',
  ])
  expect(read(m, 'fx/evaluate/200.json')).toMatchObject({
    method: 'POST',
    path: '/partner/pre-loan-request/bnpl',
    request: { amount: '60000', externalTrxId: 'T2' },
    status: 200,
    response: { data: { installmentOptions: expect.any(Array) } },
  })
  expect(read(m, 'fx/delivery/loan_approved.json')).toMatchObject({ request: { eventId: 'e1' }, status: 200 })
})

test('contract export needs a format, and writes nothing if its target exists, unless --force is given', async () => {
  using m = machine()
  await morning(m)
  expect((await m.run('contract export day.ndjson')).code).toBe(2)
  writeFileSync(join(m.dir, 'day.har'), 'mine')
  expect((await m.run('contract export day.ndjson --har day.har')).code).toBe(2)
  expect(readFileSync(join(m.dir, 'day.har'), 'utf8')).toBe('mine')
  await m.run('contract export day.ndjson --fixtures fx')
  expect((await m.run('contract export day.ndjson more.ndjson --fixtures fx')).code).toBe(2)
  expect(existsSync(join(m.dir, 'fx/delivery'))).toBe(false)
  expect((await m.run('contract export day.ndjson more.ndjson --fixtures fx --force')).code).toBe(0)
  expect(existsSync(join(m.dir, 'fx/delivery/loan_approved.json'))).toBe(true)
})

test('a file that is not a recording is refused with the number of the wrong line, and nothing is written', async () => {
  using m = machine()
  writeFileSync(join(m.dir, 'x.ndjson'), '{"a":1}\n')
  const ran = await m.run('contract export x.ndjson --har x.har')
  expect([ran.code, ran.stderr]).toEqual([
    2,
    expect.stringContaining('line 1 of x.ndjson is not an entry of a recording'),
  ])
  expect(readdirSync(m.dir).sort()).not.toContain('x.har')
})
