import type { Transport, WireRequest } from '../../src/contract/wire.ts'

/** An answer of the sandbox on its way to the client, with the request that it answers. */
export interface Passing {
  method: string
  /** The path under the base address. */
  path: string
  status: number
  headers: Record<string, string>
  /** The body as JSON; undefined for a body that is not JSON, such as a PDF or a page. */
  body: any
}

/** The parts of an answer that a shape replaces; the other parts stay. `text` replaces the body without being written as JSON. */
type Reshaped = Partial<Pick<Passing, 'status' | 'headers' | 'body'>> & { text?: string }

/** A service that answers in another shape than the sandbox, where the specification shows no shape. */
export interface Shape {
  name: string
  answer(passing: Passing): Reshaped
  /** Returns the path with the ids that the sandbox knows, if the shape has replaced ids. */
  path?(path: string): string
  /** What stderr says when the client could read a shape that differs from the contract; undefined if it says nothing. */
  warns?: RegExp
  /** The exit code of a verification before the payment; 6 (no loan) by default. */
  early?: number
}

const isList = ({ method, path, status }: Passing) =>
  status === 200 && method === 'GET' && /\/(webhook|leads)$/.test(path)
const isVerification = ({ path }: Passing) => path.endsWith('/loan')
const isRegistration = ({ method, path, status }: Passing) =>
  method === 'POST' && /\/webhook(\/subscription)?$/.test(path) && status === 201
const isRefusal = ({ status }: Passing) => status >= 400
const isSuccess = (passing: Passing) => !isRefusal(passing) && passing.body !== undefined
const isNotYet = (passing: Passing) => isVerification(passing) && passing.status === 404

/** A shape in which lists have another wrapper. */
const listed = (name: string, wrap: (rows: any[]) => unknown, warns: RegExp): Shape => ({
  name,
  warns,
  answer: (passing) => (isList(passing) ? { body: { data: wrap(passing.body.data) } } : {}),
})

/** A shape in which the `data` of every success is changed. */
const wrapped = (name: string, wrap: (data: any) => unknown, warns?: RegExp): Shape => ({
  name,
  ...(warns ? { warns } : {}),
  answer: (passing) => (isSuccess(passing) ? { body: { data: wrap(passing.body.data) } } : {}),
})

/** A shape with another answer to a verification before the payment. */
const notYet = (name: string, answer: Reshaped, early = 6): Shape => ({
  name,
  early,
  answer: (passing) => (isNotYet(passing) ? answer : {}),
})

/** A shape in which the ids of destinations and leads are numbers, counted from `first`. `digits` writes one number into JSON. */
function numbered(name: string, first: bigint, warns?: RegExp): Shape {
  const numbers = new Map<string, string>()
  const numberOf = (id: string) => {
    const known = numbers.get(id) ?? String(first + BigInt(numbers.size))
    numbers.set(id, known)
    return known
  }
  const withNumbers = (data: any): any => {
    if (Array.isArray(data)) return data.map(withNumbers)
    const own = data.url !== undefined && data.id !== undefined ? { id: JSON.rawJSON(numberOf(data.id)) } : {}
    return { ...data, ...own, ...(data.leadId ? { leadId: JSON.rawJSON(numberOf(data.leadId)) } : {}) }
  }
  return {
    name,
    ...(warns ? { warns } : {}),
    answer: (passing) =>
      isSuccess(passing) && /webhook|lead/.test(passing.path) ? { body: { data: withNumbers(passing.body.data) } } : {},
    path: (path) =>
      [...numbers].reduce((known, [id, number]) => known.replace(new RegExp(`/${number}$`), `/${id}`), path),
  }
}

