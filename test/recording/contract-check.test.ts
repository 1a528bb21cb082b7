import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Entry, lineOf, type RecordedDelivery } from '../../src/recording/lines.ts'
import { type Machine, machine } from '../kit/harness.ts'
import { whileServed } from '../kit/served.ts'

const common = { v: 1 as const, session: 's', at: '2026-03-01T12:00:00.000Z' }
const SESSION: Entry = { kind: 'session', ...common, program: 'bnpl 1', command: 'smoke', environment: 'beta' }
const exchange = (data: unknown, status = 200): Entry => ({
  kind: 'exchange',
  ...common,
  by: 'client',
  endpoint: 'select',
  ms: 5,
  request: {
    method: 'POST',
    path: '/partner/pre-loan-request/loan-request',
    headers: [
      ['authorization', 'Bearer (secret)'],
      ['content-type', 'application/x-www-form-urlencoded'],
    ],
    body: {
      form: [
        ['preApproveId', '0b6f1d0e-6d0a-4c0f-9d54-1a2b3c4d5e6f'],
        ['installmentOption', '6'],
        ['externalTrxId', '(text-16)'],
        ['amount', '250000'],
      ],
    },
  },
  response: { status, headers: [], body: { json: { data } } },
})
const RIGHT = exchange({
  loanRequestId: 'L',
  step: 'X',
  preApproveId: '0b6f1d0e-6d0a-4c0f-9d54-1a2b3c4d5e6f',
  extra: 1,
})
const WRONG = exchange({ loanRequestId: 7, step: 'X', preApproveId: '(text-16)' })
const delivery = (
  json: unknown,
  header = 'service-webhook-secret',
  body: RecordedDelivery['request']['body'] = { json },
): Entry => ({
  kind: 'delivery',
  ...common,
  ms: 1,
  request: { method: 'POST', path: '/hook', headers: [[header, '(secret)']], body },
  response: { status: 200 },
})
const fields = (count: number, more = {}) => ({
  ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i])),
  ...more,
})

function recording(m: Machine, name: string, entries: readonly Entry[]): void {
  writeFileSync(join(m.dir, name), [SESSION, ...entries].map(lineOf).join(''))
}

test('each difference in a recording is reported once, with its count and a line that shows it', async () => {
  using m = machine()
  recording(m, 'a.ndjson', [RIGHT, WRONG, RIGHT, WRONG])
  const { code, json } = await m.run('contract check a.ndjson --json --junit report.xml')
  expect([code, json()]).toEqual([
    10,
    [
      {
        endpoint: 'select',
        where: 'answer data.loanRequestId',
        expected: 'text',
        seen: 'a whole number',
        count: 2,
        file: 'a.ndjson',
        line: 3,
      },
    ],
  ])
  const { stdout, stderr } = await m.run('contract check a.ndjson')
  expect(stdout).toContain('answer data.loanRequestId')
  expect(stderr).toContain(
    'These fields and codes do not count as differences, because the specification does not show them: answer data.extra',
  )
  const { readFileSync } = await import('node:fs')
  expect(readFileSync(join(m.dir, 'report.xml'), 'utf8')).toMatch(/name="select \(4\)"[\s\S]*first in line 3/)
})

test('a recording without differences exits with 0, and a recording without exchanges exits with 10', async () => {
  using m = machine()
  const lead = { eventId: 'e', data: fields(11) }
  const evaluation = { eventId: 'e', data: fields(49, { idPreAprobacion: 'x', urlInforme: 'y' }) }
  const loan = delivery({ eventId: 7, data: {} }, 'service-signature')
  const large = delivery({}, 'service-signature', { omitted: 'too-large', bytes: 300_000 })
  recording(m, 'a.ndjson', [RIGHT, delivery(lead), delivery(evaluation), loan, large])
  recording(m, 'empty.ndjson', [])
  expect(await m.run('contract check a.ndjson')).toMatchObject({
    code: 0,
    stdout: '5 exchanges are as the contract describes them.\n',
  })
  const nothing = await m.run('contract check empty.ndjson --json')
  expect([nothing.code, nothing.error()]).toEqual([
    10,
    expect.objectContaining({ message: 'the recordings contain no call or delivery to check' }),
  ])
  writeFileSync(join(m.dir, 'other.txt'), 'hello\n')
  const other = await m.run('contract check other.txt --json')
  expect([other.code, other.error().code]).toEqual([2, 'NOT_A_RECORDING'])
  expect((await m.run('contract check none.ndjson --json')).error().code).toBe('FILE_UNREADABLE')
})

