import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Transport } from '../../src/contract/wire.ts'
import { fakeClock, machine } from '../kit/harness.ts'
import { LOAN } from '../kit/loan.ts'
import { unicodeText } from '../kit/unicode-text.ts'

const env = { BNPL_API_KEY: 'sk-canary-1234567890', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }
const VERIFY = 'verify T1 --json'
const EVALUATE = 'evaluate --rut 11222333-9 --amount 1000 --trx T1 --json'

/** Answers each request with the next answer of the list, and repeats the last one without end. */
function script(
  ...answers: { status?: number; body?: string | object; headers?: Record<string, string> }[]
): Transport & { count: number } {
  const transport = async () => {
    const { status = 200, body = '', headers = {} } = answers[Math.min(made.count++, answers.length - 1)] ?? {}
    return { status, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }
  }
  const made = Object.assign(transport, { count: 0 })
  return made
}

test('a redirect is not followed, and the command exits with 8 [row 6]', async () => {
  using m = machine()
  for (const status of [301, 302, 303, 307, 308]) {
    const transport = script({ status, headers: { location: 'https://evil.example/' } })
    expect((await m.run(VERIFY, { env, transport })).code).toBe(8)
    expect(transport.count).toBe(1)
  }
})

test('Retry-After is obeyed as seconds or as a date, ignored if invalid, and exits with 7 above one minute [row 19]', async () => {
  using m = machine()
  const ok = { body: { data: LOAN } }
  for (const [value, wait] of [
    ['2', 2000],
    ['Sun, 01 Mar 2026 12:00:05 GMT', 5000],
    ['0', 0],
    // A time that is over, and the last second that the client waits for.
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Sunday, 01-Mar-26 12:00:02 GMT', 2000],
    ['60', 60_000],
  ] as const) {
    const clock = fakeClock()
    const ran = await m.run(VERIFY, {
      env,
      clock,
      transport: script({ status: 429, headers: { 'retry-after': value } }, ok),
    })
    expect(ran.code).toBe(0)
    expect(clock.slept).toEqual([wait])
  }
  for (const value of ['-1', 'abc', '1.5', '', '1e9', '2, 3', '2, 2', '0x10', 'Sun, soon', '1 Mar 2027 12:00:00 GMT']) {
    const clock = fakeClock()
    const ran = await m.run(VERIFY, {
      env,
      clock,
      transport: script({ status: 429, headers: { 'retry-after': value } }, ok),
    })
    expect(ran.code).toBe(0)
    expect(clock.slept).toHaveLength(1)
    expect(clock.slept[0]).toBeLessThanOrEqual(500)
  }
  const clock = fakeClock()
  const late = await m.run(VERIFY, {
    env,
    clock,
    transport: script({ status: 429, headers: { 'retry-after': '1000000000' } }, ok),
  })
  expect(
    (await m.run(VERIFY, { env, clock, transport: script({ status: 429, headers: { 'retry-after': '61' } }, ok) }))
      .code,
  ).toBe(7)
  expect(late.code).toBe(7)
  expect(clock.slept).toEqual([])
  expect(late.error()).toMatchObject({ kind: 'rate-limited', retryAfterMs: 1_000_000_000_000 })
})

test('a payment call that is always answered with 429 is sent three times, and then exits with 7', async () => {
  using m = machine()
  const transport = script({ status: 429 })
  const ran = await m.run(EVALUATE, { env, clock: fakeClock(), transport })
  expect(ran.code).toBe(7)
  expect(transport.count).toBe(3)
})

test.each([
  ['a web page', '<!doctype html><h1>login</h1>', 'web page'],
  ['nothing', '', 'empty'],
  ['no data', '{"ok":true}', 'no `data`'],
  ['null', 'null', 'no `data`'],
  ['data of the wrong type', '{"data":[]}', 'not as specified'],
  [
    'a wrong type inside',
    '{"data":{"installmentOptions":[{"installments":"3","amount":1,"total":1}]}}',
    'installmentOptions',
  ],
  ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1'), ''],
  ['a million brackets', '['.repeat(1_000_000), 'nested'],
  ['a million objects', `{"data":[${'{},'.repeat(1_000_000)}{}]}`, 'more than 250000 values'],
  [
    'a number no double holds',
    '{"data":{"installmentOptions":[{"installments":3,"amount":9007199254740993,"total":1}]}}',
    'amount',
  ],
])(
  '%s as the answer to a payment call: the outcome is unknown (12), and the error says what was wrong [row 23]',
  async (_, body, word) => {
    using m = machine()
    const ran = await m.run(EVALUATE, { env, transport: script({ body }) })
    expect(ran).toMatchObject({ code: 12, stdout: '' })
    expect(ran.stderr).toContain(word)
  },
)

