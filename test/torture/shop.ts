/**
 * A small shop that is right, as three programs: `buy` starts its server, lets a customer buy and ends; `settle` asks about open orders;
 * `orders` lists them. Its orders are in a file of BNPL_RUN_DIR.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

interface Order {
  externalTrxId: string
  amount: number
  installments: number
  state: 'new' | 'paying' | 'dropped'
  paid: boolean
  fulfilled: number
}

const {
  BNPL_BASE_URL: base,
  BNPL_PAYMENT_URL: paymentUrl,
  BNPL_API_KEY: key,
  BNPL_PUBLIC_KEY: publicKey = '',
  BNPL_ENTITY_ID: entityId = '',
  BNPL_WEBHOOK_SECRET: secret = '',
  BNPL_RUN_DIR: folder = '.',
} = process.env

const file = `${folder}/orders.json`
interface Kept {
  orders: Record<string, Order>
  events: string[]
}
function load(): Kept {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { orders: {}, events: [] }
  }
}
function change(work: (kept: Kept) => void): void {
  const kept = load()
  work(kept)
  writeFileSync(`${file}.new`, JSON.stringify(kept))
  renameSync(`${file}.new`, file)
}

/** The answer of the service. Throws when there is none, or it cannot be read. */
async function call(method: string, path: string, fields: Record<string, string> = {}) {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(method === 'POST' && { body: new URLSearchParams(fields) }),
      signal: AbortSignal.timeout(1_500),
    })
    // With 429 nothing was done, so that every call may be sent again.
    if (answer.status === 429 && tries < 3) {
      await sleep(Math.min(2, Number(answer.headers.get('retry-after') ?? 1)) * 1_000)
      continue
    }
    if (!answer.ok) return { status: answer.status, data: undefined }
    return { status: answer.status, data: JSON.parse(await answer.text()).data }
  }
}

/** Asks the service whether an order is paid, and fulfils it. @returns undefined when the service did not say */
async function confirm(id: string): Promise<boolean | undefined> {
  const order = load().orders[id]
  if (order === undefined) return false
  if (order.paid) return true
  for (let tries = 1; tries <= 3; tries++) {
    try {
      const { status, data } = await call('POST', `/partner/pre-approve/${id}/loan`)
      if (status === 404) return false
      if (status === 200 && isLoanOf(data, order)) {
        fulfil(id)
        return true
      }
    } catch {
      // It only reads, so ask again.
    }
    await sleep(100)
  }
  return undefined
}

function fulfil(id: string): void {
  change(({ orders }) => {
    const mine = orders[id]
    if (mine === undefined || mine.paid) return
    mine.paid = true
    mine.fulfilled += 1
  })
}

const isLoanOf = (loan: Record<string, unknown>, { externalTrxId, amount, installments }: Order) =>
  loan.externalTrxId === externalTrxId &&
  loan.loanAmount === amount &&
  loan.periods === installments &&
  loan.state === 'ACTIVE'

function isSigned(body: Buffer, signature: unknown): boolean {
  const right = createHmac('sha256', secret).update(body).digest('hex')
  return (
    typeof signature === 'string' &&
    signature.length === 64 &&
    timingSafeEqual(Buffer.from(signature), Buffer.from(right))
  )
}

async function receive(body: Buffer, signature: unknown): Promise<number> {
  if (!isSigned(body, signature)) return 401
  const { eventId, data } = JSON.parse(body.toString('utf8'))
  if (load().events.includes(eventId)) return 200
  if (load().orders[data.externalTrxId] === undefined) return 200
  if ((await confirm(data.externalTrxId)) !== true) return 503
  change(({ events }) => events.push(eventId))
  return 200
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const url = new URL(String(request.url), 'http://shop')
  if (url.pathname === '/webhook' && request.method === 'POST') {
    response.statusCode = await receive(Buffer.concat(chunks), request.headers['service-signature'])
  } else if (url.pathname === '/return') {
    await confirm(url.searchParams.get('order') ?? '')
  } else response.statusCode = 404
  response.end()
})

async function buy(): Promise<boolean> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const shop = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  await call('POST', '/partner/webhook', { url: `${shop}/webhook` }).catch(() => {})
  const order: Order = {
    externalTrxId: 'A-1',
    amount: 250_000,
    installments: 6,
    state: 'new',
    paid: false,
    fulfilled: 0,
  }
  const { externalTrxId, amount, installments } = order
  change(({ orders }) => {
    orders[externalTrxId] = order
  })
  const said = { externalTrxId, amount: String(amount) }
  try {
    const evaluated = await call('POST', '/partner/pre-loan-request/bnpl', {
      ...said,
      idNumber: '11111111-1',
      entityId,
    })
    const { preApproveId } = evaluated.data
    const chosen = { ...said, preApproveId, installmentOption: String(installments) }
    const selected = await call('POST', '/partner/pre-loan-request/loan-request', chosen)
    if (selected.data === undefined) throw new Error('not selected')
    const started = await call('POST', '/partner/widget/start', { ...said, entityId, email: 'ana@example.com' })
    const { widgetToken } = started.data
    change(({ orders }) => {
      orders[externalTrxId] = { ...order, state: 'paying' }
    })
    const back = `${shop}/return?order=${externalTrxId}`
    const query = new URLSearchParams({ widgetToken, publicKey, successReturnUrl: back, errorReturnUrl: back })
    // The customer: the page leads back at once.
    await fetch(`${paymentUrl}/?${query}`)
  } catch (error) {
    // Whether it was evaluated is not known, and cannot be asked: the customer has to begin again.
    log('dropped:', error instanceof Error ? error.name : '')
    change(({ orders }) => {
      const mine = orders[externalTrxId]
      if (mine?.state === 'new') mine.state = 'dropped'
    })
    return false
  }
  for (let waited = 0; waited < 3_000 && !load().orders[externalTrxId]?.paid; waited += 50) await sleep(50)
  // The event comes too, a moment after the customer.
  for (let waited = 0; waited < 600 && load().events.length === 0; waited += 50) await sleep(50)
  await sleep(100)
  return load().orders[externalTrxId]?.paid ?? false
}

async function settle(): Promise<boolean> {
  let known = true
  for (const { externalTrxId, state, paid } of Object.values(load().orders))
    if (state === 'paying' && !paid && (await confirm(externalTrxId)) === undefined) known = false
  return known
}

const log = (...words: unknown[]) => process.stderr.write(`${words.join(' ')}\n`)

const [, , word] = process.argv
if (word === 'orders')
  for (const { externalTrxId, paid, fulfilled, amount, installments } of Object.values(load().orders))
    process.stdout.write(`${JSON.stringify({ externalTrxId, paid, fulfilled, amount, installments })}\n`)
else if (word === 'settle') process.exitCode = (await settle()) ? 0 : 1
else {
  process.exitCode = (await buy()) ? 0 : 1
  server.close()
  server.closeAllConnections()
}