test.each<[what: string, entry: Entry, where: string, seen: string]>([
  ['no proof', delivery({ eventId: 'e', data: {} }, 'x'), 'delivery headers', 'none of them'],
  ['a type of the event', delivery({ eventId: 'e', type: 't', data: fields(11) }), 'delivery type', 'one more key'],
  ['no id', delivery({ data: fields(11) }), 'delivery eventId', 'nothing'],
  ['a field less', delivery({ eventId: 'e', data: fields(10) }), 'delivery data', '10 fields'],
  [
    'no link',
    delivery({ eventId: 'e', data: fields(50, { idPreAprobacion: 'x' }) }),
    'delivery data.urlInforme',
    'nothing',
  ],
  ['a list', delivery([]), 'delivery body', 'a list of length 0'],
])('a delivery that differs is found: %s', async (_, entry, where, seen) => {
  using m = machine()
  recording(m, 'a.ndjson', [entry])
  const { code, json } = await m.run('contract check a.ndjson --json')
  expect([code, json()]).toEqual([
    10,
    [expect.objectContaining({ endpoint: 'delivery', where, seen, count: 1, line: 2 })],
  ])
})

test('smoke --record records its exchanges and compares them with the contract: the sandbox has no difference', async () => {
  using m = machine()
  const { code, json } = await m.run('smoke -p sandbox --record smoke.ndjson --json')
  expect(json().at(-1)).toMatchObject({ name: 'recorded exchanges', status: 'ok' })
  expect(code).toBe(0)
  expect(readFileSync(join(m.dir, 'smoke.ndjson'), 'utf8'), 'the download of the report').toContain('"omitted":"pdf"')
  expect(await m.run('contract check smoke.ndjson')).toMatchObject({ code: 0 })
})

test('smoke --record does not record the payment page, even at the origin of the service', async () => {
  using m = machine()
  await whileServed(m, async ({ baseUrl, paymentUrl, partners }) => {
    const { apiKey, publicKey, entityId } = partners[0]
    const env = {
      BNPL_BASE_URL: baseUrl,
      BNPL_PAYMENT_URL: paymentUrl,
      BNPL_API_KEY: apiKey,
      BNPL_PUBLIC_KEY: publicKey,
      BNPL_ENTITY_ID: entityId,
    }
    const { code, json } = await m.run('smoke --rut 11222333-9 -y --record smoke.ndjson --json', { env })
    expect(json()).toContainEqual(expect.objectContaining({ name: 'payment page', status: 'ok' }))
    expect(json().at(-1)).toMatchObject({ name: 'recorded exchanges', status: 'ok' })
    expect(code).toBe(0)
  })
})

test('a recording of every call to the sandbox has no difference from the contract', async () => {
  using m = machine()
  const record = async (line: string) => {
    const { code, stdout, stderr } = await m.run(`${line} --record day.ndjson --json -y`, { open: async () => true })
    expect([line, code, stderr]).toEqual([line, 0, stderr])
    return JSON.parse(stdout)
  }
  await record('walkthrough -p sandbox')
  const estate = '-p sandbox:real-estate'
  const hook = '--if-missing'
  const { id } = await record(`webhooks add https://shop.example/hook ${hook} -p sandbox`)
  await record(`webhooks rm ${id} -p sandbox`)
  await record(`webhooks subscribe https://shop.example/hook --event new_lead --event pre_approve ${estate}`)
  await record(`webhooks list ${estate}`)
  const lead = (await m.run('sandbox lead --now --rut 11222333-9 --json')).json()
  await record(`leads list ${estate}`)
  await record(`leads get ${lead.leadId} ${estate}`)
  await record(`evaluations get --lead-id ${lead.leadId} ${estate}`)
  const { urlInforme } = await record(`evaluations get --rut 11222333-9 ${estate}`)
  await record(`informe download ${lead.preApproveId} --dir a ${estate}`)
  await record(`informe download ${lead.preApproveId} --dir b --from-link ${urlInforme} ${estate}`)
  const checked = await m.run('contract check day.ndjson')
  expect([checked.code, checked.stdout]).toEqual([
    0,
    expect.stringMatching(/^\d\d exchanges are as the contract describes them\.\n$/),
  ])
})