/** Shapes that the specification allows, because it shows no shape or says that the shape may differ. */
export const SHAPES: readonly [Shape, ...Shape[]] = [
  { name: 'as the sandbox answers', answer: () => ({}) },
  listed(
    'lists in an object with a page',
    (items) => ({ items, page: 1, total: items.length }),
    /data\.items; these fields next to the list were not read: data\.page, data\.total/,
  ),
  listed('lists under a name of their own', (rows) => ({ misDestinos: rows }), /data\.misDestinos/),
  listed('lists two objects deep', (content) => ({ result: { content } }), /data\.result\.content/),
  listed('a list in a list of one', (items) => [{ items }], /data\.0\.items/),
  listed(
    'lists by kind',
    (rows) => ({
      hmac: rows.filter((each) => /hmac/i.test(each.verificationScheme)),
      others: rows.filter((each) => !/hmac/i.test(each.verificationScheme)),
    }),
    /the list was read from data\.(hmac|others)/,
  ),
  listed(
    'a list of one without the list',
    (rows) => (rows.length === 1 ? rows[0] : rows),
    /one object, and was read as a list/,
  ),
  listed(
    'null for an empty list',
    (rows) => (rows.length === 0 ? null : rows),
    /data is empty, and was read as an empty list/,
  ),
  wrapped('one more envelope of data', (data) => ({ data }), /the data was read from data\.data/),
  wrapped(
    'objects as a list of one',
    (data) => (Array.isArray(data) ? data : [data]),
    /the data was read from data\.0/,
  ),
  wrapped(
    'objects under a name',
    (data) => (Array.isArray(data) ? data : { result: data }),
    /the data was read from data\.result/,
  ),
  wrapped('fields that nobody knows', (data) =>
    Array.isArray(data) ? data.map((each) => ({ ...each, x: 1 })) : { ...data, x: { y: [] } },
  ),
  numbered('ids that are numbers', 7n),
  numbered('ids that are numbers of 20 digits', 12345678901234567890n, /data\.0\.id is a number, and was read as text/),
  wrapped(
    'the id of a loan request as a number',
    (data) => (data.loanRequestId ? { ...data, loanRequestId: 41 } : data),
    /loanRequestId is a number/,
  ),
  {
    name: 'the pre-approval id under its other name',
    answer: ({ path, status, body }) => {
      if (!path.endsWith('/bnpl') || status !== 200) return {}
      const { preApproveId: idPreAprobacion, ...data } = body.data
      return { body: { data: { ...data, idPreAprobacion } } }
    },
  },
  { name: '200 for a registration', answer: (passing) => (isRegistration(passing) ? { status: 200 } : {}) },
  {
    name: 'a registration without a body',
    answer: (passing) => (isRegistration(passing) ? { text: '' } : {}),
    warns: /no secret/,
  },
  {
    name: '204 for a deletion',
    answer: ({ method, status }) => (method === 'DELETE' && status === 200 ? { status: 204, text: '' } : {}),
  },
  {
    name: 'the scheme in another case',
    answer: (passing) =>
      isSuccess(passing) && passing.path.includes('webhook')
        ? {
            body: JSON.parse(
              JSON.stringify(passing.body)
                .replaceAll(/"hmac"/gi, '"Hmac-SHA256"')
                .replaceAll(/"token"/gi, '"TOKEN"'),
            ),
          }
        : {},
  },
  notYet('422 before the payment', { status: 422, text: '{"error":"TRANSACTION_PENDING"}' }, 5),
  notYet('409 before the payment', { status: 409, text: 'pending' }, 5),
  notYet('nothing in data before the payment', { status: 200, body: { data: {} } }),
  notYet('null before the payment', { status: 200, body: { data: null } }),
  notYet('an empty list before the payment', { status: 200, body: { data: [] } }),
  notYet('204 before the payment', { status: 204, text: '' }),
  {
    name: 'refusals as text',
    answer: (passing) =>
      isRefusal(passing) ? { text: 'no es posible', headers: { 'content-type': 'text/plain' } } : {},
  },
  { name: 'refusals without a body', answer: (passing) => (isRefusal(passing) ? { text: '' } : {}) },
  {
    name: 'refusals as a list',
    answer: (passing) =>
      isRefusal(passing) ? { body: { errors: [{ code: passing.body?.error?.code, detail: 'no' }] } } : {},
  },
  {
    name: 'JSON with a charset',
    answer: (passing) => (passing.body ? { headers: { 'content-type': 'Application/JSON; charset=UTF-8' } } : {}),
  },
  { name: 'JSON without a type', answer: (passing) => (passing.body ? { headers: {} } : {}) },
  {
    name: 'JSON with a byte order mark and blanks',
    answer: ({ body }) => (body ? { text: `\ufeff\r\n ${JSON.stringify(body, null, 2)}\r\n` } : {}),
  },
]

/**
 * Returns a transport that passes calls on to a service, and changes the shape of its answers.
 *
 * @param prefix the beginning of every address
 * @param onAnswer called with each answer of the service before it is changed
 */
export function reshaping(
  shape: Shape,
  service: Transport,
  prefix: string,
  onAnswer: (passing: Passing) => void,
): Transport {
  return async (request: WireRequest) => {
    const path = request.url.slice(prefix.length)
    const isCall = request.url.startsWith(`${prefix}/partner/`)
    if (!isCall) return service(request)
    const answer = await service({ ...request, url: prefix + (shape.path?.(path) ?? path) })
    const isJson = answer.headers['content-type']?.includes('json') ?? false
    const body = isJson ? JSON.parse(new TextDecoder().decode(answer.body)) : undefined
    const { status, headers } = answer
    const passing = { method: request.method, path, status, headers, body }
    onAnswer(passing)
    const given = shape.answer(passing)
    const text = given.text ?? (given.body === undefined ? undefined : JSON.stringify(given.body))
    return {
      status: given.status ?? status,
      headers: given.headers ?? headers,
      body: text === undefined ? answer.body : Buffer.from(text),
    }
  }
}
