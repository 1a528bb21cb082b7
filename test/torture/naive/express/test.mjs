// The customer buys: bnpl sandbox run --customer -- node test.mjs
import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const { BNPL_BASE_URL, BNPL_API_KEY } = process.env

const server = spawn(process.execPath, ['shop.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] })
const shop = String(await once(server.stdout, 'data')).trim()
server.stdout.pipe(process.stdout)
try {
  await fetch(`${BNPL_BASE_URL}/partner/webhook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BNPL_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${shop}/webhooks` }),
  })
  const form = new URLSearchParams({ rut: '11222333-9', email: 'ana@example.com' })
  const page = await fetch(`${shop}/checkout`, { method: 'POST', body: form })
  assert.match(await page.text(), /Thank you/)
} finally {
  server.kill()
}
