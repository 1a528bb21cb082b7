import { expect, test } from 'vitest'
import { type Transport, WireFailure } from '../../src/contract/wire.ts'
import { env, write } from '../kit/bulk-kit.ts'
import { fakeClock, machine } from '../kit/harness.ts'

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
  const ran = await m.run('evaluate --rut 11.222.333-9 --amount 1000 --trx T1 --verbose --json', {
    env: account,
    transport,
  })
  expect(ran.code).toBe(0)
  const { stderr } = ran
  expect(stderr).toContain('> authorization: Bearer ••••\n')
  expect(stderr).toMatch(/^> idNumber=••••••33-9&amount=1000&entityId=[^&]+&externalTrxId=T1$/m)
  expect(stderr).toContain(
    '\n< 200\n< content-type: application/json\n< set-cookie: ••••\n< x-request-id: r-7\n<\n< {\n',
  )
  expect(stderr).toContain('<     "customerRut": "••••••78-5",\n<     "nombre": "••••",\n<     "phone": "••••",\n')
  expect(stderr).toContain('"echoed": "the key •••• of a•••@example.com"')
  expect(stderr).toContain('"urlInforme": "https://storage.example.com/••••"')
  expect(stderr).toContain('\\u001b[31mred')
  expect(stderr).toMatch(/^POST https:\/\/\S+\/partner\/pre-loan-request\/bnpl → 200 \d+ ms$/m)
  expect(stderr).not.toMatch(/canary|c0ffee|12345678|11222333|Pérez|\u001b\[31m/)
})

