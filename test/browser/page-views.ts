import type { Browser, Page } from 'playwright-core'
import type { Language } from '../../src/contract/languages.ts'
import { WIDGET_TOKEN_LIFE_MS } from '../../src/contract/time-limits.ts'
import { TEXTS } from '../../src/sandbox/languages/languages.ts'
import { shopPage } from '../../src/sandbox/page/shop-page.ts'
import { openShop } from './shop.ts'
import type { Look } from './view.ts'
import { openServer } from './window-kit.ts'

type Shop = Awaited<ReturnType<typeof openShop>>

/** A merchant's page with the widget in it; the token comes in the address. */
export const HOST_PAGES: Readonly<Record<string, string>> = {
  '/host':
    `<!doctype html><html lang="{language}"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>checkout</title><main><h1>Checkout</h1><div id="pay"></div></main>
<script src="{pay}/widget.js"></script>
<script>
  const { token, key } = Object.fromEntries(new URLSearchParams(location.search))
  BnplWidget.mount({ token, publicKey: key, element: '#pay', onSuccess() {} })
</script>`.replace('{language}', 'es'),
}

/** How a customer comes to each state of the payment page, by its name. Each needs a page of its own. */
export function paymentStates(
  shop: Shop,
  language: Language = 'es',
): Readonly<Record<string, (page: Page) => Promise<unknown>>> {
  const texts = TEXTS[language].page
  const token = (options?: { rut: string }) => shop.token(`pedido-${++transactions}`, options)
  const confirm = (page: Page) => page.locator('[data-confirm-button]').click()
  const embedded = (widgetToken: string) =>
    `${shop.pay.baseUrl}/pay/embed?${new URLSearchParams({ widgetToken, publicKey: shop.kit.bnpl.publicKey, parentOrigin: shop.origin })}`
  /** A result is shown for as long as it is looked at: the time until the page goes back stands still. */
  const ended = async (page: Page, address: string, press = confirm) => {
    await page.clock.setFixedTime(new Date())
    await page.goto(address)
    await press(page)
    await page.locator('.result h1').waitFor()
  }
  return {
    payment: async (page) => page.goto(shop.address(await token())),
    'a payment of the largest amount by a long name': async (page) => {
      const name = 'Comercializadora-e-Importadora-de-Electrodomésticos SpA'
      const rename = (from: string, to: string) =>
        shop.kit.store.db.updateTable('partners').set({ name: to }).where('name', '=', from).execute()
      await rename(shop.kit.bnpl.name, name)
      await page.goto(shop.address(await shop.token(String(++transactions).padStart(64, 'x'), { amount: 50_000_000 })))
      await rename(name, shop.kit.bnpl.name)
    },
    'a plan already chosen': async (page) => {
      const externalTrxId = `elegido-${++transactions}`
      const { preApproveId } = (await shop.kit.evaluate(externalTrxId)).data
      const form = { preApproveId, installmentOption: '6', externalTrxId, amount: '250000' }
      await shop.kit.send('POST', '/partner/pre-loan-request/loan-request', { form })
      return page.goto(shop.address((await shop.kit.startWidget(externalTrxId)).data.widgetToken))
    },
    'a plan that is not on offer': async (page) => {
      await page.goto(shop.address(await token()))
      await page.locator('input[type=radio]:checked').evaluate((radio) => radio.setAttribute('value', '5'))
      await confirm(page)
      await page.getByRole('alert').getByText(texts.badOption).waitFor()
    },
    'no plan at all': async (page) => {
      const externalTrxId = `sin-plan-${++transactions}`
      await page.goto(shop.address((await shop.kit.startWidget(externalTrxId)).data.widgetToken))
    },
    'time is up': async (page) => {
      await page.clock.install()
      await page.goto(shop.address(await token()))
      await page.clock.runFor(WIDGET_TOKEN_LIFE_MS)
      await page.clock.setFixedTime(Date.now() + WIDGET_TOKEN_LIFE_MS)
      await page.getByRole('heading', { name: texts.timeIsUp }).waitFor()
    },
    'the last seconds': async (page) => {
      await page.clock.install()
      await page.goto(shop.address(await token()))
      await page.clock.setFixedTime(Date.now() + WIDGET_TOKEN_LIFE_MS - 20_000)
      await page.locator('.timer.last').waitFor()
    },
    paid: async (page) => ended(page, shop.address(await token())),
    rejected: async (page) => ended(page, shop.address(await token({ rut: '77777777-7' }))),
    cancelled: async (page) => ended(page, shop.address(await token()), (at) => at.locator('[value=cancel]').click()),
    'a token that was used': async (page) => {
      const used = shop.address(await token())
      await ended(page, used)
      await page.goto(shop.address(await token()))
      await page.goto(used)
    },
    'a forged token': (page) => page.goto(shop.address('x.y.z')),
    'an expired token': async (page) => {
      await page.clock.setFixedTime(new Date())
      const address = shop.address(await token())
      shop.kit.clock.advance(WIDGET_TOKEN_LIFE_MS + 1)
      await page.goto(address)
    },
    'the key of another merchant': async (page) => page.goto(shop.address(await token(), { publicKey: 'pk_another' })),
    'bad addresses': (page) =>
      page.goto(shop.address('', { publicKey: '', successReturnUrl: `javascript:${'x'.repeat(300)}` })),
    'no such page': (page) => page.goto(`${shop.pay.baseUrl}/pay/nothing`),
    'the widget': async (page) => page.goto(embedded(await token())),
    'a payment that ended in the widget': async (page) => ended(page, embedded(await token())),
    'the widget in a page of a merchant': async (page) => {
      const query = new URLSearchParams({ token: await token(), key: shop.kit.bnpl.publicKey })
      await page.goto(`${shop.origin}/host?${query}`)
      await page.frameLocator('#pay iframe').locator('[data-confirm-button]').waitFor()
    },
  }
}

/** A transaction of its own for each token. */
let transactions = 0

/** Shows every state of the payment page in a language, and the page of the shop at the end of a walkthrough. */
export async function eachPageView(browser: Browser, language: Language, look: Look): Promise<void> {
  const { locale } = TEXTS[language]
  await using shop = await openShop(HOST_PAGES)
  for (const [name, open] of Object.entries(paymentStates(shop, language))) {
    const context = await browser.newContext({ locale, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await open(page)
    await page.locator('main').waitFor()
    await look(page, name)
    await context.close()
  }
  for (const landedOn of ['success', 'error'] as const) {
    await using server = await openServer((request, response) => {
      const landing = { landedOn, externalTrxId: 'order-1001', preApproveId: '0f8fad5b-d9cb-469f-a165-70867728950e' }
      const { markup, policy } = shopPage(landing, request.headers['accept-language'] ?? '')
      response.setHeader('content-type', 'text/html; charset=utf-8').setHeader('content-security-policy', policy)
      response.end(markup)
    })
    const context = await browser.newContext({ locale })
    const page = await context.newPage()
    await page.goto(server.url)
    await look(page, `back at the shop, ${landedOn}`)
    await context.close()
  }
}
