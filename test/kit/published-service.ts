import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LOAN } from './loan.ts'

/**
 * A service in the form that banca.me publishes. It was written from the published pages, and shares no code with the client and the
 * sandbox, so that both can be compared with it. Where the pages are silent, an option chooses.
 */
interface Options {
  /** Whether the answer with a widget token contains `accepted`. */
  accepted?: boolean
  /** Whether the answer with a widget token is inside `data`. */
  wrapped?: boolean
  /** How long a widget token is valid, in ms. */
  tokenMs?: number
  dates?: 'day' | 'date-time'
  /** How an event writes dates, if not as the verification does. */
  eventDates?: 'day' | 'date-time'
  signatureHeader?: string
  now?: () => number
  /** Calls that one key may make in a minute. */
  perMinute?: number
  /** The prefix of the headers about the limit, such as `ratelimit` or `x-ratelimit`. */
  limitHeaders?: string
  /** The state of a loan that was cancelled. */
  cancelledState?: string
}

interface Request {
  method: string
  url: string
  headers: Record<string, string>
  body?: Uint8Array
}

interface Response {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

interface Payment {
  externalTrxId: string
  amount: number
  preApproveId: string | undefined
  idNumber: string | undefined
  transferredAt: number | undefined
  paid: number
  cancelled: boolean
}

interface Entity {
  id: string
  externalEntityId: string
  name: string
  label: string
  isActive: boolean
}

const KEY = 'bm_private_canary_0123456789'
const DAY = 86_400_000
const IP = '203.0.113.77'

export const PUBLISHED = {
  key: KEY,
  ip: IP,
  baseUrl: 'https://api.banca.example',
  webhookSecret: 'whsec_published_0123',
}

/** An answer that says what is wrong. The pages do not say where the code is, so it is the message here. */
class Refused extends Error {
  readonly status: number
  readonly code: string | undefined

