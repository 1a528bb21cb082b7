import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBrowser } from './chromium.ts'
import { openServer, openWindowKit, person, type WindowKit } from './window-kit.ts'

let browser: Browser
let kit: WindowKit
let receiver: Awaited<ReturnType<typeof openServer>>
beforeAll(async () => {
  browser = await startBrowser()
  kit = await openWindowKit()
  receiver = await openServer((request, response) => {
    request.resume()
    response.writeHead(500).end('no')
  })
  await kit.call('/partner/webhook', { url: `${receiver.url}/hook` })
  for (const [trx, rut] of [
    ['refused', '22222222-2'],
    ['open', '11111111-1'],
    ['paid', '11111111-1'],
  ] as const) {
    await kit.evaluate(trx, { rut })
  }
  await kit.payAddress('open', `${kit.baseUrl}/`)
  await kit.control('pay', { externalTrxId: 'paid' })
  await kit.control('lead', { now: true })
  await kit.control('faultAdd', { endpoint: 'select', cut: true })
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await receiver?.[Symbol.asyncDispose]()
  await kit?.[Symbol.asyncDispose]()
})

const PARTS = ['payments', 'leads', 'requests', 'webhooks', 'controls']

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)('%s, %i px: axe finds nothing, and nothing is wider than the page', async (colorScheme, width) => {
  const context = await person(browser, { colorScheme, viewport: { width, height: 860 }, locale: 'es-CL' })
  const page = await kit.enter(context)
  await page.evaluate(axe.source)
  for (const part of PARTS) {
    await page.goto(`${kit.baseUrl}/#/${part}`)
    await page
      .locator(part === 'controls' ? '.account' : 'a.row')
      .first()
      .waitFor()
    expect([part, await violations(page), await isTooWide(page)]).toEqual([part, [], false])
    if (part === 'controls') continue
    await page.locator('a.row').first().click()
    await page.locator('.detail h2').waitFor()
    expect([part, 'open', await violations(page), await isTooWide(page)]).toEqual([part, 'open', [], false])
  }
  await context.close()
})

async function violations(page: Page): Promise<string[]> {
  const results = await page.evaluate(() => Reflect.get(window, 'axe').run() as Promise<axe.AxeResults>)
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
