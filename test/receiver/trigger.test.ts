import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Transport, WireFailure, type WireRequest } from '../../src/contract/wire.ts'
import { verifySignature } from '../../src/domain/signature.ts'
import { fakeClock, type Machine, machine } from '../kit/harness.ts'

const env = { BNPL_WEBHOOK_SECRET: 'canary-secret' }
const to = 'http://127.0.0.1:3000/hook'

let m: Machine
let sent: WireRequest[]
let status = 200
const transport: Transport = async (request) => {
  sent.push(request)
  return { status, headers: {}, body: new Uint8Array() }
}
beforeEach(() => {
  m = machine()
  sent = []
  status = 200
})
afterEach(() => m[Symbol.dispose]())

const run = (line: string) => m.run(`webhooks trigger ${line}`, { env, transport })
const envelope = () => JSON.parse(new TextDecoder().decode(sent.at(-1)?.body))

test('trigger loan_approved signs the bytes of the body and sends a loan', async () => {
  const ran = await run(`loan_approved --to ${to} --json`)
  expect(ran.code).toBe(0)
  expect(ran.json()).toEqual({ eventId: envelope().eventId, status: 200, ms: expect.any(Number) })
  const [request] = sent
  const settings = { algorithm: 'sha256', encoding: 'hex' } as const
  expect(
    verifySignature(request?.headers['service-signature'], request?.body as Uint8Array, ['canary-secret'], settings),
  ).toBe(true)
  expect(request).toMatchObject({ method: 'POST', url: to })
  expect(Object.keys(envelope())).toEqual(['eventId', 'data'])
  expect(envelope().data).toMatchObject({ state: 'ACTIVE', loanAmount: expect.any(Number) })
})

test('a new_lead event has the token and 11 fields; a pre_approve event has 51 fields, with idPreAprobacion', async () => {
  await run(`new_lead --to ${to}`)
  expect(sent[0]?.headers['service-webhook-secret']).toBe('canary-secret')
  expect(sent[0]?.headers['service-signature']).toBeUndefined()
  expect(Object.keys(envelope().data)).toHaveLength(11)
  await run(`pre_approve --to ${to}`)
  expect(Object.keys(envelope().data)).toHaveLength(51)
  expect(envelope().data).toMatchObject({ idPreAprobacion: expect.any(String), urlInforme: expect.any(String) })
})

test('--set changes a field of the event and keeps the type of the field; --event-id sets the event id', async () => {
  await run(
    `loan_approved --to ${to} --event-id e-1 --set loanAmount=1000 --set externalTrxId=42 --set installments.0.state=PAID --set data.state=null`,
  )
  expect(envelope()).toMatchObject({
    eventId: 'e-1',
    data: {
      loanAmount: 1000,
      externalTrxId: '42',
      state: 'null',
      installments: [{ state: 'PAID' }, {}, {}, {}, {}, {}],
    },
  })
})

test('an unknown field is an error that names the most similar ones', async () => {
  const ran = await run(`loan_approved --to ${to} --set loanAmout=1`)
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain('Use a field such as loanAmount, installmentAmount,')
  expect(sent).toEqual([])
})

test('--file accepts the data of an event alone, or an envelope, with or without an id', async () => {
  writeFileSync(join(m.dir, 'data.json'), '{"loanAmount":7}')
  writeFileSync(join(m.dir, 'envelope.json'), '{"eventId":"kept","data":{"loanAmount":8}}')
  await run(`loan_approved --to ${to} --file data.json --set loanAmount=9`)
  expect(envelope().data).toEqual({ loanAmount: 9 })
  await run(`loan_approved --to ${to} --file envelope.json`)
  expect(envelope()).toEqual({ eventId: 'kept', data: { loanAmount: 8 } })
  writeFileSync(join(m.dir, 'no-id.json'), '{"data":{"loanAmount":8}}')
  await run(`loan_approved --to ${to} --file no-id.json`)
  expect(envelope()).toEqual({ eventId: expect.stringMatching(/^[0-9a-f-]{36}$/), data: { loanAmount: 8 } })
})

test.each([
  ['nope', 'it is not JSON'],
  ['{"eventId":"","data":{}}', 'it has no eventId'],
  ['{"eventId":"e1"}', 'it has no data'],
  ['{"data":{"a":1},"data":{"a":2}}', 'it has the field data twice'],
  ['{"externalTrxId":"T","data":{}}', 'it has no eventId'],
  [
    '{"eventId":"a","eventId":"b","data":{}}',
    'it has the field eventId twice, and programs differ on which one counts',
  ],
])('a file with %s is refused, and nothing is sent', async (text, reason) => {
  writeFileSync(join(m.dir, 'wrong.json'), text)
  const ran = await run(`loan_approved --to ${to} --file wrong.json`)
  expect([ran.code, ran.stderr]).toEqual([2, `error: wrong.json does not contain an event: ${reason}\n`])
  expect(sent).toEqual([])
})