  constructor(status: number, code?: string) {
    super(code ?? String(status))
    this.status = status
    this.code = code
  }
}

export function publishedService(options: Options = {}) {
  const {
    accepted = false,
    wrapped = true,
    tokenMs = 600_000,
    dates = 'date-time',
    eventDates = dates,
    signatureHeader = 'bancame-signature',
    now = Date.now,
    perMinute = 100,
    limitHeaders,
    cancelledState = 'CANCELLED',
  } = options
  const evaluations = new Map<string, { externalTrxId: string; idNumber: string; amount: number }>()
  const payments = new Map<string, Payment>()
  const entities: Entity[] = []
  const destinations: { id: string; url: string; verificationScheme: string }[] = []
  const sent: Request[] = []
  const counts = { refused: 0 }
  let serial = 0
  let minute = { began: now(), calls: 0 }
  /** What happens to the answers of the next calls of a path, by the end of the path. */
  const mishaps: { ends: string; mishap: 'lose' | 'fail' | 'drop' }[] = []

  const dateOf = (ms: number, isDue: boolean, form: 'day' | 'date-time') => {
    const day = new Date(ms).toISOString().slice(0, 10)
    if (form === 'day') return day
    return isDue ? `${day}T00:00:00Z` : new Date(ms).toISOString().replace(/\.\d+/, '')
  }

  const loanOf = (payment: Payment, form = dates) => {
    const { externalTrxId, amount, transferredAt = 0, paid, cancelled } = payment
    const each = Math.floor((amount * 1.06) / 3)
    return {
      ...LOAN,
      externalTrxId,
      loanAmount: amount,
      periods: 3,
      installmentAmount: each,
      lastInstallmentAmount: each,
      state: cancelled ? cancelledState : 'ACTIVE',
      transferDate: dateOf(transferredAt, false, form),
      installments: [1, 2, 3].map((period) => ({
        state: period <= paid ? 'PAID' : 'ACTIVE',
        period,
        expirationDate: dateOf(transferredAt + period * 30 * DAY, true, form),
      })),
    }
  }

  const evaluate = (form: URLSearchParams) => {
    const idNumber = form.get('idNumber') ?? ''
    if (idNumber === '11111111-1') throw new Refused(422, 'ERR_BNPL_DATA_NOT_OK')
    const amount = Number(form.get('amount'))
    const preApproveId = `0190f2a4-1b2c-7d3e-8f40-${String(++serial).padStart(12, '0')}`
    evaluations.set(preApproveId, { externalTrxId: form.get('externalTrxId') ?? '', idNumber, amount })
    const total = Math.floor((amount * 1.06) / 3) * 3
    return { preApproveId, installmentOptions: [{ installments: 3, amount: total / 3, total }] }
  }

  const startWidget = (form: URLSearchParams) => {
    const externalTrxId = form.get('externalTrxId') ?? ''
    const preApproveId = form.get('preApproveId') ?? undefined
    const evaluation = preApproveId === undefined ? undefined : evaluations.get(preApproveId)
    if (preApproveId !== undefined && evaluation?.externalTrxId !== externalTrxId) throw new Refused(422)
    const active = entities.find(({ id }) => id === form.get('entityId'))?.isActive
    if (active === false) throw new Refused(403)
    payments.set(externalTrxId, {
      externalTrxId,
      amount: Number(form.get('amount')),
      preApproveId,
      idNumber: evaluation?.idNumber,
      transferredAt: undefined,
      paid: 0,
      cancelled: false,
    })
    return {
      ...(accepted && { accepted: true }),
      widgetToken: `token-of-${externalTrxId}`,
      validUntil: now() + tokenMs,
    }
  }

  const loanFor = (externalTrxId: string): Payment & { transferredAt: number } => {
    const payment = payments.get(externalTrxId)
    if (payment?.transferredAt === undefined) throw new Refused(404)
    return { ...payment, transferredAt: payment.transferredAt }
  }

  const cancel = (externalTrxId: string) => {
    const payment = loanFor(externalTrxId)
    if (payment.cancelled) throw new Refused(422, 'ERR_LOAN_ALREADY_CANCELLED')
    if (now() - payment.transferredAt > 60 * DAY) throw new Refused(422, 'ERR_LOAN_CANCEL_PERIOD_EXPIRED')
    payments.set(externalTrxId, { ...payment, cancelled: true })
    return { refundAmount: payment.paid * loanOf(payment).installmentAmount }
  }

  const jsonBody = (request: Request): Record<string, unknown> => {
    if (!request.headers['content-type']?.startsWith('application/json')) throw new Refused(400)
    return JSON.parse(Buffer.from(request.body ?? []).toString())
  }

  const addEntity = (body: Record<string, unknown>) => {
    const { externalEntityId, name, label, isActive } = body
    if (![externalEntityId, name, label].every((each) => typeof each === 'string') || typeof isActive !== 'boolean')
      throw new Refused(400)
    if (entities.some((each) => each.label === label || each.externalEntityId === externalEntityId))
      throw new Refused(428)
    const entity = { id: `ex-${(++serial).toString(16).padStart(16, '0')}`, ...body } as unknown as Entity
    entities.push(entity)
    return entity
  }

  const setEntity = (id: string, { name, isActive }: Record<string, unknown>) => {
    const entity = entities.find((each) => each.id === id)
    if (entity === undefined) throw new Refused(404)
    if (typeof name === 'string') entity.name = name
    if (typeof isActive === 'boolean') entity.isActive = isActive
    return entity
  }

  const answerTo = (request: Request): { status: number; data: unknown } => {
    const { method } = request
    const path = new URL(request.url).pathname
    if (request.headers.authorization !== `Bearer ${KEY}`) throw new Refused(401)
    const form = () => {
      if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) throw new Refused(400)
      return new URLSearchParams(Buffer.from(request.body ?? []).toString())
    }
    const call = `${method} ${path}`
    const trx = decodeURIComponent(/^\/partner\/pre-approve\/([^/]+)\/loan/.exec(path)?.[1] ?? '')
    if (call === 'POST /partner/pre-loan-request/bnpl') return { status: 200, data: evaluate(form()) }
    if (call === 'POST /partner/widget/start') return { status: 200, data: startWidget(form()) }
    if (method === 'POST' && path.endsWith('/loan/cancel')) return { status: 200, data: cancel(trx) }
    if (method === 'POST' && path.endsWith('/loan')) return { status: 200, data: loanOf(loanFor(trx)) }
    if (call === 'POST /partner/webhook') {
      const destination = { id: `wh_${++serial}`, url: String(jsonBody(request).url), verificationScheme: 'HMAC' }
      destinations.push(destination)
      return { status: 201, data: { ...destination, secret: PUBLISHED.webhookSecret } }
    }
    if (call === 'GET /partner/webhook') return { status: 200, data: destinations }
    const removed = method === 'DELETE' ? /^\/partner\/webhook\/([^/]+)$/.exec(path)?.[1] : undefined
    if (removed !== undefined) {
      const at = destinations.findIndex(({ id }) => id === decodeURIComponent(removed))
      if (at === -1) throw new Refused(404)
      return { status: 200, data: destinations.splice(at, 1)[0] }
    }
    if (call === 'POST /partner/entity') return { status: 201, data: addEntity(jsonBody(request)) }
    if (call === 'GET /partner/entity') return { status: 200, data: entities }
    const changed = /^\/partner\/entity\/([^/]+)$/.exec(path)?.[1]
    if (method === 'PATCH' && changed !== undefined)
      return { status: 200, data: setEntity(decodeURIComponent(changed), jsonBody(request)) }
    throw new Refused(404)
  }

