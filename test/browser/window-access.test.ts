import { expect } from 'vitest'
import { commandLines, complaints } from '../kit/command-lines.ts'
import { isTooWide, violations } from './axe.ts'
import { dress, type Look, SCHEME_NAMES, WIDTHS } from './view.ts'
import { test } from './window-fixtures.ts'
import { openServer } from './window-kit.ts'
import { eachWindowView, PARTS } from './window-views.ts'

const furnished = test.extend('enterFurnished', async ({ kit, person }, { onCleanup }) => {
  const receiver = await openServer((request, response) => {
    request.resume()
    response.writeHead(500).end('no')
  })
  onCleanup(() => receiver[Symbol.asyncDispose]())
  await kit.control('snapshotSave', { name: 'mark' })
  await kit.call('/partner/webhook', { url: `${receiver.url}/hook` })
  for (const [trx, rut] of [
    ['refused', '11111111-1'],
    ['open', '11222333-9'],
    ['paid', '11222333-9'],
  ] as const) {
    await kit.evaluate(trx, { rut })
  }
  await kit.payAddress('open', `${kit.baseUrl}/`)
  await kit.control('pay', { externalTrxId: 'paid' })
  await kit.control('lead', { now: true })
  await kit.control('faultAdd', { endpoint: 'select', cut: true })
  return async () => kit.enter(await person({ locale: 'es-CL' }))
})

/** One view for each pair of a width and a scheme. `npm run axe` examines every view in every pair and language. */
const SAMPLE = [
  'payments',
  'leads',
  'webhooks',
  'payments-open-order-1005',
  'payments-open-order-1006',
  'requests-open-422',
  'webhooks-open',
  'changes-open',
  'payments-new',
  'webhooks-settings',
  'controls-wrong-with-commands',
  'controls-dialog-reset',
  'away',
]

test('axe finds nothing in the views of the window, and nothing is wider than the page', async ({ browser }) => {
  const found: string[] = []
  const seen: string[] = []
  const wants = (view: string) => SAMPLE.includes(view)
  const look: Look = async (page, view) => {
    if (!wants(view)) return
    const at = SAMPLE.indexOf(view)
    seen.push(view)
    const [width = 0, scheme = 'light'] = [WIDTHS[at % WIDTHS.length], SCHEME_NAMES[at % SCHEME_NAMES.length]]
    await dress(page, width, scheme)
    for (const each of await violations(page)) found.push(`${view} ${width} ${scheme}: ${each}`)
    if (await isTooWide(page)) found.push(`${view} ${width}: too wide`)
  }
  await eachWindowView(browser, 'es', look, wants)
  expect(found).toEqual([])
  expect(seen.sort()).toEqual([...SAMPLE].sort())
})

furnished(
  'every control that changes something has its command beside it, and each command can be typed',
  async ({ kit, enterFurnished }) => {
    const page = await enterFurnished()
    const lines = new Set<string>()
    const read = async () => {
      for (const text of await page.locator('.command code').allTextContents()) lines.add(text.replace('$ ', ''))
      // A control that only changes what the page shows needs no command.
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
