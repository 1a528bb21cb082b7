import type { Browser, Page } from 'playwright-core'
import type { Language } from '../../src/contract/languages.ts'
import { WIDGET_TOKEN_LIFE_MS } from '../../src/contract/time-limits.ts'
import type { PageTexts } from '../../src/sandbox/languages/en.ts'
import { TEXTS } from '../../src/sandbox/languages/languages.ts'
import { shopPage } from '../../src/sandbox/page/shop-page.ts'
import { openShop } from './shop.ts'
import type { Look } from './view.ts'
import { openServer } from './window-kit.ts'

type Shop = Awaited<ReturnType<typeof openShop>>

/** A merchant's page with the widget in it. The address of the page contains the token. */
const HOST_PAGES: Record<string, string> = {
  '/host': `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>checkout</title><style>body { margin: 0; font-family: system-ui, sans-serif } main { max-width: 560px; margin: 24px auto; padding: 0 8px }</style>
<main><h1>Checkout</h1><div id="pay"></div></main>
<script src="{pay}/widget.js"></script>
<script>
  const { token, key } = Object.fromEntries(new URLSearchParams(location.search))
  BnplWidget.mount({ token, publicKey: key, element: '#pay', onSuccess() {} })
</script>`,
}

/** A customer at a shop: the browser page, the shop, and the customer's language. */
interface Visit {
  page: Page
  shop: Shop
  texts: PageTexts
}

/** How many transactions were made. Each token needs a new transaction. */
let transactions = 0

const token = ({ shop }: Visit, options?: { rut: string }) => shop.token(`pedido-${++transactions}`, options)

/** Presses a button that leads to another page, and waits until that page has its styles, because without them it has other sizes. */
const press = (selector: string) => async (page: Page) => {
  const loaded = page.waitForEvent('load')
  await page.locator(selector).click()
  await loaded
}
const confirm = press('[data-confirm-button]')
const cancel = press('[value=cancel]')

const embedded = ({ shop }: Visit, widgetToken: string) =>
  `${shop.pay.baseUrl}/pay/embed?${new URLSearchParams({ widgetToken, publicKey: shop.kit.bnpl.publicKey, parentOrigin: shop.origin })}`

/** Ends a payment. The time of the page is stopped, so that its result stays on the screen while it is examined. */
async function end({ page }: Visit, address: string, press = confirm): Promise<void> {
  await page.clock.setFixedTime(new Date())
  await page.goto(address)
  await press(page)
  await page.locator('.result h1').waitFor()
  // A page whose styles have not arrived has other sizes.
  await page.waitForLoadState('load')
}

