import fc from 'fast-check'
import { rutCheckCharacter } from '../../src/domain/identifiers.ts'
import type { RawMessage, RawReply } from '../../src/recording/sanitiser.ts'

/** Secrets and personal data, planted in every place of an exchange and in every spelling, and a function that finds them in a text. */

export interface Canary {
  kind: string
  /** The text that is planted. */
  text: string
  /** The texts that must not be found. Each of them would betray the canary. */
  traces: readonly string[]
  /** The name of the field with this text, for a text that only the name shows to be secret. */
  field?: string
  /** Whether the settings contain this text. */
  known?: boolean
}

const digits = (min: number, max = min) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max })
    .map((all) => all.join('').replace(/^0/, '7'))
const opaque = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'),
    minLength: length,
    maxLength: length,
  })
/** Words that no stand-in can be equal to, because each has letters that the syllables of stand-ins do not use. */
const word = fc
  .tuple(
    fc.constantFrom('Wax', 'Yxq', 'Quw', 'Hyz', 'Xáw'),
    fc.string({ unit: fc.constantFrom(...'wxyqhj'), minLength: 3, maxLength: 6 }),
  )
  .map(([head, tail]) => head + tail)

const RUTS = [
  (body: string, check: string) => `${body}-${check}`,
  (body: string, check: string) => `${body.replace(/\B(?=(\d{3})+$)/g, '.')}-${check}`,
  (body: string, check: string) => `${body}${check}`,
  (body: string, check: string) => `${body}-${check.toLowerCase()}`,
]

const people: fc.Arbitrary<Canary>[] = [
  fc.tuple(digits(7, 8), fc.constantFrom(...RUTS)).map(([body, notation]) => ({
    kind: 'rut',
    text: notation(body, rutCheckCharacter(body)),
    traces: [body],
  })),
  fc.tuple(word, word, digits(2)).map(([first, last, n]) => {
    const local = `${first}.${last}${n}`.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
    return { kind: 'email', text: `${local}@correo.cl`, traces: [local] }
  }),
  digits(8).chain((number) =>
    fc
      .constantFrom(`+569${number}`, `569${number}`, `9${number}`, `+56 9 ${number.slice(0, 4)} ${number.slice(4)}`)
      .map((text) => ({
        kind: 'telephone',
        text,
        traces: [number],
      })),
  ),
  fc.tuple(word, word).map(([first, last]) => ({
    kind: 'name',
    text: `${first} ${last}`,
    traces: [first, last],
    field: 'nombreCompleto',
  })),
  fc
    .tuple(word, digits(3))
    .map(([street, n]) => ({ kind: 'address', text: `Calle ${street} ${n}`, traces: [street], field: 'direccion' })),
  digits(9, 14).map((text) => ({ kind: 'account', text, traces: [text], field: 'cuentaBancaria' })),
]

const secrets: fc.Arbitrary<Canary>[] = [
  opaque(24).map((text) => ({ kind: 'key', text: `sk-${text}`, traces: [text], known: true })),
  opaque(20).map((text) => ({ kind: 'public key', text, traces: [text], known: true })),
  opaque(32).map((text) => ({
    kind: 'webhook secret',
    text: `${text}=+/${text.slice(0, 3)}`,
    traces: [text],
    known: true,
  })),
  fc
    .tuple(opaque(12), opaque(16), opaque(20))
    .map(([a, b, c]) => ({ kind: 'signed token', text: `eyJ${a}.eyJ${b}.${c}`, traces: [b, c] })),
  opaque(40).map((text) => ({ kind: 'token', text, traces: [text], field: 'accessToken' })),
]

