import { validateHeaderName, validateHeaderValue } from 'node:http'
import { expect, test } from 'vitest'
import { at, read } from '../../../test/recorded-day.ts'
import { signatureInMannerOf } from '../../sandbox/service/manner/delivery.ts'
import { ENTRY, type Entry, type RecordedDelivery } from '../entries.ts'
import { learn } from './learn.ts'
import { DELIVERED } from './specimens.ts'

/** Recordings that somebody wrote by hand or that are damaged. A sandbox that is like them must be able to answer. */

const LIST = { method: 'GET', path: '/partner/webhook', headers: [['authorization', 'Bearer (secret)']] }
const exchange = (response: object, more: object = {}): any => ({
  kind: 'exchange',
  v: 1,
  session: 's',
  at: at(0),
  by: 'client',
  endpoint: 'listWebhooks',
  request: LIST,
  ms: 5,
  ...more,
  response: { status: 200, headers: [], body: { json: { data: [{ id: 7 }] } }, ...response },
})
const headed = (...headers: [string, string][]) => exchange({ headers })
const limited = (...headers: [string, string][]) => exchange({ status: 429, headers, body: { json: { code: 'X' } } })
const delivery = (headers: [string, string][], signature: object = {}): any => ({
  kind: 'delivery',
  v: 1,
  session: 's',
  at: at(0),
  request: { method: 'POST', path: '/hook', headers, body: { json: DELIVERED.loan_approved } },
  response: { status: 200 },
  ms: 5,
  signature: { scheme: 'hmac', valid: true, algorithm: 'sha256', encoding: 'hex', header: 'x-s', ...signature },
})

test.each<[what: string, entry: any]>([
  ['a line feed in a content type', headed(['content-type', 'a/b\r\nx: y'])],
  ['letters that no header has', headed(['content-type', 'Ā/b'])],
  ['an endless content type', headed(['content-type', 'a'.repeat(100_000)])],
  ['a status for a change of protocol', exchange({ status: 101 })],
  ['a status beyond all', exchange({ status: 999 })],
  ['a line feed in a pause', limited(['retry-after', '1\r\nset-cookie: a'])],
  ['a pause in other digits', limited(['retry-after', '٣'])],
  ['a day until the answer', exchange({}, { ms: 86_400_000 })],
  ['a line feed in the header of a signature', delivery([], { header: 'x\r\ny' })],
  ['a space in the header of a signature', delivery([], { header: 'x y' })],
  ['a header of the transport', delivery([], { header: 'Content-Length' })],
  ['the header of the type', delivery([], { header: 'content-type' })],
  ['a prototype as a header', delivery([], { header: '__proto__' })],
  ['a token in the name of the host', delivery([['host', 'x']], { scheme: 'token', header: 'host' })],
  ['a prefix with a line feed', delivery([['x-s', 'a\r\nb=(secret)']])],
  ['an algorithm that signs nothing', delivery([], { algorithm: 'shake256' })],
  ['an encoding of no text', delivery([], { encoding: 'latin1' })],
])('what a sandbox cannot send is not learnt: %s', async (_, entry) => {
  const given: Entry = ENTRY.parse(entry)
  const { calls, deliveries = {} } = (await learn(read([given]))).manner
  const { success, refusals = {}, ms } = calls.listWebhooks ?? {}
  const { signature, token, contentType } = deliveries
  for (const each of [success?.contentType, contentType, signature?.prefix])
    if (each !== undefined) validateHeaderValue('x', each)
  for (const { retryAfter = '', status } of Object.values(refusals)) {
    validateHeaderValue('x', retryAfter)
    expect(status).toBeLessThan(600)
  }
  const proof = signatureInMannerOf(deliveries, Buffer.from('{}'), 'secret') ?? ['x', '']
  for (const name of [proof[0], signature?.header ?? 'x', token?.header ?? 'x']) {
    validateHeaderName(name)
    expect(name).not.toMatch(/^(host|content-.*|__proto__)$/i)
  }
  expect((success?.status ?? 200) / 100).toSatisfy((each) => each >= 2 && each < 6)
  expect(ms?.longest ?? 0).toBeLessThanOrEqual(60_000)
})

