// The customer buys: bnpl sandbox run --customer -- node test.mjs
import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const { BNPL_BASE_URL, BNPL_API_KEY, SHOP_URL } = process.env

// The shop that runs at SHOP_URL, or one that this test starts.
const server = SHOP_URL ? undefined : spawn(process.execPath, ['shop.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] })
const shop = SHOP_URL ?? String(await once(server.stdout, 'data')).trim()
server?.stdout.pipe(process.stdout)

// The customer reloads the page while there is no answer.
async function open(url, options) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(url, options)
    } catch (error) {
      if (attempt === 20) throw error
      await sleep(100)
    }
  }
}

try {
  await fetch(`${BNPL_BASE_URL}/partner/webhook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BNPL_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${shop}/webhooks` }),
  })
  const form = new URLSearchParams({ rut: '11222333-9', email: 'ana@example.com' })
  const placed = await open(`${shop}/checkout`, { method: 'POST', body: form, redirect: 'manual' })
  assert.strictEqual(placed.status, 302)
  const page = await open(placed.headers.get('location'))
  assert.match(await page.text(), /Thank you/)
} finally {
  server?.kill()
}
