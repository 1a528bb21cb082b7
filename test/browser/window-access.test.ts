import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { commandLines, complaints } from '../command-lines.ts'
import { test } from './window-fixtures.ts'
import { openServer } from './window-kit.ts'

const furnished = test.extend('enterFurnished', async ({ kit, person }, { onCleanup }) => {
  const receiver = await openServer((request, response) => {
    request.resume()
    response.writeHead(500).end('no')
  })
  onCleanup(() => receiver[Symbol.asyncDispose]())
  await kit.control('snapshotSave', { name: 'mark' })
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

const PARTS = ['payments', 'leads', 'requests', 'webhooks', 'changes', 'controls']

furnished.for([
  ['light', 1280],
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

furnished(
  'whatever can be pressed has its command beside it, and each can be typed',
  async ({ kit, enterFurnished }) => {
    const page = await enterFurnished('light', 1280)
    const lines = new Set<string>()
    const read = async () => {
      for (const text of await page.locator('.command code').allTextContents()) lines.add(text.replace('$ ', ''))
      // What changes only what is looked at needs none.
      const without = await page
        .locator('.card:visible, .part:visible, .toolbar:visible, .retries:visible')
        .evaluateAll((places) =>
          places
            .filter((place) =>
              place.querySelector('button[type="submit"], button.primary, button.danger, .buttons button'),
            )
            .filter((place) => place.querySelector('.command, .line') === null)
            .map((place) => place.textContent),
        )
      expect(without).toEqual([])
    }
    for (const part of PARTS) {
      await kit.turn(page, part)
      const rows = page.locator('a.row')
      await (part === 'controls' ? page.locator('.account') : rows).first().waitFor()
      if (part === 'payments') {
        await page.getByRole('button', { name: 'Nuevo pago' }).click()
        await page.getByLabel('Cliente').locator('option').first().waitFor({ state: 'attached' })
      }
      await read()
      for (const row of part === 'controls' ? [] : await rows.all()) {
        const address = await row.getAttribute('href')
        await row.click()
        await page.locator(`.detail[data-of="${address}"] h2`).waitFor()
        await read()
      }
    }
    expect(lines.size).toBeGreaterThan(20)
    for (const line of lines) {
      const [words = []] = commandLines(`\`\`\`sh\n${line}\n\`\`\`\n`)
      expect([line, await complaints(words)]).toEqual([line, []])
    }
  },
)

async function violations(page: Page): Promise<string[]> {
  const results = await page.evaluate(() => Reflect.get(window, 'axe').run() as Promise<axe.AxeResults>)
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