test.each<[what: string, change: object]>([
  ['a status of two digits', { response: { status: 99, headers: [] } }],
  ['a status of four digits', { response: { status: 1000, headers: [] } }],
  ['a negative time', { ms: -1 }],
  ['a time of a year', { ms: 365 * 86_400_000 }],
  ['no date', { at: 'yesterday' }],
  ['a month that does not exist', { at: '2026-99-01T12:00:00Z' }],
  ['a year of six digits', { at: '+275760-09-13T00:00:00.000Z' }],
])('an entry that no program writes is refused: %s', (_, change) => {
  const { success } = ENTRY.safeParse({ ...exchange({}), ...change })
  expect(success).toBe(false)
})

test('names of prototypes are not learnt, and a huge answer is learnt in part', async () => {
  const text = JSON.stringify(exchange({}))
  const entries = [
    text.replace('"id":7', '"__proto__":{"x":1},"constructor":{"prototype":1},"id":7'),
    text.replace('"data":', '"__proto__":{"polluted":1},"toString":1,"data":'),
    JSON.stringify(
      exchange({
        body: {
          json: { data: Array.from({ length: 100 }, (_, i) => ({ id: i, more: Array(5).fill('x'.repeat(9999)) })) },
        },
      }),
    ),
  ].map((line) => ENTRY.parse(JSON.parse(line)))
  const { manner } = await learn(read(entries))
  expect({}).not.toHaveProperty('polluted')
  expect(JSON.stringify(manner)).not.toContain('__proto__')
  expect(JSON.stringify(manner).length).toBeLessThan(30_000)
})

const attempt = (seconds: number, more: object): RecordedDelivery => ({
  ...delivery([['content-type', 'application/json']]),
  at: at(seconds),
  ...more,
})
const late = (attempts: RecordedDelivery[]) => learn(read(attempts))
const answersOf = ({ lessons }: Awaited<ReturnType<typeof late>>, gap: number) =>
  lessons.filter((each) => each.gap === gap).map(({ answer, evidence }) => [answer, evidence.map(({ line }) => line)])

test('the service’s time limit for an answer is learnt from deliveries that the service cut and sent again', async () => {
  const learnt = await late([
    attempt(0, { ms: 9000, cutMs: 4003 }),
    attempt(14, { ms: 8000, cutMs: 3998 }),
    attempt(48, { ms: 20 }),
  ])
  expect(learnt.manner.deliveries).toMatchObject({ timeoutMs: 4000, retriesMs: [10_000, 30_002] })
  expect(answersOf(learnt, 12)).toEqual([
    ['at least 3 attempts, with waits of 10 s, 30 s', [1, 2, 3]],
    ['the service waits 4.0 s for an answer', [1, 2]],
  ])
  // The answers were accepted, but the service never saw them.
  expect(answersOf(learnt, 47)).toEqual([])
})

test('an answer that came too late shows the range of the time limit, and the sandbox uses a limit in this range', async () => {
  const learnt = await late([attempt(0, { ms: 6200 }), attempt(40, { ms: 2400 })])
  expect(learnt.manner.deliveries?.timeoutMs).toBe(6000)
  expect(answersOf(learnt, 12)[1]).toEqual(['an answer after 2.4 s is in time, and one after 6.2 s is too late', [1]])
})

test.each<[what: string, attempts: RecordedDelivery[]]>([
  ['a quick answer that was sent again', [attempt(0, { ms: 30 }), attempt(40, { ms: 30 })]],
  ['a late refusal', [attempt(0, { ms: 6000, response: { status: 503 } }), attempt(40, { ms: 30 })]],
  ['a connection that broke at once', [attempt(0, { ms: 60, cutMs: 50 }), attempt(40, { ms: 30 })]],
  ['a cut after which nothing was sent', [attempt(0, { ms: 6000, cutMs: 3000 })]],
  ['a cut before an answer that was in time', [attempt(0, { ms: 900, cutMs: 800 }), attempt(40, { ms: 3000 })]],
])('no time limit is learnt from %s', async (_, attempts) => {
  expect((await late(attempts)).manner.deliveries).not.toHaveProperty('timeoutMs')
})
