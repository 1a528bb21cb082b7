import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/contract/languages.ts'
import { otherLanguages, TEXTS } from '../../src/sandbox/languages/languages.ts'
import { violations } from './axe.ts'
import { startBrowser } from './chromium.ts'
import { cutTexts, style } from './cut-texts.ts'
import { PAYMENT_STATES } from './page-views.ts'
import { openShop } from './shop.ts'

let browser: Browser
let context: BrowserContext
let page: Page
let shop: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([startBrowser(), openShop()])
})
beforeEach(async () => {
  context = await browser.newContext({
    // As narrow as the narrowest phone. Another test looks at a wide screen.
    viewport: { width: 320, height: 640 },
    locale: 'es-CL',
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  // After ten seconds a result returns to the shop. The answer 204 has no page, so the result stays on the screen while it is examined.
  await page.route(`${shop.origin}/**`, (route) => route.fulfill({ status: 204 }))
})
afterEach(() => context.close())
afterAll(async () => {
  await browser?.close()
  await shop?.[Symbol.asyncDispose]()
})

/** Presses a button that leads to another page, and waits until that page has its styles, because without them it has other sizes. */
async function press(name: RegExp): Promise<void> {
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name }).click()
  await loaded
}

test.each(Object.entries(PAYMENT_STATES))(
  '%s: axe finds nothing in light or dark, no text is cut off with text at 200 %, no control is below 44 px',
  async (_, open) => {
    await open({ page, shop, texts: TEXTS.es.page })
    await page.locator('main').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await smallTargets()).toEqual([])
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await violations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, { runOnly: ['color-contrast'] })).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
    // The header has one width, so that its logo stays in its place from the payment to the result.
    expect((await page.locator('.brand').boundingBox())?.x).toBe(page.url().includes('/pay/embed') ? 400 : 170)
    // WCAG 1.4.4: text alone at 200 %.
    await style(page, ':root { font-size: 32px }')
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      expect([await page.evaluate(() => document.documentElement.scrollWidth), await cutTexts(page)]).toEqual([
        width,
        [],
      ])
    }
  },
)

/** Returns the controls smaller than 44 px, which a finger would miss. Of a plan the whole row can be pressed. */
function smallTargets(): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('a, button, label.plan')]
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect()
        return width < 44 || height < 44
      })
      .map((element) => element.outerHTML),
  )
}

test('every element that Tab reaches has an outline of 3 px', async () => {
  await page.goto(shop.address(await shop.token('pedido')))
  const seen: string[] = []
  for (let presses = 0; presses < LANGUAGES.length + 2; presses++) {
    await page.keyboard.press('Tab')
    seen.push(
      await page.evaluate(() => {
        const focused = document.activeElement
        const shown = focused?.closest('.plan') ?? focused
        return shown === null ? '' : `${shown.className} ${getComputedStyle(shown).outlineWidth}`
      }),
    )
  }
  expect(seen).toEqual([...otherLanguages('es').map(() => 'language 3px'), 'plan 3px', 'primary 3px', 'quiet 3px'])
})

test('nothing moves for users who prefer reduced motion', async () => {
  await page.goto(shop.address(await shop.token('otro')))
  await press(/^Confirmar/)
  await page.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect(await page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(0)
})
