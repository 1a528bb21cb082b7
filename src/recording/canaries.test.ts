import { expect, test } from 'vitest'
import { readings } from '../../test/fuzz/canaries.ts'
import { createSanitiser } from './sanitiser.ts'

/** People and secrets, each in a place or a spelling in which a first version of the sanitiser did not find them, or where one hides easily. */

const sanitiser = (keep: readonly string[] = [], codes: readonly string[] = []) =>
  createSanitiser({
    key: Buffer.alloc(32, 7),
    secrets: ['sk-live-4711-4711'],
    keep,
    codes,
    now: () => Date.parse('2026-03-01T12:00:00Z'),
    hosts: new Set(['api.example.com']),
    words: new Set(),
    paths: {},
  })

interface Message {
  path?: string
  headers?: Record<string, string>
  form?: string
  json?: unknown
  raw?: string
  answer?: unknown
  answerHeaders?: Record<string, string>
  keep?: readonly string[]
}

/** What is kept of an exchange. */
function kept({ path = '/partner/leads', headers = {}, form, json, raw, answer, answerHeaders = {}, keep }: Message) {
  const body = raw ?? form ?? (json === undefined ? undefined : JSON.stringify(json))
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  return sanitiser(keep).exchange(
    {
      method: 'POST',
      path,
      headers: Object.entries({ 'content-type': type, ...headers }),
      ...(body !== undefined && { body: Buffer.from(body) }),
    },
    { status: 200, headers: Object.entries(answerHeaders), body: Buffer.from(JSON.stringify({ data: answer ?? {} })) },
  )
}

