import { expect, test } from 'vitest'
import { type Transport, WireFault } from '../src/contract/wire.ts'
import { env, write } from './bulk-kit.ts'
import { fakeClock, machine } from './harness.ts'

const KEY = 'sk-canary-1234567890'
const account = { ...env, BNPL_API_KEY: KEY }

const answering =
  (status: number, body: string, headers: Record<string, string> = { 'content-type': 'application/json' }): Transport =>
  async () => ({ status, headers, body: Buffer.from(body) })

test('--verbose shows the request and the answer, masked, and the time', async () => {
  using m = machine()
  const data = {
    preApproveId: 'P-1',
    installmentOptions: [{ installments: 3, amount: 350, total: 1050 }],
    customerRut: '12345678-5',
    nombre: 'María Pérez',
    phone: 56912345678,
    echoed: `the key ${KEY} of ana@example.com`,
    urlInforme: 'https://storage.example.com/a/c0ffee?X-Amz-Signature=c0ffee',
    hostile: '\u001b[31mred',
  }
  const headers = { 'content-type': 'application/json', 'set-cookie': 'session=c0ffee', 'x-request-id': 'r-7' }
  const transport = answering(200, JSON.stringify({ data }), headers)
  const ran = await m.run('evaluate --rut 11.111.111-1 --amount 1000 --trx T1 --verbose --json', {
    env: account,
    transport,
  })
  expect(ran.code).toBe(0)
  const { stderr } = ran
  expect(stderr).toContain('> authorization: Bearer ••••\n')
  expect(stderr).toMatch(/^> idNumber=••••••11-1&amount=1000&entityId=[^&]+&externalTrxId=T1$/m)
  expect(stderr).toContain(
    '\n< 200\n< content-type: application/json\n< set-cookie: ••••\n< x-request-id: r-7\n<\n< {\n',
  )
  expect(stderr).toContain('<     "customerRut": "••••••78-5",\n<     "nombre": "••••",\n<     "phone": "••••",\n')
  expect(stderr).toContain('"echoed": "the key •••• of a•••@example.com"')
  expect(stderr).toContain('"urlInforme": "https://storage.example.com/••••"')
  expect(stderr).toContain('\\u001b[31mred')
  expect(stderr).toMatch(/^POST https:\/\/\S+\/partner\/pre-loan-request\/bnpl → 200 \d+ ms$/m)
  expect(stderr).not.toMatch(/canary|c0ffee|12345678|11111111|Pérez|\u001b\[31m/)
})

test('every attempt is shown, with the waits between them', async () => {
  using m = machine()
  let made = 0
  const transport: Transport = async (request) => {
    made++
    if (made === 1) throw new WireFault('reset', true, 'reset')
    return made === 2
      ? answering(503, '<p>down</p>', {})(request)
      : answering(404, '{"error":{"code":"ERR_LOAN_NOT_FOUND"}}')(request)
  }
  const { stderr } = await m.run('verify T1 --verbose', { env: account, transport, clock: fakeClock() })
  expect(stderr.match(/^> POST /gm)).toHaveLength(3)
  expect(stderr).toMatch(/→ reset \d+ ms\n.*trying again in /)
  expect(stderr).toMatch(/^< 503\n<\n< <p>down<\/p>\nPOST .* → 503 \d+ ms\n503: trying again in /m)
})

test('a long answer is cut, and a file is not shown', async () => {
  using m = machine()
  const long = JSON.stringify({ data: Array.from({ length: 500 }, (_, n) => ({ id: `D${n}` })) })
  const shown = async (transport: Transport) =>
    (await m.run('api GET /partner/webhook --verbose', { env: account, transport })).stderr
  const cut = await shown(answering(200, long))
  expect(cut).toContain(`\n< … (${long.length} bytes in all)\n`)
  expect(cut.length).toBeLessThan(3_500)
  expect(await shown(answering(200, '%PDF-1.7 binary'))).toContain('\n< (15 bytes, not shown)\n')
})

test('a run over a file shows one line for each request', async () => {
  using m = machine()
  write(m, 'in.csv', 'trx\nt-1\nt-2\n')
  const transport = answering(404, '{"error":{"code":"ERR_LOAN_NOT_FOUND"}}')
  const { stderr } = await m.run('verify --from in.csv --verbose', { env: account, transport })
  expect(stderr.match(/→ 404 \d+ ms$/gm)).toHaveLength(2)
  expect(stderr).not.toMatch(/^[<>]/m)
})