test('a destination is created after a 201, whatever the body of the answer is, if the list of destinations has it [row 23]', async () => {
  using m = machine()
  for (const body of ['', '{}', 'null', '{"data":null}', '<html>', '{"data":{}}']) {
    for (const form of ['table', 'json', 'csv', 'ndjson']) {
      const created = script({ status: 201, body })
      const list = JSON.stringify({
        data: [{ id: 'D1', url: 'https://shop.example/hook', verificationScheme: 'HMAC' }],
      })
      const listed = script({ body: list })
      const transport: Transport = (request) => (request.method === 'POST' ? created : listed)(request)
      const ran = await m.run(`webhooks add https://shop.example/hook -o ${form}`, {
        env,
        transport,
        clock: fakeClock(),
      })
      expect([body, form, ran.code], ran.stderr).toEqual([body, form, 0])
    }
  }
})

test('a read whose answer has another shape than specified exits with 8 [row 23]', async () => {
  using m = machine()
  for (const body of ['<html>', '', '{}', 'null', '{"data":1}', '['.repeat(100_000)]) {
    expect((await m.run(VERIFY, { env, transport: script({ body }) })).code).toBe(8)
  }
})

test('unknown fields are shown as received, including long numbers and __proto__ [row 25, row 26]', async () => {
  using m = machine()
  const body = `{"data":{"installmentOptions":[],"preApproveId":"P","big":12345678901234567890,"__proto__":{"polluted":1},"x":{"y":[1]}}}`
  const ran = await m.run(EVALUATE, { env, transport: script({ body }) })
  expect(ran.code).toBe(0)
  expect(ran.stdout).toContain('12345678901234567890')
  expect(ran.stdout).toContain('"__proto__"')
  expect(Object.hasOwn({}, 'polluted') || 'polluted' in {}).toBe(false)
  expect(ran.json().x).toEqual({ y: [1] })
})

test('`__proto__` is an ordinary field in masked answers and in every output format [row 25]', async () => {
  using m = machine()
  writeFileSync(join(m.dir, 'in.csv'), 'rut,amount,trx\n11222333-9,1000,T1\n')
  const owner = '{"email":"canary@example.com","__proto__":{"polluted":1}}'
  const body = `{"data":{"installmentOptions":[],"preApproveId":"P","owner":${owner},"__proto__":${owner}}}`
  for (const line of [
    'evaluate --from in.csv -o ndjson --restart',
    'evaluate --from in.csv -o ndjson --resume',
    ...['json', 'ndjson', 'csv', 'table'].map((form) => `${EVALUATE.replace('--json', '')} -o ${form}`),
  ]) {
    const ran = await m.run(line, { env, transport: script({ body }) })
    expect([line, ran.code]).toEqual([line, 0])
    if (!line.endsWith('table')) expect([line, ran.stdout.match(/__proto__/g)?.length]).toEqual([line, 3])
    expect('polluted' in {}).toBe(false)
  }
})

test('the exit code follows the status of the refusal, and the code and message of the service are shown [row 31]', async () => {
  using m = machine()
  for (const [status, code] of [
    [400, 5],
    [401, 4],
    [403, 4],
    [404, 6],
    [409, 5],
    [422, 5],
  ] as const) {
    const transport = script({ status, body: { error: { code: 'ERR_SOMETHING', message: 'no \u001b[31mred' } } })
    const ran = await m.run(EVALUATE, { env, transport })
    expect(ran.code).toBe(code)
    expect(transport.count).toBe(1)
    expect(ran.error()).toMatchObject({ code: 'ERR_SOMETHING', status })
    expect(ran.stderr).not.toContain('\u001b')
  }
})

test('property: any answer to any status ends in a documented exit code, never 1, never a stack', async () => {
  using m = machine()
  const answer = fc.record({
    status: fc.oneof(
      fc.constantFrom(200, 201, 204, 302, 400, 401, 404, 422, 429, 500, 503),
      fc.integer({ min: 200, max: 599 }),
    ),
    body: fc.oneof(
      fc.json(),
      unicodeText(),
      fc.json().map((each) => `{"data":${each}}`),
      fc.constant(JSON.stringify({ data: LOAN })),
    ),
    headers: fc.dictionary(fc.constantFrom('retry-after', 'content-type', 'x-request-id'), fc.string()),
  })
  await fc.assert(
    fc.asyncProperty(
      answer,
      fc.constantFrom(VERIFY, EVALUATE, 'verify T1', 'evaluate --rut 11222333-9 --amount 1000 --trx T1'),
      async (given, line) => {
        const ran = await m.run(line, { env, clock: fakeClock(), transport: script(given) })
        expect([0, 4, 5, 6, 7, 8, 12]).toContain(ran.code)
        expect(ran.stderr).not.toMatch(/\n\s+at /)
        expect(ran.stdout + ran.stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      },
    ),
  )
})