  const limits = (): Record<string, string> => {
    if (limitHeaders === undefined) return {}
    const left = String(Math.max(0, perMinute - minute.calls))
    const reset = String(Math.ceil((minute.began + 60_000 - now()) / 1000))
    return {
      [`${limitHeaders}-limit`]: String(perMinute),
      [`${limitHeaders}-remaining`]: left,
      [`${limitHeaders}-reset`]: reset,
    }
  }

  const answer = (request: Request): Response => {
    if (now() - minute.began >= 60_000) minute = { began: now(), calls: 0 }
    minute.calls++
    const headers = { 'content-type': 'application/json', ...limits() }
    const refusal = (status: number, code?: string): Response => ({
      status,
      headers,
      body: Buffer.from(JSON.stringify({ data: { status, url: request.url, ip: IP, ...(code && { message: code }) } })),
    })
    if (minute.calls > perMinute) {
      counts.refused++
      return refusal(429)
    }
    try {
      const { status, data } = answerTo(request)
      const isBare = !wrapped && request.url.endsWith('/widget/start')
      return { status, headers, body: Buffer.from(JSON.stringify(isBare ? data : { data })) }
    } catch (error) {
      if (error instanceof Refused) return refusal(error.status, error.code)
      throw error
    }
  }

  const handle = (request: Request): Response | 'lost' | 'dropped' => {
    sent.push(request)
    const at = mishaps.findIndex(({ ends }) => new URL(request.url).pathname.endsWith(ends))
    const mishap = at === -1 ? undefined : mishaps.splice(at, 1)[0]?.mishap
    if (mishap === 'drop') return 'dropped'
    const answered = answer(request)
    if (mishap === 'lose') return 'lost'
    return mishap === 'fail' ? { status: 502, headers: {}, body: Buffer.from('') } : answered
  }

  return {
    sent,
    counts,
    payments,
    /** Answers a request as plain data. */
    handle,
    /** Spoils the next call whose path ends so: `lose` carries it out without an answer, `fail` answers 502 after it, `drop` does nothing. */
    spoil: (ends: string, mishap: 'lose' | 'fail' | 'drop') => mishaps.push({ ends, mishap }),
    /** The customer pays on the page. Without an evaluation, the page asks for the national id. */
    pay(externalTrxId: string, idNumber?: string) {
      const payment = payments.get(externalTrxId)
      if (payment === undefined || (payment.idNumber ?? idNumber) === undefined)
        throw new Error('the page asks for the RUT')
      payment.idNumber ??= idNumber
      payment.transferredAt = now()
    },
    payInstallment(externalTrxId: string) {
      const payment = payments.get(externalTrxId)
      if (payment?.transferredAt !== undefined) payment.paid++
    },
    cancelInDashboard: (externalTrxId: string) => void cancel(externalTrxId),
    /** A delivery of `loan_approved`, signed as published. */
    delivery(externalTrxId: string) {
      const body = JSON.stringify({ eventId: `evt_${++serial}`, data: loanOf(loanFor(externalTrxId), eventDates) })
      const t = Math.floor(now() / 1000)
      const signature = createHmac('sha256', PUBLISHED.webhookSecret).update(`${t}.${body}`).digest('hex')
      return {
        body,
        headers: { 'content-type': 'application/json', [signatureHeader]: `t=${t},signature=${signature}` },
      }
    },
  }
}

export type PublishedService = ReturnType<typeof publishedService>

const textOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** Serves a published service on loopback, with a payment page at `/pay`. A lost answer ends the connection. @param onRequest called before each call is handled */
export async function servePublished(service: PublishedService, onRequest: (path: string) => void = () => {}) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '' } = request
      onRequest(url)
      const headers = textOf(request.headers)
      const answer = service.handle({ method, url: baseUrl + url, headers, body: Buffer.concat(chunks) })
      if (new URL(url, baseUrl).pathname === '/pay')
        response.setHeader('content-type', 'text/html').end('<title>pay</title>')
      else if (typeof answer === 'string') response.destroy()
      else response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