test.each([
  [500, 10, '500'],
  [302, 10, 'redirect'],
  [401, 10, '401'],
])('if the receiver answers %i, trigger exits with %i and still prints the result', async (answer, code, word) => {
  status = answer
  const ran = await run(`loan_approved --to ${to} --json`)
  expect(ran.code).toBe(code)
  expect(ran.json()).toMatchObject({ status: answer })
  expect(ran.stderr).toContain(word)
  expect(ran.error()).toMatchObject({ status: answer, sent: true, outcome: 'rejected' })
})

test.each([
  [
    'loan_approved',
    401,
    'the header service-signature (scheme hmac: sha256, hex). The secret came from BNPL_WEBHOOK_SECRET.',
  ],
  ['new_lead', 403, 'the header service-webhook-secret (scheme token). The secret came from BNPL_WEBHOOK_SECRET.'],
])(
  'if a receiver refuses a %s with %i, the hint names the header that was sent and the source of the secret',
  async (event, answer, words) => {
    status = answer
    const { hint } = (await run(`${event} --to ${to} --json`)).error()
    expect(hint).toContain(words)
    expect(hint).toContain('add --secret-file FILE or set BNPL_WEBHOOK_SECRET')
    expect(hint).not.toContain('canary')
  },
)

test.each([302, 304, 400, 401, 403, 404, 405, 410, 418, 422, 429, 500, 502, 503, 599])(
  'if the receiver answers %i, trigger exits with 10 and a hint says what to do',
  async (answer) => {
    status = answer
    const ran = await run(`loan_approved --to ${to} --json`)
    expect([ran.code, ran.error().hint]).toEqual([10, expect.stringMatching(/\w/)])
  },
)

test('trigger exits with 9 if the receiver cannot be reached', async () => {
  const refusing: Transport = async () => {
    throw new WireFailure('refused', false, 'ECONNREFUSED')
  }
  const ran = await m.run(`webhooks trigger loan_approved --to ${to}`, { env, transport: refusing })
  expect(ran.code).toBe(9)
  expect(ran.stderr).toContain('Nothing was sent')
})

test('if an event may have been accepted, the hint repeats the event id and says that the data will differ', async () => {
  const lost: Transport = async (request) => {
    sent.push(request)
    throw new WireFailure('reset', true, 'ECONNRESET')
  }
  const trigger = (more: string) => m.run(`webhooks trigger loan_approved --to ${to} ${more}`, { env, transport: lost })
  const hint = /--event-id \S+/.exec((await trigger('')).stderr)?.[0] ?? ''
  const first = envelope()
  const again = await trigger(hint)
  expect(envelope().eventId).toBe(first.eventId)
  expect(envelope().data).not.toEqual(first.data)
  expect(again.stderr).toContain('the repeated event has other data')
  expect(again.stderr).not.toContain('The same event')
})

test.each([
  [`paid --to ${to}`, 2],
  ['loan_approved --to http://shop.example/x', 2],
  ['loan_approved', 2],
  [`loan_approved --to ${to} --set nothing`, 2],
])('%s is refused before anything is sent', async (line, code) => {
  expect((await run(line)).code).toBe(code)
  expect(sent).toEqual([])
})

test('--dry-run prints a curl line without the token, and sends nothing', async () => {
  const ran = await run(`new_lead --to ${to} --dry-run`)
  expect(ran.code).toBe(0)
  expect(ran.stdout).toMatch(/^curl .*"service-webhook-secret: \$BNPL_WEBHOOK_SECRET"/)
  expect(ran.stdout + ran.stderr).not.toContain('canary-secret')
  expect(sent).toEqual([])
})

test.each([
  ['before 1970', -1, '1969-12-31'],
  ['long before 1970', -3e10, '1969-12-31'],
  ['in the year 12000', 316_516_147_200_000, '9997-12-31'],
  ['at the last moment of a date', 8.64e15 - 1000, '9997-12-31'],
])(
  'an event is sent even if the clock of the machine is wrong, with the day in Chile of the nearest time from 1970 to 9998: %s',
  async (_, now, transferDate) => {
    const ran = await m.run(`webhooks trigger loan_approved --to ${to} --json`, {
      env,
      transport,
      clock: fakeClock(now),
    })
    expect([ran.code, ran.stderr, sent.length]).toEqual([0, '', 1])
    expect(envelope().data).toMatchObject({ transferDate })
  },
)
