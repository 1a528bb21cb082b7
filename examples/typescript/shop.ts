/** A shop that sells in installments, with Node alone: `shop.ts serve`, `shop.ts orders`, `shop.ts settle`, `shop.ts refund ORDER`. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const env = (name: string): string => process.env[name] ?? fail(`${name} is not set`)
const TIMEOUT_MS = 5_000
const ATTEMPTS = 3
const MINUTE_MS = 60_000

// `sandbox torture` gives each run of the shop a folder of its own.
const db = new DatabaseSync(process.env.SHOP_DATA ?? join(process.env.BNPL_RUN_DIR ?? '', 'shop.db'))
// A write is on the disk before the shop acts on it. Several processes may use the file.
db.exec(`
  pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full;
  create table if not exists orders (
    id text primary key, amount integer not null, createdAt integer not null,
    state text not null check (state in ('new', 'open', 'paid', 'dropped', 'refused', 'refunding', 'refunded')),
    cancelSentAt integer) strict;
  create table if not exists shipments (orderId text primary key references orders) strict;
  create table if not exists events (id text primary key) strict;
`)
const insertOrder = db.prepare("insert into orders values (?, ?, ?, 'new', null)")
const findOrder = db.prepare('select id, amount, state from orders where id = ?')
// Changes a state only from the state that was expected. If two processes try the same change, only one succeeds.
const move = db.prepare('update orders set state = ? where id = ? and state = ?')
// Allows one cancellation to be sent. If its answer was lost, another one is allowed after a minute.
const beginRefund = db.prepare(`update orders set state = 'refunding', cancelSentAt = :now where id = :id
  and (state = 'paid' or (state = 'refunding' and cancelSentAt < :now - ${MINUTE_MS}))`)
const setRefunded = db.prepare("update orders set state = 'refunded' where id = ? and state in ('paid', 'refunding')")
// The key makes it impossible to ship an order twice.
const ship = db.prepare('insert into shipments values (?)')
const noteEvent = db.prepare('insert or ignore into events values (?)')

type Order = { id: string; amount: number; state: string }

/** Sends one call. @returns its status and `data`; undefined when the answer is missing or cannot be read, so that the outcome is unknown */
async function call(path: string, fields: Record<string, string>) {
  try {
    const answer = await fetch(env('BNPL_BASE_URL') + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${env('BNPL_API_KEY')}` },
      body: new URLSearchParams(fields),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await answer.text()
    if (answer.status >= 500) return undefined
    const retryAfterMs = Math.min(TIMEOUT_MS, Number(answer.headers.get('retry-after') ?? 0) * 1000)
    return { status: answer.status, retryAfterMs, data: answer.ok ? JSON.parse(text).data : undefined }
  } catch {
    return undefined
  }
}

/** Repeats a call that was refused for now (429): it was not carried out. A call with an unknown outcome is not repeated. */
async function callOnce(path: string, fields: Record<string, string>) {
  for (let attempt = 1; ; attempt++) {
    const answer = await call(path, fields)
    if (answer?.status !== 429 || attempt === ATTEMPTS) return answer
    await sleep(answer.retryAfterMs)
  }
}

/** Places an order: evaluates the customer and makes the address of the payment page. The RUT is not kept. */
async function placeOrder(shopUrl: string, asked: { rut: string; amount: number; email: string }) {
  const order = { id: randomUUID(), amount: asked.amount }
  insertOrder.run(order.id, order.amount, Date.now())
  const common = { externalTrxId: order.id, amount: String(order.amount), entityId: env('BNPL_ENTITY_ID') }
  const drop = () => {
    // Nobody has a payment address of this order, so it can never be paid. The customer may place another order.
    move.run('dropped', order.id, 'new')
    return { status: 502, body: { error: 'the payment cannot be prepared now; please try again' } }
  }
  const evaluated = await callOnce('/partner/pre-loan-request/bnpl', { ...common, idNumber: asked.rut })
  if (evaluated?.status === 422) {
    move.run('refused', order.id, 'new')
    return { status: 422, body: { error: 'paying in installments is not offered for this purchase' } }
  }
  if (!Array.isArray(evaluated?.data?.installmentOptions)) return drop()
  const widget = await callOnce('/partner/widget/start', { ...common, email: asked.email })
  const token: unknown = widget?.data?.widgetToken
  // A service that does not say `accepted` accepts a session by its token.
  if (widget?.data?.accepted === false || typeof token !== 'string') return drop()
  const back = `${shopUrl}/return/${order.id}`
  const query = { widgetToken: token, publicKey: env('BNPL_PUBLIC_KEY'), successReturnUrl: back, errorReturnUrl: back }
  // From here on the customer may pay the order, and `settle` verifies it.
  if (move.run('open', order.id, 'new').changes !== 1) return drop()
  return { status: 201, body: { id: order.id, payUrl: `${env('BNPL_PAYMENT_URL')}/?${new URLSearchParams(query)}` } }
}

/**
 * Asks the service about the loan of an order until it has one of these states. A verification changes nothing at the service, so it may be
 * repeated.
 * @returns the state of the loan, or `none` if there is no loan; undefined if no answer agrees with the order
 */
async function verify(order: Order, states: readonly string[]): Promise<string | undefined> {
  const path = `/partner/pre-approve/${encodeURIComponent(order.id)}/loan`
  let state: string | undefined
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const answer = await call(path, {})
    if (answer?.status === 404) return 'none'
    const loan = answer?.data
    if (loan?.externalTrxId === order.id && loan.loanAmount === order.amount) state = loan.state
    if (state !== undefined && states.includes(state)) return state
    if (attempt < ATTEMPTS) await sleep(answer?.retryAfterMs || 100 * attempt)
  }
  log(`order ${order.id}: its loan is ${state ?? 'not known'}, not ${states.join(' or ')}; settle asks again`)
  return state
}

/**
 * Asks the service whether an order is paid, and if so, ships it. The parameters of a return and the content of an event decide nothing.
 * @returns whether the service answered
 */
async function check(order: Order): Promise<boolean> {
  if (order.state === 'refunding') return (await verify(order, ['CANCELLED'])) === 'CANCELLED' && noteRefund(order)
  if (order.state !== 'open') return true
  const state = await verify(order, ['ACTIVE'])
  if (state === 'ACTIVE') pay(order)
  return state === 'ACTIVE' || state === 'none'
}

/** Marks an order as paid and ships it: both or neither, and only once. */
function pay({ id }: Order): void {
  db.exec('begin immediate')
  try {
    if (move.run('paid', id, 'open').changes === 1) ship.run(id)
    db.exec('commit')
  } catch (error) {
    db.exec('rollback')
    throw error
  }
}

/** Cancels the loan of a paid order, for an operator. Goods that were shipped stay shipped. @returns whether the order is refunded */
async function refund(order: Order): Promise<boolean> {
  if (order.state === 'refunded') return true
  if (order.state !== 'paid' && order.state !== 'refunding') fail(`order ${order.id} is not paid`)
  // The loan may be cancelled already, for example by a refund whose answer was lost.
  const before = await verify(order, ['ACTIVE', 'PAID', 'CANCELLED'])
  if (before === 'CANCELLED') return noteRefund(order)
  if (before !== 'ACTIVE' && before !== 'PAID') return false
  // It is on the disk before the call is sent that a loan may be cancelled.
  if (beginRefund.run({ id: order.id, now: Date.now() }).changes !== 1)
    fail(`the refund of order ${order.id} began less than a minute ago; run settle, and try again later`)
  const isRefused = await sendCancellation(order)
  const after = await verify(order, ['CANCELLED'])
  if (after === 'CANCELLED') return noteRefund(order)
  // After an unclear answer the order stays in its state, because the service may still be cancelling the loan.
  if (after === before && isRefused) move.run('paid', order.id, 'refunding')
  return false
}

/** Sends a cancellation, once. @returns whether the service certainly did not carry it out; false also if the outcome is unknown */
async function sendCancellation({ id }: Order): Promise<boolean> {
  const { BnplError, createClient } = await import('bnpl')
  await using client = createClient({
    baseUrl: env('BNPL_BASE_URL'),
    apiKey: env('BNPL_API_KEY'),
    timeoutMs: TIMEOUT_MS,
  })
  try {
    await client.cancelLoan(id, { signal: AbortSignal.timeout(2 * TIMEOUT_MS) })
    return false
  } catch (error) {
    log(`order ${id}: ${error instanceof Error ? error.message : error}`)
    return error instanceof BnplError && ['auth', 'not-found', 'rate-limited', 'refused'].includes(error.kind)
  }
}

/** Marks an order as refunded, after a verification has shown that its loan is cancelled. */
function noteRefund({ id }: Order): boolean {
  setRefunded.run(id)
  return true
}

/** Whether a delivery is genuine. The signature is a digest of the raw body, or `t=…,signature=…`: one of the time, a dot and the body. */
function isSigned(body: Buffer, { headers }: IncomingMessage): boolean {
  const sent = String(headers['service-signature'] ?? headers['bancame-signature'] ?? '')
  const [, time, digest = sent] = /^t=(\d+),signature=(\w+)$/.exec(sent) ?? []
  const signed = time === undefined ? [body] : [Buffer.from(`${time}.`), body]
  const given = Buffer.from(digest.toLowerCase())
  const right = Buffer.from(
    createHmac('sha256', env('BNPL_WEBHOOK_SECRET')).update(Buffer.concat(signed)).digest('hex'),
  )
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Receives a delivery: verifies its raw bytes, notes its eventId, answers at once, and verifies the order afterwards. */
async function receive(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
  if (!isSigned(body, request)) return answer(response, 401)
  const event = JSON.parse(body.toString())
  if (typeof event?.eventId !== 'string') return answer(response, 400)
  const isNew = noteEvent.run(event.eventId).changes === 1
  answer(response, 200)
  const order = isNew ? orderOf(event.data?.externalTrxId) : undefined
  if (order) await check(order)
}

async function serve(): Promise<void> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log(String(error))
      if (!response.headersSent) answer(response, error instanceof SyntaxError ? 400 : 500)
    })
  })
  server.listen(Number(process.env.PORT ?? 0), '127.0.0.1')
  await once(server, 'listening')
  const shopUrl = process.env.SHOP_URL ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.stdout.write(`${shopUrl}\n`)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray())
    const [, page, id] = (request.url ?? '/').split('?')[0]?.split('/') ?? []
    const what = `${request.method} /${page}`
    if (what === 'POST /webhooks') return receive(request, response, body)
    if (what === 'POST /orders') {
      const asked = JSON.parse(body.toString())
      const isOrder =
        typeof asked?.rut === 'string' && typeof asked.email === 'string' && Number.isSafeInteger(asked.amount)
      if (!isOrder) return answer(response, 400)
      const placed = await placeOrder(shopUrl, asked)
      return answer(response, placed.status, placed.body)
    }
    const order = orderOf(id)
    if (order === undefined || !/^GET \/(orders|return)$/.test(what)) return answer(response, 404)
    if (page === 'return') await check(order)
    const state = orderOf(id)?.state
    answer(response, 200, { id: order.id, paid: state === 'paid', refunded: state === 'refunded' })
  }
}

/** Verifies every order that may be paid, or whose refund was not completed. @returns whether each of them is settled */
async function settle(): Promise<boolean> {
  // An evaluation whose outcome is unknown cannot be looked up, and nobody can pay its order.
  db.exec("update orders set state = 'dropped' where state = 'new'")
  const open = db
    .prepare("select id, amount, state from orders where state in ('open', 'refunding')")
    .all() as unknown as Order[]
  let all = true
  for (const order of open) all = (await check(order)) && all
  return all
}

const LIST = `select id as externalTrxId, state, count(orderId) as fulfilled
  from orders left join shipments on orderId = id group by id order by createdAt, id`

function printOrders(): void {
  for (const { externalTrxId, state, fulfilled } of db.prepare(LIST).iterate()) {
    // An order is paid until its loan is known to be cancelled.
    const row = {
      externalTrxId,
      paid: state === 'paid' || state === 'refunding',
      fulfilled,
      refunded: state === 'refunded',
    }
    process.stdout.write(`${JSON.stringify(row)}\n`)
  }
}

const orderOf = (id: unknown) => (typeof id === 'string' ? (findOrder.get(id) as Order | undefined) : undefined)
const log = (text: string) => process.stderr.write(`${text}\n`)

function answer(response: ServerResponse, status: number, body: unknown = {}): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function fail(message: string): never {
  throw new Error(message)
}

const [what, id] = process.argv.slice(2)
if (what === 'serve') await serve()
else if (what === 'orders') printOrders()
else if (what === 'settle') process.exitCode = (await settle()) ? 0 : 1
else if (what === 'refund') process.exitCode = (await refund(orderOf(id) ?? fail('there is no such order'))) ? 0 : 1
else fail('usage: shop.ts serve|orders|settle|refund ORDER')