test('every attempt is shown, with the waits between them', async () => {
  using m = machine()
  let made = 0
  const transport: Transport = async (request) => {
    made++
    if (made === 1) throw new WireFailure('reset', true, 'reset')
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

test('the probes of doctor show one line each', async () => {
  using m = machine()
  const run = { env: { ...account, BNPL_PAYMENT_URL: 'https://pay.example.com/pay' } }
  const seen = (transport: Transport) => m.run('doctor --verbose', { ...run, transport })
  const { stderr } = await seen(answering(200, '{"data":[]}'))
  expect(stderr).toMatch(/^GET https:\/\/api\.example\.com\/ → 200 \d+ ms$/m)
  expect(stderr).toMatch(/^GET https:\/\/pay\.example\.com\/ → 200 \d+ ms$/m)
  const cut = await seen(() => Promise.reject(new WireFailure('reset', true, 'reset')))
  expect(cut.stderr).toMatch(/^GET https:\/\/api\.example\.com\/ → reset \d+ ms$/m)
  expect((await m.run('doctor', { ...run, transport: answering(200, '{}') })).stderr).not.toContain('→')
})

test('the visit of the payment page and the download of the report of smoke show one line each, without their credentials', async () => {
  using m = machine()
  const ran = await m.run('smoke -p sandbox --verbose')
  expect(ran.code).toBe(0)
  const visits = ran.stderr.split('\n').filter((line) => /^GET .* → 200 /.test(line) && !line.includes('/partner/'))
  expect(visits).toEqual([
    expect.stringMatching(/^GET http:\/\/[^/]+\/pay\/ → 200 \d+ ms$/),
    expect.stringMatching(/^GET http:\/\/[^/]+\/•••• → 200 \d+ ms$/),
  ])
})

test('a run over a file shows one line for each request', async () => {
  using m = machine()
  write(m, 'in.csv', 'trx\nt-1\nt-2\n')
  const transport = answering(404, '{"error":{"code":"ERR_LOAN_NOT_FOUND"}}')
  const { stderr } = await m.run('verify --from in.csv --verbose', { env: account, transport })
  expect(stderr.match(/→ 404 \d+ ms$/gm)).toHaveLength(2)
  expect(stderr).not.toMatch(/^[<>]/m)
})

/** Returns what `--verbose` shows of an answer. */
async function shown(body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) {
  using m = machine()
  const run = { env: account, transport: answering(400, body, headers) }
  const { stderr } = await m.run('api GET /partner/webhook --verbose', run)
  return stderr.slice(stderr.indexOf('\n< 400'), stderr.lastIndexOf('\nGET '))
}

const PEOPLE = /Juan|Perez|hunter2|12345678|canary|c0ffee/

test('fields in JSON texts, and in objects with the name of a person or a secret, are masked', async () => {
  const inside = JSON.stringify({ nombre: 'Juan', apiKey: 'hunter2', again: JSON.stringify([{ apellido: 'Perez' }]) })
  const stderr = await shown(
    JSON.stringify({
      data: inside,
      cliente: { first: 'Juan', both: ['Juan', { last: 'Perez' }], preApproveId: 'P-1' },
      token: { id: 'hunter2', value: 'hunter2' },
      rut: { number: 12345678, formatted: '12345678-5 Juan', other: 'CL-12345678-5' },
      state: 'OPEN',
    }),
  )
  expect(stderr).not.toMatch(PEOPLE)
  expect(stderr).toContain('"preApproveId": "P-1"')
  expect(stderr).toContain('"state": "OPEN"')
})

test('headers are masked by their names, and a redirect shows no query', async () => {
  const stderr = await shown('{}', {
    'content-type': 'application/json',
    'x-customer-rut': '123456785',
    'x-user-name': 'Juan Perez',
    'x-data': '{"nombre":"Juan"}',
    'content-disposition': 'attachment; filename="informe_Juan_Perez.pdf"',
    location: '/download?code=c0ffee',
    'retry-after': '30',
  })
  expect(stderr).not.toMatch(PEOPLE)
  expect(stderr).toContain('< location: /download?••••\n')
  expect(stderr).toContain('< content-disposition: attachment; filename=••••\n')
  expect(stderr).toContain('< retry-after: 30\n')
})

test.each([
  [
    'text/xml',
    '<e><rut>123456785</rut><nombre lang="es">Juan Perez</nombre><state>OPEN</state></e>',
    '<state>OPEN</state>',
  ],
  ['text/html', '<p>down</p><input type="hidden" name="widgetToken" value="c0ffee">', '<p>down</p>'],
  ['text/plain', 'state: OPEN\r\nnombre: Juan Perez\r\napiKey = hunter2', '< state: OPEN\n< nombre: ••••\n'],
  ['text/plain', 'failed, nombre=Juan Perez; monto=100', '; monto=100'],
  ['application/x-www-form-urlencoded', 'data=%7B%22nombre%22%3A%22Juan%22%7D&note=a%0A%3C+b', 'note=a\\n< b'],
])('fields in a text of type %s are masked: %s', async (type, body, kept) => {
  const stderr = await shown(body, { 'content-type': type })
  expect(stderr).not.toMatch(PEOPLE)
  expect(stderr).toContain(kept)
})

test('an API key that an answer repeats is masked, wherever --verbose cuts the answer', async () => {
  const first = 'a '.repeat(480)
  for (let before = 960; before < 1_010; before++) {
    const stderr = await shown(JSON.stringify([first, `${'b'.repeat(8)} ${' '.repeat(before - 9)}${KEY}`, first]))
    expect(stderr).not.toMatch(/sk-/)
  }
})

test('a body of one long text is cut with a mark, and a shorter body is shown whole', async () => {
  expect(await shown(JSON.stringify({ note: 'a '.repeat(600) }))).toMatch(/a a "\n< \}$/)
  const long = JSON.stringify('a '.repeat(1_500))
  expect(await shown(long)).toMatch(/a a\n< … \(3002 bytes in all\)$/)
})

test('the address of a request is masked by the names of its parameters', async () => {
  using m = machine()
  const run = { env: account, transport: answering(200, '{}') }
  const path = '/partner/x?filters%5Bemail%5D=juan%40example.com&phone=912345678&customerRut=12345678-5&page=2'
  const { stderr } = await m.run(['api', 'GET', path, '--verbose'], run)
  expect(stderr).toContain('page=2')
  expect(stderr).not.toMatch(/juan|12345678/)
})

test.each([
  '123456785',
  '912345678',
  'ana%2540example.com',
  'ana%252540example.com',
  'id%2520ana%2540example.com',
  '%31%32%33%34%35%36%37%38%35%F1',
  '123456785%20250000',
  'ref%201%20123456785',
  '%2B56912345678%201',
])('personal data in the path of a request is masked in every line, however it is written: %s', async (person) => {
  using m = machine()
  const location = `/partner/moved/${person}`
  const run = { env: account, transport: answering(200, '{"data":{}}', { location }) }
  const { stderr } = await m.run(`api GET /partner/webhook/${person} --verbose`, run)
  expect(stderr).toMatch(/^< location: \/partner\/moved\/[^\n]*•/m)
  expect(stderr).toMatch(/^> GET https:\/\/\S+\/partner\/webhook\/[^\n]*•/m)
  expect(stderr).not.toMatch(/1234567|2345678|ana/)
})

test('the line of a call shows control characters of its address, and does not send them to the terminal', async () => {
  using m = machine()
  const run = { env: account, transport: answering(200, '{"data":{}}') }
  const { stderr } = await m.run(['api', 'GET', '/x/ana%40ex.com%1b[31mBAD%0aLINE', '--verbose'], run)
  expect(stderr).toMatch(/^GET https:\/\/\S+\/x\/\S*BAD\S*LINE → 200 /m)
  expect(stderr).not.toContain('\u001b')
})
