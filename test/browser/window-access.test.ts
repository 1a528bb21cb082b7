import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from './window-fixtures.ts'
import { openServer } from './window-kit.ts'

const furnished = test.extend('enterFurnished', async ({ kit, person }, { onCleanup }) => {
  const receiver = await openServer((request, response) => {
    request.resume()
    response.writeHead(500).end('no')
  })
  onCleanup(() => receiver[Symbol.asyncDispose]())
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
  return async (colorScheme: 'light' | 'dark', width: number) =>
    kit.enter(await person({ colorScheme, viewport: { width, height: 860 }, locale: 'es-CL' }))
})

const PARTS = ['payments', 'leads', 'requests', 'webhooks', 'controls']

furnished.for([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)(
  '%s, %i px: axe finds nothing, and nothing is wider than the page',
  async ([colorScheme, width], { kit, enterFurnished }) => {
    const page = await enterFurnished(colorScheme, width)
    await page.evaluate(axe.source)
    for (const part of PARTS) {
      await kit.turn(page, part)
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
  },
)

async function violations(page: Page): Promise<string[]> {
  const results = await page.evaluate(() => Reflect.get(window, 'axe').run() as Promise<axe.AxeResults>)
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
