import { expect, test } from 'vitest'
import { rutCheckCharacter } from '../domain/identifiers.ts'
import { createSanitiser, type SanitiserOptions } from './sanitiser.ts'

const sanitiser = (options: Partial<SanitiserOptions> = {}) =>
  createSanitiser({
    key: Buffer.alloc(32, 7),
    secrets: ['sk-live-4711-4711'],
    keep: [],
    now: () => Date.parse('2026-03-01T12:00:00Z'),
    hosts: new Set(['api.example.com']),
    words: new Set(),
    paths: {},
    ...options,
  })

const json = (value: unknown) => ({
  status: 200,
  headers: [['content-type', 'application/json']] as const,
  body: Buffer.from(JSON.stringify(value)),
})
const form = (body: string) => ({
  method: 'POST',
  path: '/partner/pre-loan-request/bnpl',
  headers: [
    ['Authorization', 'Bearer sk-live-4711-4711'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
  ] as const,
  body: Buffer.from(body),
})
const get = (path: string) => ({ method: 'GET', path, headers: [] })
const dataOf = (value: unknown, s = sanitiser()) => {
  const { response } = s.exchange(get('/partner/leads'), json({ data: value }))
  const body = response?.body
  return body !== undefined && 'json' in body ? (body.json as { data: any }).data : undefined
}

test('an exchange keeps what the contract names: the call, amounts, states, ids, dates, types', () => {
  const data = {
    loanAmount: 250000,
    interestRate: 0.02,
    state: 'ACTIVE',
    transferDate: '2026-03-01',
    externalTrxId: 'order-1001',
    preApproveId: '1f0e7a52-7a0c-4a51-9d6b-0242ac120002',
    installments: [{ state: 'ACTIVE', period: 1, expirationDate: '2026-04-01' }],
    accepted: true,
    nothing: null,
  }
  const { endpoint, request, response } = sanitiser().exchange(
    { method: 'POST', path: '/partner/pre-approve/order-1001/loan', headers: [] },
    json({ data }),
  )
  expect(endpoint).toBe('verifyLoan')
  expect(request.path).toBe('/partner/pre-approve/order-1001/loan')
  expect(response?.body).toEqual({ json: { data } })
})

test('a person gets the same stand-in in each notation and place, and a valid national id gets a valid stand-in', () => {
  const s = sanitiser()
  const asked = s.exchange(form('idNumber=12.345.678-5&amount=250000&entityId=E1&externalTrxId=T1'), undefined)
  const body = asked.request.body
  const fields = Object.fromEntries(body !== undefined && 'form' in body ? body.form : [])
  const standIn = String(fields.idNumber)
  expect(standIn).toMatch(/^\d{2}\.\d{3}\.\d{3}-[\dK]$/)
  const bare = standIn.replaceAll('.', '')
  expect(rutCheckCharacter(bare.slice(0, 8))).toBe(bare.slice(-1))
  expect(bare).not.toContain('12345678')
  expect(fields).toMatchObject({ amount: '250000', entityId: 'E1', externalTrxId: 'T1' })
  const read = s.exchange(
    get('/partner/pre-approve/rut/12345678-5'),
    json({ data: { rut: 123456785, x: '12345678-5' } }),
  )
  expect(read.request.path).toBe(`/partner/pre-approve/rut/${bare}`)
  expect(read.response?.body).toEqual({ json: { data: { rut: Number(bare.replace('-', '')), x: bare } } })
})

test('a person whom a field names is also replaced in ids and addresses', () => {
  const { nombres, externalTrxId, email, urlInforme } = dataOf({
    nombres: 'Begoña',
    email: 'Begona.Araya@Correo.cl',
    externalTrxId: 'begoña-7-BEGONA',
    urlInforme: 'https://api.example.com/partner/informe/abcdefgh1234.xyz?to=begona.araya%40correo.cl',
  })
  expect(`${nombres}${email}${externalTrxId}${urlInforme}`).not.toMatch(/bego[ñn]a|araya|correo/i)
  expect(email).toMatch(/^persona-\w{10}@example\.com$/)
  expect(urlInforme).toBe(`https://api.example.com/partner/informe/(secret)?to=${encodeURIComponent(email)}`)
})

test('a secret is replaced by (secret) in each field, header and spelling', () => {
  const { request } = sanitiser().exchange(
    {
      ...form(`externalTrxId=x-${Buffer.from('sk-live-4711-4711').toString('base64')}&publicKey=pk-1`),
      path: '/partner/widget/start?widgetToken=eyJh.eyJi.c&state=sk%2Dlive-4711-4711',
    },
    undefined,
  )
  expect(request.headers).toEqual([
    ['authorization', 'Bearer (secret)'],
    ['content-type', 'application/x-www-form-urlencoded'],
  ])
  expect(request.path).toBe('/partner/widget/start?widgetToken=(secret)&state=(secret)')
  expect(JSON.stringify(request)).not.toMatch(/4711|live|eyJ|pk-1/)
})

test('an unclassified text is left out and reported with its place, and is kept if the user says so', () => {
  const fields = { profesion: 'Ingeniero', codigo2: 'Zk39xPq', monto: 1_500_000, edad: 41, resultado: 'approved' }
  const s = sanitiser()
  const kept = dataOf(fields, s)
  expect(kept).toMatchObject({ profesion: '(text-16)', monto: 1_500_000, edad: 41, resultado: 'approved' })
  expect(kept.codigo2).toBe('(text-8)')
  expect(s.leftOut()).toEqual([
    { where: 'listLeads: data.profesion', count: 1 },
    { where: 'listLeads: data.codigo2', count: 1 },
  ])
  for (const keep of ['profesion', 'data.profesion', 'listLeads: data.profesion'])
    expect(dataOf(fields, sanitiser({ keep: [keep] }))).toMatchObject({ profesion: 'Ingeniero' })
  // A kept field with a sign of personal data is left out.
  for (const nota of ['el RUT 12.345.678-5', 'ana@correo.cl', 'al 9 8765 4321', 'sk-live-4711-4711', 'W%61xima'])
    expect([nota, dataOf({ nota }, sanitiser({ keep: ['nota'] })).nota]).not.toEqual([
      nota,
      expect.stringContaining(nota.slice(-5)),
    ])
  // A long word could hide a person in another spelling, so only its size is kept.
  const hidden = `${Buffer.from('RUT 12.345.678-5 de Ana').toString('base64')} `.repeat(200)
  const keeping = sanitiser({ keep: ['nota'] })
  expect(dataOf({ nota: hidden }, keeping)).toEqual({ nota: '(text-8192)' })
  expect(keeping.leftOut()).toMatchObject([{ where: expect.stringContaining('nota'), count: 1 }])
})

test('numbers that may identify a person are replaced by other numbers, and amounts are kept', () => {
  const before = {
    loanAmount: 87654321,
    telefono: 56912345678,
    lat: -33.448891,
    numeroCalle: 12,
    direccion: 1234,
    x: 123456785,
    n: 41,
  }
  const after = dataOf(before)
  expect(after).toMatchObject({ loanAmount: 87654321, n: 41 })
  for (const name of ['telefono', 'lat', 'direccion', 'x', 'numeroCalle'] as const) {
    expect([name, after[name]]).not.toEqual([name, before[name]])
    expect([name, typeof after[name]]).toEqual([name, 'number'])
  }
  expect(String(after.telefono)).toMatch(/^569\d{8}$/)
})

test('digits of other scripts and letters of other alphabets are also replaced', () => {
  const after = dataOf({ rut: '１２３４５６７８-５', nombres: 'Мария', telefono: '٩١٢٣٤٥٦٧٨' })
  expect(JSON.stringify(after)).not.toMatch(/[１-９]|Мария|[٠-٩]{4}/)
})

test('business dates are kept, and a date of birth is replaced in any field', () => {
  const after = dataOf({
    transferDate: '2026-03-01',
    createdAt: '2026-03-01T12:00:00.000Z',
    dia: '1980-05-17',
    fecha: '17/05/1980',
  })
  expect(after).toMatchObject({ transferDate: '2026-03-01', createdAt: '2026-03-01T12:00:00.000Z' })
  expect([after.dia, after.fecha]).toEqual([
    expect.stringMatching(/^19\d\d-\d\d-\d\d$/),
    expect.stringMatching(/^\d\d\/\d\d\/19\d\d$/),
  ])
  expect(after.dia).not.toBe('1980-05-17')
})

test('digits of an unknown field are replaced and reported, and are kept if the user says so', () => {
  const s = sanitiser()
  const after = dataOf({ folioNotaria: '77665544', superficie: 7766554 }, s)
  expect([after.superficie === 7766554, s.leftOut().map(({ where }) => where)]).toEqual([
    false,
    ['listLeads: data.superficie'],
  ])
  expect(dataOf({ superficie: 7766554 }, sanitiser({ keep: ['superficie'] }))).toEqual({ superficie: 7766554 })
})

test('another key gives other stand-ins, so that nobody can test a guess without the key', () => {
  const person = { rut: '12345678-5', email: 'a.b@correo.cl', nombres: 'Ana María' }
  const one = dataOf(person)
  const two = dataOf(person, sanitiser({ key: Buffer.alloc(32, 8) }))
  for (const field of ['rut', 'email', 'nombres'] as const) expect(one[field]).not.toBe(two[field])
})

test.each([
  ['{}', { json: {} }],
  [' [1]', { json: [1] }],
  ['amount=250000&', { form: [['amount', '250000']] }],
  ['&&amount=250000', { form: [['amount', '250000']] }],
])('a request that is sent as a form is recorded as the proxy reads it: %s', (text, expected) => {
  expect(sanitiser().exchange(form(text), undefined).request.body).toEqual(expected)
})

test.each([
  ['a report', Buffer.from('%PDF-1.7 María'), { omitted: 'pdf', bytes: 15 }],
  ['a page', Buffer.from('<p>María</p>'), { omitted: 'text', bytes: 13 }],
  ['bytes', Buffer.from([0xff, 0xfe, 1]), { omitted: 'binary', bytes: 3 }],
  ['JSON that was cut', Buffer.from('{"rut":"12345678-5'), { omitted: 'broken-json', bytes: 18 }],
  ['a code', Buffer.from('ERR_STORAGE'), { text: 'ERR_STORAGE' }],
  ['nothing', Buffer.alloc(0), undefined],
])('an unstructured body is reduced to its kind and size, unless the body is a code: %s', (_, body, expected) => {
  const { response } = sanitiser().exchange(get('/partner/leads'), { status: 200, headers: [], body })
  expect(response?.body).toEqual(expected)
})