/** Brings a customer to each state of the payment page. The keys are the names of the states. */
export const PAYMENT_STATES: Readonly<Record<string, (visit: Visit) => Promise<unknown>>> = {
  payment: async (visit) => visit.page.goto(visit.shop.address(await token(visit))),
  'a payment of the largest amount by a long name': async ({ page, shop }) => {
    const name = 'Comercializadora-e-Importadora-de-Electrodomésticos SpA'
    const rename = (from: string, to: string) =>
      shop.kit.store.db.run('update partners set name = ? where name = ?', to, from)
    rename(shop.kit.bnpl.name, name)
    await page.goto(shop.address(await shop.token(String(++transactions).padStart(64, 'x'), { amount: 50_000_000 })))
    rename(name, shop.kit.bnpl.name)
  },
  'a plan already chosen': async ({ page, shop }) => {
    const externalTrxId = `elegido-${++transactions}`
    const { preApproveId } = (await shop.kit.evaluate(externalTrxId)).data
    const form = { preApproveId, installmentOption: '6', externalTrxId, amount: '250000' }
    await shop.kit.send('POST', '/partner/pre-loan-request/loan-request', { form })
    return page.goto(shop.address((await shop.kit.startWidget(externalTrxId)).data.widgetToken))
  },
  'no plans': async ({ page, shop, texts }) => {
    const externalTrxId = `sin-planes-${++transactions}`
    const widgetToken = await shop.token(externalTrxId)
    shop.kit.store.db.run(`update preApprovals set options = '[]' where externalTrxId = ?`, externalTrxId)
    await page.goto(shop.address(widgetToken))
    await page.getByRole('heading', { name: texts.noOptions }).waitFor()
    await page.locator('.primary[value=cancel]').waitFor()
  },
  'a plan that is not on offer': async (visit) => {
    const { page, shop, texts } = visit
    await page.goto(shop.address(await token(visit)))
    await page.locator('input[type=radio]:checked').evaluate((radio) => radio.setAttribute('value', '5'))
    await confirm(page)
    await page.getByRole('alert').getByText(texts.notices['bad-option']).waitFor()
  },
  'a payment without an evaluation': async ({ page, shop }) => {
    const { widgetToken } = (await shop.kit.startWidget(`sin-evaluar-${++transactions}`)).data
    await page.goto(shop.address(widgetToken))
  },
  'a RUT that is not valid': async ({ page, shop }) => {
    const { widgetToken } = (await shop.kit.startWidget(`sin-evaluar-${++transactions}`)).data
    await page.goto(shop.address(widgetToken))
    await page.locator('[name=idNumber]').fill('1')
    await press('[value=identify]')(page)
    await page.locator('[aria-invalid]').waitFor()
  },
  'the set-up of automatic payment': async (visit) => {
    await visit.page.goto(visit.shop.address(await token(visit, { rut: '13131313-6' })))
    await confirm(visit.page)
    await visit.page.locator('[value=subscribe]').waitFor()
  },
  'the signature of documents': async (visit) => {
    await visit.page.goto(visit.shop.address(await token(visit, { rut: '22222222-2' })))
    await confirm(visit.page)
    await visit.page.locator('[value=sign]').waitFor()
  },
  'a wrong code': async (visit) => {
    await visit.page.goto(visit.shop.address(await token(visit, { rut: '33333333-3' })))
    await visit.page.locator('[name=code]').fill('123456')
    await press('[value=code]')(visit.page)
    await visit.page.locator('[aria-invalid]').waitFor()
  },
  'time is up': async (visit) => {
    const { page, shop, texts } = visit
    await page.clock.install()
    await page.goto(shop.address(await token(visit)))
    await page.clock.runFor(WIDGET_TOKEN_LIFE_MS)
    await page.clock.setFixedTime(Date.now() + WIDGET_TOKEN_LIFE_MS)
    await page.getByRole('heading', { name: texts.timeIsUp }).waitFor()
  },
  'the last seconds': async (visit) => {
    const { page, shop } = visit
    await page.clock.install()
    await page.goto(shop.address(await token(visit)))
    await page.clock.runFor(WIDGET_TOKEN_LIFE_MS - 20_000)
    await page.clock.setFixedTime(Date.now() + WIDGET_TOKEN_LIFE_MS - 20_000)
    await page.locator('.timer.last').waitFor()
  },
  'a payment while it is processed': async (visit) => {
    const { page, shop, texts } = visit
    await page.clock.setFixedTime(new Date())
    await page.goto(shop.address(await token(visit)))
    // The form is not sent. Without the timer, the button does not work again after some seconds.
    await page.evaluate(`
      const { setTimeout } = window
      window.setTimeout = () => 0
      document.querySelector('form').addEventListener('submit', (event) => event.preventDefault())
      document.querySelector('[data-confirm-button]').click()
      window.setTimeout = setTimeout`)
    await page.getByRole('button', { name: texts.working }).waitFor()
  },
  paid: async (visit) => end(visit, visit.shop.address(await token(visit))),
  rejected: async (visit) => end(visit, visit.shop.address(await token(visit, { rut: '77777777-7' }))),
  cancelled: async (visit) => end(visit, visit.shop.address(await token(visit)), cancel),
  'a forged token': ({ page, shop }) => page.goto(shop.address('x.y.z')),
  'an expired token': async (visit) => {
    const { page, shop } = visit
    await page.clock.setFixedTime(new Date())
    const address = shop.address(await token(visit))
    shop.kit.clock.advance(WIDGET_TOKEN_LIFE_MS + 1)
    await page.goto(address)
  },
  'a used token': async (visit) => {
    const widgetToken = await token(visit)
    await visit.shop.kit.control('pay', { externalTrxId: `pedido-${transactions}` })
    await visit.page.goto(visit.shop.address(widgetToken))
  },
  'the key of another merchant': async (visit) =>
    visit.page.goto(visit.shop.address(await token(visit), { publicKey: 'pk_another' })),
  'bad addresses': ({ page, shop }) =>
    page.goto(shop.address('', { publicKey: '', successReturnUrl: `javascript:${'x'.repeat(300)}` })),
  'no such page': ({ page, shop }) => page.goto(`${shop.pay.baseUrl}/pay/nothing`),
  'the widget': async (visit) => visit.page.goto(embedded(visit, await token(visit))),
  'a payment that ended in the widget': async (visit) => end(visit, embedded(visit, await token(visit))),
}

/** Opens the page of a merchant with the widget in it. */
async function openHost(visit: Visit): Promise<void> {
  const query = new URLSearchParams({ token: await token(visit), key: visit.shop.kit.bnpl.publicKey })
  await visit.page.goto(`${visit.shop.origin}/host?${query}`)
  await visit.page.frameLocator('#pay iframe').locator('[data-confirm-button]').waitFor()
}

/** Shows every state of the payment page in a language, and the page of the shop at the end of a walkthrough. */
export async function eachPageView(
  browser: Pick<Browser, 'newContext'>,
  language: Language,
  look: Look,
): Promise<void> {
  const { locale, page: texts } = TEXTS[language]
  await using shop = await openShop(HOST_PAGES)
  for (const [name, open] of Object.entries({ ...PAYMENT_STATES, 'the widget in a page of a merchant': openHost })) {
    const context = await browser.newContext({ locale, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await open({ page, shop, texts })
    await page.locator('main').waitFor()
    // A page whose styles have not arrived yet has other sizes.
    await page.waitForLoadState()
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
    const context = await browser.newContext({ locale, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(server.url)
    await look(page, `back at the shop, ${landedOn}`)
    await context.close()
  }
}
