/** The shop's own test: a customer buys. With `refund`, an operator then refunds the order. `bnpl sandbox run --customer -- node test.ts refund` */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('shop.ts', import.meta.url))

// The shop that runs at SHOP_URL, or one that this test starts.
const shop = process.env.SHOP_URL === undefined ? startShop() : undefined
try {
  const url = process.env.SHOP_URL ?? String(await shop?.url).trim()
  await register(`${url}/webhooks`)
  const buy = () =>
    fetch(`${url}/orders`, {
      method: 'POST',
      body: JSON.stringify({ rut: '11222333-9', amount: 250_000, email: 'ana@example.com' }),
    })
  let placed = await patiently(buy)
  // After a 502 the customer tries again.
  if (placed.status === 502) placed = await buy()
  assert.equal(placed.status, 201)
  const { id, payUrl } = (await placed.json()) as { id: string; payUrl: string }
  // The payment page pays and redirects to the shop.
  await patiently(async () => (await fetch(payUrl)).text())
  let paid = false
  for (const end = Date.now() + 5_000; Date.now() < end && !paid; ) {
    paid = (await seen(url, id)).paid
    if (!paid) await sleep(50)
  }
  assert.equal(paid, true, `order ${id} is not paid`)
  if (process.argv[2] === 'refund') {
    // The operator runs the command a second time, which changes nothing.
    for (const time of ['first', 'second']) {
      const { status } = spawnSync(process.execPath, [program, 'refund', id], { stdio: 'inherit' })
      assert.equal(status, 0, `the ${time} refund of order ${id} failed`)
      assert.deepEqual(await seen(url, id), { id, paid: false, refunded: true })
    }
  }
} finally {
  shop?.process.kill()
}

function startShop() {
  const server = spawn(process.execPath, [program, 'serve'], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { process: server, url: once(server.stdout, 'data') }
}

/** Returns an order as the shop shows it. */
function seen(url: string, id: string): Promise<{ paid: boolean; refunded: boolean }> {
  return patiently(
    async () => (await (await fetch(`${url}/orders/${id}`)).json()) as { paid: boolean; refunded: boolean },
  )
}

/** Asks the shop as a customer does: repeats the request while there is no answer, because the shop is starting again. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      if (attempt === 20) throw error
      await sleep(100)
    }
  }
}

/** Registers the address for deliveries. If the outcome of a registration is unknown, the list shows whether it was made. */
async function register(url: string): Promise<void> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const destinations = await call('GET')
    if (destinations?.some((each) => each.url === url)) return
    if (destinations) await call('POST', JSON.stringify({ url }))
    else await sleep(500 * attempt)
  }
}

async function call(method: string, body?: string): Promise<{ url: string }[] | undefined> {
  try {
    const answer = await fetch(`${process.env.BNPL_BASE_URL}/partner/webhook`, {
      method,
      headers: { authorization: `Bearer ${process.env.BNPL_API_KEY}`, 'content-type': 'application/json' },
      ...(body && { body }),
      signal: AbortSignal.timeout(5_000),
    })
    return answer.ok ? ((await answer.json()) as { data: { url: string }[] }).data : undefined
  } catch {
    return undefined
  }
}
