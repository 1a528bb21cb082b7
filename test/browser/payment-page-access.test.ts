import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WIDGET_TOKEN_LIFE_MS } from '../../src/contract/time-limits.ts'
import { startBrowser } from './chromium.ts'
import { openShop } from './shop.ts'

let browser: Browser
let context: BrowserContext
let page: Page
let shop: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([startBrowser(), openShop()])
}, 60_000)
beforeEach(async () => {
  context = await browser.newContext({
    // The narrowest phone there is; a wide screen is looked at too.
    viewport: { width: 320, height: 640 },
    locale: 'es-CL',
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  // After ten seconds a result goes back to the shop. It stays while it is looked at, as after an answer without a page.
  await page.route(`${shop.origin}/**`, (route) => route.fulfill({ status: 204 }))
})
afterEach(() => context.close())
afterAll(async () => {
  await browser?.close()
  await shop?.[Symbol.asyncDispose]()
})

/** A token for a transaction of its own. */
let transactions = 0
const token = (options?: { rut: string }) => shop.token(`pedido-${++transactions}`, options)
/** Presses a button that leads to another page, and waits for that page with its styles: a page without them has other sizes. */
async function press(name: RegExp): Promise<void> {
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name }).click()
  await loaded
}
const embedded = (widgetToken: string) =>
  `${shop.pay.baseUrl}/pay/embed?${new URLSearchParams({ widgetToken, publicKey: shop.kit.bnpl.publicKey, parentOrigin: shop.origin })}`

/** Every page there is, and how a customer comes to it. */
const PAGES: Record<string, () => Promise<unknown>> = {
  payment: async () => page.goto(shop.address(await token())),
  'a payment in English': async () => page.goto(`${shop.address(await token())}&lang=en`),
  'a payment of the largest amount by a long name': async () => {
    const name = 'Comercializadora-e-Importadora-de-Electrodomésticos SpA'
    const rename = (from: string, to: string) =>
      shop.kit.store.db.updateTable('partners').set({ name: to }).where('name', '=', from).execute()
    await rename(shop.kit.bnpl.name, name)
    await page.goto(shop.address(await shop.token('x'.repeat(64), { amount: 50_000_000 })))
    await rename(name, shop.kit.bnpl.name)
  },
  'a plan already chosen': async () => {
    const { preApproveId } = (await shop.kit.evaluate('elegido')).data
    const form = { preApproveId, installmentOption: '6', externalTrxId: 'elegido', amount: '250000' }
    await shop.kit.send('POST', '/partner/pre-loan-request/loan-request', { form })
    return page.goto(shop.address((await shop.kit.startWidget('elegido')).data.widgetToken))
  },
  'a plan that is not on offer': async () => {
    await page.goto(shop.address(await token()))
    await page.locator('input[type=radio]:checked').evaluate((radio) => radio.setAttribute('value', '5'))
    return press(/^Confirmar/)
  },
  'time is up': async () => {
    await page.clock.install()
    await page.goto(shop.address(await token()))
    await page.clock.runFor(WIDGET_TOKEN_LIFE_MS)
  },
  'the last seconds': async () => {
    await page.clock.install()
    await page.goto(shop.address(await token()))
    await page.clock.runFor(WIDGET_TOKEN_LIFE_MS - 20_000)
  },
  paid: async () => {
    await page.goto(shop.address(await token()))
    await press(/^Confirmar/)
  },
  rejected: async () => {
    await page.goto(shop.address(await token({ rut: '77777777-7' })))
    await press(/^Confirmar/)
  },
  cancelled: async () => {
    await page.goto(shop.address(await token()))
    await press(/^Cancelar/)
  },
  'a forged token': () => page.goto(shop.address('x.y.z')),
  'an expired token': async () => {
    const address = shop.address(await token())
    shop.kit.clock.advance(WIDGET_TOKEN_LIFE_MS + 1)
    return page.goto(address)
  },
  'bad addresses': () =>
    page.goto(shop.address('', { publicKey: '', successReturnUrl: `javascript:${'x'.repeat(300)}` })),
  'no such page': () => page.goto(`${shop.pay.baseUrl}/pay/nothing`),
  'the widget': async () => page.goto(embedded(await token())),
  'a payment that ended in the widget': async () => {
    await page.goto(embedded(await token()))
    await press(/^Confirmar/)
  },
}

test.each(Object.entries(PAGES))(
  '%s: nothing for axe to find in light or dark, nothing cut off, nothing too small',
  async (_, open) => {
    await open()
    await page.locator('main').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await smallTargets()).toEqual([])
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    await page.evaluate(axe.source)
    expect(await violations({})).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations({ runOnly: ['color-contrast'] })).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
  },
)

/** What a finger would miss: controls under 44 px. A plan's target is its whole row. */
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

async function violations(options: axe.RunOptions): Promise<string[]> {
  const result = await page.evaluate(
    (given) => Reflect.get(window, 'axe').run(given) as Promise<axe.AxeResults>,
    options,
  )
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

test('the focused element is visible', async () => {
  await page.goto(shop.address(await token()))
  const seen: string[] = []
  for (let presses = 0; presses < 4; presses++) {
    await page.keyboard.press('Tab')
    seen.push(
      await page.evaluate(() => {
        const focused = document.activeElement
        const shown = focused?.closest('.plan') ?? focused
        return shown === null ? '' : `${shown.className} ${getComputedStyle(shown).outlineWidth}`
      }),
    )
  }
  expect(seen).toEqual(['language 3px', 'plan 3px', 'primary 3px', 'quiet 3px'])
})

test('nothing moves for readers who prefer reduced motion', async () => {
  await page.goto(shop.address(await token()))
  await press(/^Confirmar/)
  await page.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect(await page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(0)
})