type Spell = (text: string) => string
const twice: Spell = (text) => encodeURIComponent(percent(text))
const percent: Spell = (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** The spellings in which a value may occur in a text. */
const SPELLINGS: readonly Spell[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => ` ${text} `,
  encodeURIComponent,
  percent,
  twice,
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64url'),
  (text) => `a1-${Buffer.from(text).toString('base64')}:7`,
  (text) => Buffer.from(text).toString('hex'),
  (text) => JSON.stringify({ inner: { note: text } }),
  (text) => JSON.stringify([[text]]),
  (text) => JSON.stringify(JSON.stringify({ text })),
  (text) => `el cliente ${text} no fue encontrado`,
  (text) => `order-${text}-7`,
  (text) => `https://shop.example/c/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}`,
  (text) => `https://${encodeURIComponent(text)}@shop.example/`,
  (text) => `x=${text}&y=1`,
  (text) => `<p>${text}</p>`,
  (text) => Buffer.from(JSON.stringify({ note: text })).toString('base64'),
  (text) => [...text].map((c) => `&#${c.codePointAt(0)};`).join(''),
  (text) => [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  (text) => text.normalize('NFD'),
]

const FIELDS = [
  'note',
  'valor',
  'externalTrxId',
  'state',
  'code',
  'preApproveId',
  'step',
  'url',
  'message',
  'id',
  'x',
  'amount',
  'transferDate',
  'eventTypes[]',
  'nombres',
  'email',
  'filters[outcome]',
  'total',
  'data',
  'token',
  'estado',
  'usuario',
  'folio',
  'numero',
]

/** A function that puts a value at a place of an exchange. */
type Plant = (exchange: Draft, text: string, field: string) => unknown

interface Draft {
  request: {
    method: string
    path: string
    headers: [string, string][]
    form: [string, string][]
    json?: Record<string, unknown>
  }
  response: { headers: [string, string][]; json: Record<string, unknown>; text?: string }
}

const headerSafe = (text: string) =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[\r\n]/g, ' ')

const withQuery = (path: string, name: string, value: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${encodeURIComponent(name)}=${encodeURIComponent(value)}`

const pathTo = (path: (text: string) => string): Plant => {
  return ({ request }, text) => {
    request.path = path(encodeURIComponent(text))
  }
}
const header = (name: string, value: (text: string) => string = (text) => text): Plant => {
  return ({ request }, text) => request.headers.push([name, headerSafe(value(text))])
}
const answerHeader = (name: string, value: (text: string) => string = (text) => text): Plant => {
  return ({ response }, text) => response.headers.push([name, headerSafe(value(text))])
}
const inAnswer = (fields: (text: string, field: string) => Record<string, unknown>): Plant => {
  return ({ response }, text, field) => Object.assign(response.json, fields(text, field))
}
/** Returns the text as a number, if it can be one. */
const numeric = (text: string): unknown => (/^[1-9]\d{5,14}$/.test(text) ? Number(text) : text)

const PLACES: readonly Plant[] = [
  header('x-note'),
  header('cookie', (text) => `a=1; sid=${text}`),
  header('user-agent'),
  header('x-forwarded-for'),
  header('authorization', (text) => `Bearer ${text}`),
  answerHeader('location', (text) => `/next/${encodeURIComponent(text)}?a=${encodeURIComponent(text)}`),
  answerHeader('set-cookie', (text) => `sid=${text}; Path=/`),
  answerHeader('x-request-id'),
  answerHeader('content-disposition', (text) => `attachment; filename="${text}.pdf"`),
  ({ response }, text) => response.headers.push([`x-${text.replace(/[^\w-]/g, '').toLowerCase()}`, '1']),
  pathTo((text) => `/partner/pre-approve/${text}/loan`),
  pathTo((text) => `/partner/pre-approve/rut/${text}`),
  pathTo((text) => `/partner/informe/${text}`),
  pathTo((text) => `/partner/other/${text}/x`),
  pathTo((text) => `https://files.example/PreAprobacion_${text}.pdf`),
  ({ request }, text, field) => {
    request.path = withQuery(request.path, field, text)
  },
  ({ request }, text) => {
    request.path = withQuery(request.path, text, '1')
  },
  ({ request }, text, field) => request.form.push([field, text]),
  ({ request }, text) => request.form.push([text, '1']),
  ({ request }, text, field) => {
    request.json = { ...request.json, [field]: text }
  },
  inAnswer((text, field) => ({ [field]: text })),
  inAnswer((text, field) => ({ data: { [field]: [{ deep: { [field]: text } }] } })),
  inAnswer((text) => ({ [text]: { state: 'ACTIVE' } })),
  inAnswer((text, field) => ({ [`${field}s`]: [1, [text], { [field]: [text, text] }] })),
  inAnswer((text) => ({ number1: numeric(text) })),
  inAnswer((text) => ({ valor: [numeric(text)], rut: numeric(text) })),
  ({ response }, text) => {
    response.text = text
  },
  ({ response }, text) => {
    response.text = `<html><body>${text}</body></html>`
  },
]

interface Planted {
  canary: Canary
  spelling: number
  place: number
  field: string
}

const planted: fc.Arbitrary<Planted> = fc.record({
  canary: fc.oneof(...people, ...secrets),
  spelling: fc.nat(SPELLINGS.length - 1),
  place: fc.nat(PLACES.length - 1),
  field: fc.constantFrom(...FIELDS),
})

export interface PlantedExchange {
  canaries: Canary[]
  request: RawMessage
  response: RawReply
}

/** Draws an exchange with one to four canaries, each planted at one to three places. */
export const plantedExchange: fc.Arbitrary<PlantedExchange> = fc
  .array(planted, { minLength: 1, maxLength: 4 })
  .map((all) => {
    const draft: Draft = {
      request: {
        method: 'POST',
        path: '/partner/pre-loan-request/bnpl',
        headers: [['accept', 'application/json']],
        form: [['amount', '250000']],
      },
      response: { headers: [['date', 'Sun, 01 Mar 2026 12:00:00 GMT']], json: { data: { state: 'ACTIVE' } } },
    }
    for (const [i, { canary, spelling, place, field }] of all.entries()) {
      PLACES[place]!(draft, SPELLINGS[spelling]!(canary.text), field)
      // A canary that only a field name shows to be secret is planted once more, in a field of that name.
      if (canary.field !== undefined) draft.request.form.push([`${canary.field}${i}`, canary.text])
    }
    return { canaries: all.map(({ canary }) => canary), ...messages(draft) }
  })

const form = (pairs: [string, string][]) =>
  pairs.map((pair) => pair.map((part) => encodeURIComponent(part)).join('=')).join('&')

function messages({ request, response }: Draft): { request: RawMessage; response: RawReply } {
  const isJson = request.json !== undefined
  const fields = Object.fromEntries(request.form)
  return {
    request: {
      method: request.method,
      path: request.path,
      headers: [
        ...request.headers,
        ['content-type', isJson ? 'application/json' : 'application/x-www-form-urlencoded'],
      ],
      body: Buffer.from(isJson ? JSON.stringify({ ...fields, ...request.json }) : form(request.form)),
    },
    response: {
      status: 200,
      headers: [...response.headers, ['content-type', response.text === undefined ? 'application/json' : 'text/html']],
      body: Buffer.from(response.text ?? JSON.stringify(response.json)),
    },
  }
}

/** Returns a text without accents, in lower case. */
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Returns a text together with everything that it can be decoded to. */
export function readings(text: string): string {
  const decoded = [text]
  for (let layer = 0; layer < 3; layer++) {
    const before = decoded.at(-1)!
    decoded.push(
      before
        .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
        .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
        .replace(/&#(\d{1,5});/g, (_, code: string) => String.fromCharCode(Number(code)))
        .replaceAll('\\', ''),
    )
  }
  const all = decoded.join('\n')
  const inBase64 = [...all.matchAll(/[A-Za-z0-9+/_-]{10,}/g)].map(([found]) =>
    Buffer.from(found, 'base64url').toString('latin1'),
  )
  const inUtf8 = Buffer.from(all, 'latin1').toString('utf8')
  const whole = fold(
    [all, inUtf8, ...inBase64, ...inBase64.map((each) => Buffer.from(each, 'latin1').toString('utf8'))].join('\n'),
  )
  return `${whole}\n${whole.replace(/(?<=\d)[. ](?=\d)/g, '')}`
}

/** Returns the canaries that can still be found in a text. */
export function found(text: string, canaries: readonly Canary[]): Canary[] {
  const all = readings(text)
  return canaries.filter(({ traces }) => traces.some((trace) => all.includes(fold(trace))))
}