const base64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64')
const base64url = (value: unknown) => base64(value).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
const escapes = (text: string) => [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const WAXIMA = { nombres: 'Waxima', apellidoPaterno: 'Quyxo' }
const JWT = [{ alg: 'HS256' }, { name: 'Waxima', rut: '12345678-5' }].map(base64url).join('.')
const SPACED_JWT = ['{ "alg": "HS256" }', '{\n"sub": "Waxima"}'].map(base64url).join('.')
const MULTIPART = '--x\r\nContent-Disposition: form-data; name="nombres"\r\n\r\nWaxima\r\n--x--\r\n'

test.each<[kind: string, message: Message, traces: string[]]>([
  // Words that look like codes.
  ['a name in capitals in a field for codes', { answer: { estado: 'WAXIMA', tipo: 'waxima' } }, ['waxima']],
  ['a name as a code with a number', { answer: { code: 'Waxima77', codigo: 'WAXIMA7' } }, ['waxima']],
  ['a name with an underscore as a code', { answer: { status: 'WAXIMA_QUYXO' } }, ['waxima', 'quyxo']],
  ['a user name as a type', { answer: { type: 'waxima.quyxo', kind: 'waxima-quyxo' } }, ['waxima', 'quyxo']],
  ['a name in an error code', { answer: { ...WAXIMA, error: 'ERR_CUSTOMER_WAXIMA_BLOCKED' } }, ['waxima']],
  ['a name in a list of states', { answer: { states: ['ACTIVE', 'WAXIMA'] } }, ['waxima']],
  ['an authorization code', { path: '/partner/leads?code=splxQhYbSWxSbIAqq', answer: {} }, ['splxqhyb']],
  // Paths and queries.
  ['a name in an encoded path', { path: '/partner/x/W%61xima%20Quyxo' }, ['waxima', 'quyxo']],
  ['a name in a path that is encoded twice', { path: '/partner/x/Waxim%2561' }, ['waxima']],
  ['an e-mail address in a path', { path: '/partner/x/waxima%40correo.cl' }, ['waxima', 'correo']],
  ['a key in a query', { path: '/partner/leads?key=AbCdEf123456&api_key=zz99yy88' }, ['abcdef123456', 'zz99yy88']],
  ['a one-time code in a query', { path: '/partner/leads?otp=483920&verification_code=575849' }, ['483920', '575849']],
  ['a user in a query', { path: '/partner/leads?user=waxima7&uid=waxima7&login=waxima' }, ['waxima']],
  ['a name after a hash', { path: '/partner/leads#waxima' }, ['waxima']],
  // Encoded values.
  ['JSON in base64 as an id', { answer: { id: base64({ note: 'Waxima', n: 1 }) } }, ['waxima']],
  [
    'JSON in base64url as an id of a transaction',
    { answer: { externalTrxId: base64url([{ a: 'Waxima1' }]) } },
    ['waxima'],
  ],
  ['JSON in hex as an id', { answer: { id: Buffer.from('{"a":"Waxima"}').toString('hex') } }, ['waxima', '776178']],
  [
    'a name whose field is inside base64',
    { answer: { blob: base64(WAXIMA), externalTrxId: 'x-waxima-7' } },
    ['waxima'],
  ],
  [
    'a short name in base64 in an id',
    { answer: { nombres: 'Waxy', externalTrxId: `7-${base64url('Waxy')}` } },
    ['waxy', 'V2F4eQ'.toLowerCase()],
  ],
  ['a signed token', { answer: { x: `${JWT}.c2lnbmF0dXJl` } }, ['waxima', '12345678']],
  ['a signed token with spaces in its JSON', { answer: { id: `${SPACED_JWT}.c2ln` } }, ['waxima']],
  [
    'JSON in JSON in a form',
    { form: `note=${encodeURIComponent(JSON.stringify(JSON.stringify(WAXIMA)))}&externalTrxId=a-waxima-1` },
    ['waxima'],
  ],
  [
    'JSON in JSON in JSON',
    { json: { a: JSON.stringify({ b: JSON.stringify({ nombres: 'Waxima' }) }), id: 'waxima1' } },
    ['waxima'],
  ],
  ['UTF-16 escapes in a body', { raw: `{"nombres":"${escapes('Waxima')}","id":"waxima-1"}` }, ['waxima']],
  [
    'UTF-16 escapes in a text',
    { answer: { ...WAXIMA, nota: `Sra. ${escapes('Waxima')}` }, keep: ['nota'] },
    ['waxima'],
  ],
  ['hex escapes in a text', { answer: { ...WAXIMA, nota: 'Sra. \\x57axima' }, keep: ['nota'] }, ['waxima', 'x57axima']],
  ['numeric entities', { answer: { ...WAXIMA, nota: '&#87;&#x61;xima' }, keep: ['nota'] }, ['waxima', '&#87;']],
  [
    'named entities',
    { answer: { nombres: 'Wáximé', nota: 'W&aacute;xim&eacute;' }, keep: ['nota'] },
    ['xim&', 'waxim'],
  ],
  [
    'letters with separate accents',
    { answer: { nombres: 'Wa\u0301xime', nota: 'W\u00e1xime' }, keep: ['nota'] },
    ['w\u00e1xime', 'waxime'],
  ],
  ['invisible characters', { answer: { ...WAXIMA, nota: 'Wax\u200bima' }, keep: ['nota'] }, ['wax\u200bima', 'waxima']],
  [
    'full-width digits in a text',
    { answer: { nota: 'RUT １２３４５６７８-５' }, keep: ['nota'] },
    ['１２３４', '12345678'],
  ],
  [
    'digits of other scripts in a text',
    { answer: { nota: 'RUT ١٢٣٤٥٦٧٨-٥ y १२३४५६७८‐५' }, keep: ['nota'] },
    ['١٢٣٤', '१२३४', '12345678'],
  ],
  ['a long dash in a national id', { answer: { nota: 'RUT 12345678―5' }, keep: ['nota'] }, ['12345678']],
  [
    'a national id with another dash, and later without its check digit',
    { answer: { rut: '١٢٣٤٥٦٧٨−٥', nota: 'cliente x12345678y' }, keep: ['nota'] },
    ['12345678', '١٢٣٤'],
  ],
  // Names in ids, which no field names.
  [
    'a name in a reference',
    { answer: { ref: 'WaximaQuyxo2024', folio: 'waxima-2024', deviceId: 'iPhone-de-Waxima-2' } },
    ['waxima', 'quyxo'],
  ],
  ['a name in the id of a request', { answerHeaders: { 'x-request-id': 'waxima-1' } }, ['waxima']],
  ['a short name in an id', { answer: { nombres: 'Xy Wq', externalTrxId: 'xy-wq-1' } }, ['xy-', 'wq-']],
  ['a short name as a code with a number', { answer: { code: 'WAXI1', result: 'waxi_2' } }, ['waxi']],
  [
    'a date of birth in a text',
    { answer: { nota: 'nacida el 17/05/1980 o 1980-05-17' }, keep: ['nota'] },
    ['17/05/1980', '1980-05-17'],
  ],
  ['a name alone in a query', { path: '/partner/leads?waxima' }, ['waxima']],
  [
    'a user and a password in an address',
    { answer: { x: 'HTTPS://WAXIMA:quyxo@api.example.com/', y: 'quyxo:waxima@x.cl' } },
    ['waxima', 'quyxo'],
  ],
  [
    'a name in a header of numbers',
    { answerHeaders: { 'retry-after': 'waxima', date: 'waxima', 'cache-control': 'private="waxima"' } },
    ['waxima'],
  ],
  // National ids, telephones, places.
  ['a RUT with leading zeros', { answer: { externalTrxId: 'x:0012345678-5' } }, ['12345678']],
  [
    'a RUT with a long dash',
    { answer: { nota: 'de 12345678–5 y 9876543−2' }, keep: ['nota'] },
    ['12345678', '9876543'],
  ],
  ['a RUT with an underscore', { answer: { externalTrxId: 'trx_12345678_5' } }, ['12345678']],
  ['a RUT with dots and a small k', { answer: { id: 'x/11.111.112-k' } }, ['11.111.112', '11111112']],
  ['a RUT in two fields', { answer: { rut: 12345678, dv: '5', externalTrxId: 'a-12345678-z' } }, ['12345678']],
  [
    'a telephone with spaces',
    { answer: { nota: 'al 9 12 34 56 78 o (56) 9 8765 4321' }, keep: ['nota'] },
    ['12 34 56', '8765 4321'],
  ],
  ['a telephone with two zeros', { answer: { externalTrxId: 'x-0056987654321' } }, ['87654321']],
  ['a telephone of a town', { answer: { nota: 'al 22 345 6789' }, keep: ['nota'] }, ['345 6789']],
  ['a telephone as a number', { answer: { codigoArea: 9, numero: 87654321, number: '87654321' } }, ['87654321']],
  [
    'a series of an identity card',
    { answer: { numeroSerie: 512345678, registrationNumber: 612345678 } },
    ['512345678', '612345678'],
  ],
  [
    'accounts in a list',
    { answer: { accounts: ['712345678901'], subaccount: 812345678 } },
    ['712345678901', '812345678'],
  ],
  [
    'a position on a map',
    { answer: { coords: [-33.448891, -70.669265], x: -33.448891, y: '-70.669265' } },
    ['33.448891', '70.669265'],
  ],
  [
    'addresses in a list',
    { answer: { direcciones: ['Los Quyxos 123'], domicilio: ['Quyxo 9'], lineas: ['Av. Quyxo'] } },
    ['quyxo'],
  ],
  [
    'a name in two fields',
    { answer: { primerNombre: 'Wax', segundoNombre: 'Quyxo', id: 'wax.quyxo.1' } },
    ['wax', 'quyxo'],
  ],
  [
    'a person who is not called a customer',
    { answer: { usuario: 'waxima', vendedor: 'Quyxo', ownerId: 'waxima7', aval: 'Quyxo' } },
    ['waxima', 'quyxo'],
  ],
  [
    'a name in a message of the service',
    { answer: { message: 'Waxima no existe', errors: [{ detail: 'Waxima Quyxo' }] } },
    ['waxima', 'quyxo'],
  ],
  // Bodies and headers.
  [
    'a body of several parts',
    {
      raw: MULTIPART,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      path: '/partner/pre-approve/a-waxima-7/loan',
    },
    ['waxima'],
  ],
  [
    'the name of a file in a content type',
    { headers: { 'content-type': 'application/pdf; name="waxima.pdf"' } },
    ['waxima'],
  ],
  ['a boundary', { headers: { 'content-type': 'multipart/form-data; boundary=waxima' } }, ['waxima']],
  [
    'a device in the user agent',
    { headers: { 'user-agent': 'App/1.0 (iPhone de Waxima; 12345678-5)' } },
    ['waxima', '12345678'],
  ],
  [
    'e-mail addresses in headers',
    { headers: { from: 'waxima@correo.cl', 'x-user': 'waxima@correo.cl', via: 'waxima@correo.cl' } },
    ['waxima', 'correo'],
  ],
  [
    'a user in a header about limits',
    { answerHeaders: { 'x-ratelimit-user': 'waxima', 'ratelimit-limit': '100;comment=waxima' } },
    ['waxima'],
  ],
  [
    'cookies',
    {
      headers: { cookie: 'user=waxima; a=b', cookie2: 'waxima' },
      answerHeaders: { 'set-cookie': 'n=waxima; Path=/waxima' },
    },
    ['waxima'],
  ],
  [
    'kinds of authorization',
    {
      headers: {
        authorization: 'Token waxima1',
        'proxy-authorization': `Basic ${base64('waxima:quyxo')}`,
        'x-client-cert': 'MIIWaxima1',
      },
    },
    ['waxima', 'quyxo'],
  ],
  ['a realm', { answerHeaders: { 'www-authenticate': 'Basic realm="Waxima"' } }, ['waxima']],
  [
    'addresses of other kinds',
    { answer: { url: 'mailto:waxima@correo.cl', link: 'tel:+56987654321', href: 'data:text/plain,Waxima' } },
    ['waxima', '87654321', 'correo'],
  ],
])('%s is not kept', (_, message, traces) => {
  const found = readings(JSON.stringify(kept(message)))
  expect(traces.filter((trace) => found.includes(trace))).toEqual([])
})

test('a field name that contains a person’s name as a whole word is not kept, and known field names are kept', () => {
  const person = { nombres: 'Soto Rena', apellidoPaterno: 'Renta', apellidoMaterno: 'Campos' }
  const stay = { ingresoTotal: 1, arenal: 3 }
  const change = { avalSoto: 5, soto_2: 6, SOTORena: 7, soto: 8 }
  const s = sanitiser()
  const asked = { method: 'GET', path: '/partner/leads', headers: [] }
  const body = Buffer.from(JSON.stringify({ ...person, ...stay, ...change }))
  const made = JSON.stringify(s.exchange(asked, { status: 200, headers: [], body }).response)
  const isKept = (name: string) => made.includes(`"${name}":`)
  expect(Object.keys(person).filter(isKept)).toEqual(Object.keys(person))
  expect(Object.keys(stay).filter(isKept)).toEqual(Object.keys(stay))
  expect(Object.keys(change).filter(isKept)).toEqual([])
})

test.each([
  'ACTIVE',
  'AUTHORIZATION',
  'PAID',
  'new_lead',
  'loan_approved',
  'ERR_VALIDATION',
  'ERR_LOAN_NOT_FOUND',
  'HS256',
  'HMAC',
  '404',
])('a code of the contract is kept in a field for codes: %s', (word) => {
  expect(JSON.stringify(kept({ answer: { estado: word, code: word } }).response)).toContain(
    `{"estado":"${word}","code":"${word}"}`,
  )
})

test.each(['VIGENTE', 'EN_EVALUACION', 'Unauthorized', 'E1042', 'loan.approved', 'INVALID_RUT'])(
  'a word that is no code of the contract is left out, unless the description of the service has it: %s',
  (word) => {
    const answer = { state: word }
    const of = (codes: readonly string[]) => {
      const reply = { status: 200, headers: [], body: Buffer.from(JSON.stringify({ data: answer })) }
      return JSON.stringify(
        sanitiser([], codes).exchange({ method: 'GET', path: '/partner/leads', headers: [] }, reply),
      )
    }
    expect(of([])).not.toContain(word)
    expect(of([word])).toContain(word)
  },
)

test.each([
  ['order-1001', true],
  ['T1', true],
  ['trx_77', true],
  ['123456', true],
  ['01a20295-9788-7000-b3ca-c4f42eb6e470', true],
  ['1234567', false],
  ['soto-12', false],
  ['order-1001-ana', false],
  ['maria', false],
])(
  'an id is kept if it is a UUID, or a usual word with a short number, and otherwise it gets another id: %s',
  (id, isKept) => {
    const { request, response } = kept({ path: `/partner/pre-approve/${id}/loan`, answer: { externalTrxId: id } })
    const body = response?.body
    const written = body !== undefined && 'json' in body ? (body.json as any).data.externalTrxId : undefined
    expect(written === id).toBe(isKept)
    expect(request.path).toBe(`/partner/pre-approve/${encodeURIComponent(written)}/loan`)
  },
)

test('a word of unknown meaning in a field for codes is left out and reported, and is kept if the user says so', () => {
  const s = sanitiser()
  const answer = (clean: ReturnType<typeof sanitiser>) =>
    clean.exchange(
      { method: 'GET', path: '/partner/leads', headers: [] },
      { status: 200, headers: [], body: Buffer.from('{"data":{"estado":"WAXIMA"}}') },
    ).response?.body
  expect(answer(s)).toEqual({ json: { data: { estado: '(text-8)' } } })
  expect(s.leftOut()).toEqual([{ where: 'listLeads: data.estado', count: 1 }])
  expect(answer(sanitiser(['estado']))).toEqual({ json: { data: { estado: 'WAXIMA' } } })
})
