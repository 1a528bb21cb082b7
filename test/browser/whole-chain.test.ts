import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lastingPort } from '../kit/lasting-port.ts'
import { program, until } from '../kit/program.ts'
import { startBrowser } from './chromium.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** Starts a merchant's own handler, to which the listener forwards. */
async function handler() {
  const got: { body: string; headers: Record<string, unknown> }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      got.push({ body, headers: request.headers })
      response.end()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    got,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

test('the whole chain: a payment on the page is delivered, its signature is verified, and the event is forwarded and equals the loan', async () => {
  await using p = program()
  await using shop = await handler()
  await p.sandbox('--allow-http')
  // The port must be known before the listener starts, because it is part of the address that the listener registers.
  const port = await lastingPort()
  const readyFile = join(p.dir, 'listening.json')
  const listener = p.start(
    `webhooks listen -p sandbox --port ${port} --public-url http://127.0.0.1:${port}/hook --forward-to ${shop.url} --until 1 --ready-file ${readyFile} --json`,
  )
  await until(() => existsSync(readyFile), listener)
  const registered = await p.run('webhooks list -p sandbox --json')
  expect(JSON.parse(registered.stdout)).toMatchObject([
    { url: `http://127.0.0.1:${port}/hook`, verificationScheme: 'HMAC' },
  ])

  await p.run('evaluate -p sandbox --rut 11222333-9 --amount 180000 --trx chain-1')
  const page = await browser.newPage({ locale: 'en' })
  const back = 'http://127.0.0.1:1'
  const url = await p.run(
    `pay-url -p sandbox --trx chain-1 --email ana@example.com --success-url ${back}/ok --error-url ${back}/no`,
  )
  await page.goto(url.stdout.trim())
  await page.getByRole('button', { name: /confirm/i }).click()
  await page.getByRole('heading', { name: 'Payment approved' }).waitFor()

  const ended = await listener.ended
  expect(ended).toMatchObject({ code: 0 })
  const event = JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '')
  expect(event).toMatchObject({ eventId: expect.any(String) })
  const loan = JSON.parse((await p.run('verify chain-1 -p sandbox --json')).stdout)
  const [forwarded] = shop.got
  const envelope = JSON.parse(forwarded?.body ?? '')
  expect(envelope.eventId).toBe(event.eventId)
  expect(envelope.data).toMatchObject(loan)
  // The listener has removed the destination that it registered.
  expect(JSON.parse((await p.run('webhooks list -p sandbox --json')).stdout)).toEqual([])
  await page.close()
})
