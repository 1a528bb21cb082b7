import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { REDIRECT_DELAY_MS, WIDGET_TOKEN_LIFE_MS } from '../../src/contract/time-limits.ts'
import { freeze, startBrowser } from './chromium.ts'
import { openShop } from './shop.ts'

let browser: Browser
let shop: Awaited<ReturnType<typeof openShop>>
let contexts: BrowserContext[] = []
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([startBrowser(), openShop()])
})
afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()))
  contexts = []
  shop.visits.length = 0
  expect(shop.faults).toEqual([])
})
afterAll(async () => {
  await browser?.close()
  await shop?.[Symbol.asyncDispose]()
})

/** Opens a customer's phone. With `frozen` only the test moves the time of the page. */
async function customer({
  frozen = false,
  ...options
}: BrowserContextOptions & { frozen?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'es-CL', ...options })
  contexts.push(context)
  const page = await context.newPage()
  if (frozen) await freeze(page)
  return page
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
/** Waits until the customer is back at the shop. */
async function returned(path: string) {
  const visit = () => shop.visits.find(({ url }) => url.pathname === path)
  await expect.poll(visit).toBeDefined()
  return visit()!
}

test('a customer can pay by keyboard alone, and is sent to the shop ten seconds after the result', async () => {
  const page = await customer({ frozen: true })
  const token = await shop.token('teclado')
  await page.goto(shop.address(token))
  expect(await heading(page)).toBe(`Pago en ${shop.kit.bnpl.name}`)
  const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).value)
  for (let presses = 0; presses < 5 && (await focused()) !== '3'; presses++) await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('6')
  await page.keyboard.press('Tab')
  const confirm = page.getByRole('button', { name: /^Confirmar 6\scuotas de\s\$44\.465$/ })
  expect(await confirm.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  expect(await page.getByRole('timer').textContent()).toBe('10')
  await page.clock.runFor(REDIRECT_DELAY_MS - 1_000)
  expect(await page.getByRole('timer').textContent()).toBe('1')
  expect(shop.visits).toEqual([])
  await page.clock.runFor(1_000)
  const { url, referer } = await returned('/gracias')
  expect([...url.searchParams]).toEqual([
    ['pedido', '7'],
    ['preApproveId', expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ['externalTrxId', 'teclado'],
  ])
  expect(referer).toBeUndefined()
  await page.waitForURL(/#fin$/)
  expect((await shop.kit.verify('teclado')).data).toMatchObject({ periods: 6, state: 'ACTIVE' })
})

test.each([
  ['rejected', '77777777-7', 'Confirmar', 'Pago rechazado'],
  ['cancelled', '11222333-9', 'Cancelar', 'Pago cancelado'],
])('after a payment that is %s, the customer is sent to the error address', async (outcome, rut, button, title) => {
  const page = await customer({ frozen: true })
  await page.goto(shop.address(await shop.token(outcome, { rut })))
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('heading', { name: title }).waitFor()
  await page.clock.runFor(REDIRECT_DELAY_MS)
  const { url } = await returned('/error')
  expect(url.searchParams.get('preApproveId')).toMatch(/^[0-9a-f-]{36}$/)
  expect(url.searchParams.get('externalTrxId')).toBe(outcome)
  expect(await shop.kit.verify(outcome)).toMatchObject({ status: 404 })
})

test('a customer can stop the automatic redirect and stay on the result [page 3]', async () => {
  const page = await customer({ frozen: true })
  await page.goto(shop.address(await shop.token('sin-prisa')))
  await page.getByRole('button', { name: /^Confirmar/ }).click()
  await page.getByRole('button', { name: 'Quedarme en esta página' }).click()
  await page.clock.runFor(2 * REDIRECT_DELAY_MS)
  expect(await heading(page)).toBe('Pago aprobado')
  expect(await page.getByRole('timer').count()).toBe(0)
  expect(shop.visits).toEqual([])
  await page.keyboard.press('Enter')
  await returned('/gracias')
})

test('a customer who leaves before the national id returns to the error address with preApproveId=undefined', async () => {
  const page = await customer()
  const { widgetToken } = (await shop.kit.startWidget('sin-evaluar')).data
  await page.goto(shop.address(widgetToken))
  await page.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('link', { name: 'Volver ahora' }).click()
  const { url } = await returned('/error')
  expect(url.search).toBe('?preApproveId=undefined&externalTrxId=sin-evaluar')
})

test('without an evaluation, the page asks for the RUT, refreshes the token, and shows the plans', async () => {
  const page = await customer()
  const { widgetToken } = (await shop.kit.startWidget('sin-evaluar')).data
  await page.goto(shop.address(widgetToken))
  expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('Dinos quién eres')
  const field = page.getByLabel('RUT')
  await field.fill('11.222.333-0')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Ese RUT no es válido.').waitFor()
  expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual(['11.222.333-0', 'true'])
  await field.fill('11.222.333-9')
  await page.keyboard.press('Enter')
  await page.getByRole('radio').first().waitFor()
  const token = new URL(page.url()).searchParams.get('widgetToken')
  expect(token).not.toBe(widgetToken)
  await page.getByRole('button', { name: /^Confirmar/ }).click()
  await page.getByRole('link', { name: 'Volver ahora' }).click()
  const { url } = await returned('/gracias')
  expect(url.searchParams.get('preApproveId')).toMatch(/^[0-9a-f-]{36}$/)
  expect((await shop.kit.verify('sin-evaluar')).data).toMatchObject({ state: 'ACTIVE' })
})

test.each([
  ['22222222-2', 'Firma tus documentos', 'Firmar y pagar', '', 'Pago rechazado'],
  ['33333333-3', 'Confirma que eres tú', 'Confirmar código', '654321', 'Pago aprobado'],
  ['13131313-6', 'Activa el pago automático', 'Activar pago automático', '', 'Pago aprobado'],
  ['14141414-3', 'Firma tus documentos', 'Firmar y pagar', '', 'Pago aprobado'],
])('the page asks the test customer %s: “%s”', async (rut, title, button, code, end) => {
  const page = await customer()
  await page.goto(shop.address(await shop.token(`pasos-${rut}`, { rut })))
  const confirm = page.getByRole('button', { name: /^Confirmar \d/ })
  if (rut !== '33333333-3') await confirm.click()
  await page.getByRole('heading', { name: title }).waitFor()
  if (code !== '') {
    await page.getByLabel('Código').fill('123456')
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('alert').getByText('Ese código no es correcto.').waitFor()
    await page.getByLabel('Código').fill(code)
  }
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('heading', { name: end }).waitFor()
})

test('the remaining time is shown and announced, and at zero nothing can be confirmed', async () => {
  const page = await customer({ frozen: true })
  await page.goto(shop.address(await shop.token('reloj')))
  const timer = page.getByRole('timer', { name: 'Tiempo para pagar' })
  const spoken = page.getByRole('status')
  expect(await timer.textContent()).toBe('10:00')
  await page.clock.runFor(61_000)
  expect([await timer.textContent(), await spoken.textContent()]).toEqual(['08:59', ''])
  await page.clock.runFor(239_000)
  expect([await timer.textContent(), await spoken.textContent()]).toEqual([
    '05:00',
    'Te quedan 5 minutos para confirmar el pago.',
  ])
  await page.clock.runFor(271_000)
  expect(await spoken.textContent()).toBe('Te quedan 30 segundos para confirmar el pago.')
  await page.clock.runFor(29_000)
  expect(await timer.count()).toBe(0)
  expect(await page.getByRole('alert').textContent()).toContain('Se acabó el tiempo')
  expect(await page.locator('[data-confirm-button]').isDisabled()).toBe(true)
  await page.getByRole('link', { name: 'Volver ahora' }).click()
  expect((await returned('/error')).url.searchParams.get('externalTrxId')).toBe('reloj')
})

test('while a payment is processed, the page does not say that the time is up', async () => {
  const page = await customer({ frozen: true })
  await page.goto(shop.address(await shop.token('justo')))
  await page.clock.runFor(WIDGET_TOKEN_LIFE_MS - 2_000)
  // The page first asks whether its server answers, and then sends the form.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        document.querySelector('form')?.addEventListener('submit', (event) => {
          if (!event.defaultPrevented) resolve()
          event.preventDefault()
        })
        document.querySelector('button')?.click()
      }),
  )
  const over = page.getByRole('heading', { name: 'Se acabó el tiempo' })
  await page.clock.runFor(4_000)
  expect(await over.count()).toBe(0)
  // No answer came, so the page no longer waits for one.
  await page.clock.runFor(6_000)
  expect(await over.count()).toBe(1)
})

test('if the token expires while the page is open, the customer is sent to the shop after ten seconds, with the ids [specification F7]', async () => {
  const page = await customer({ frozen: true, locale: 'en-US' })
  await page.goto(shop.address(await shop.token('agotado')))
  await page.clock.runFor(WIDGET_TOKEN_LIFE_MS)
  const host = new URL(shop.origin).host
  expect(await page.getByRole('alert').textContent()).toContain(`Taking you to ${host} in 10 s`)
  await page.clock.runFor(REDIRECT_DELAY_MS - 1_000)
  expect(shop.visits).toEqual([])
  await page.clock.runFor(1_000)
  const { url } = await returned('/error')
  expect(url.searchParams.get('preApproveId')).toMatch(/^[0-9a-f-]{36}$/)
  expect(url.searchParams.get('externalTrxId')).toBe('agotado')
})

test("the service's clock decides: a token that expired while the page was open is refused", async () => {
  await using own = await openShop()
  const page = await customer({ frozen: true })
  await page.goto(own.address(await own.token('tarde')))
  own.kit.clock.advance(WIDGET_TOKEN_LIFE_MS + 1)
  await page.getByRole('button', { name: 'Confirmar' }).click()
  await page.getByRole('heading', { name: 'Este pago venció' }).waitFor()
  expect(await own.kit.verify('tarde')).toMatchObject({ status: 404 })
  await page.clock.runFor(REDIRECT_DELAY_MS)
  await expect.poll(() => own.visits.map(({ url }) => url.pathname)).toEqual(['/error'])
  expect(own.visits[0]?.url.searchParams.get('preApproveId')).toMatch(/^[0-9a-f-]{36}$/)
})

test('without JavaScript an expired payment is also redirected to the shop automatically [specification F7]', async () => {
  await using own = await openShop()
  const page = await customer({ javaScriptEnabled: false })
  await page.goto(own.address(await own.token('tarde-sin-js')))
  own.kit.clock.advance(WIDGET_TOKEN_LIFE_MS + 1)
  await page.getByRole('button', { name: 'Confirmar pago' }).click()
  await page.getByRole('heading', { name: 'Este pago venció' }).waitFor()
  // The sandbox's clock moves by nine of the ten seconds. The test waits for the last one.
  own.kit.clock.advance(REDIRECT_DELAY_MS - 1_000)
  await page.reload()
  await page.waitForURL(/\/error\?/)
  const { searchParams } = own.visits[0]!.url
  expect(searchParams.get('preApproveId')).toMatch(/^[0-9a-f-]{36}$/)
  expect(searchParams.get('externalTrxId')).toBe('tarde-sin-js')
})

test('a forged token gets a page without a link or redirect; a plain http return address elsewhere opens no payment [row 104, page 1.10]', async () => {
  const page = await customer({ frozen: true })
  const [head, body] = (await shop.token('falso')).split('.')
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  for (const token of [`${head}.${body}.AAAA`, `${none}.${body}.`, 'x']) {
    expect((await page.goto(shop.address(token)))?.status()).toBe(400)
    expect(await heading(page)).toBe('No reconocemos este pago')
    await page.clock.runFor(60_000)
  }
  expect(await page.getByRole('link', { name: new URL(shop.origin).host }).count()).toBe(0)
  const elsewhere = shop.address(await shop.token('ajena'), { successReturnUrl: 'http://evil.example/' })
  expect((await page.goto(elsewhere))?.status()).toBe(400)
  expect(await heading(page)).toBe('No podemos abrir este pago')
  expect(await page.getByRole('link', { name: 'evil.example' }).count()).toBe(0)
  expect(shop.visits).toEqual([])
})

test('a double click pays once, and a reload or opening the address again shows the result [row 107]', async () => {
  const page = await customer({ frozen: true })
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
  const address = shop.address(await shop.token('doble'))
  await page.goto(address)
  await page.getByRole('button', { name: 'Confirmar' }).dblclick()
  await page.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  await page.reload()
  expect(await heading(page)).toBe('Pago aprobado')
  await page.goto(address)
  expect(await heading(page)).toBe('Pago aprobado')
  expect(posts).toHaveLength(1)
  expect(shop.kit.store.db.all('select * from loans where externalTrxId = ?', 'doble')).toHaveLength(1)
})

test('while a form is sent, its button shows progress and sends no second form; the other controls are disabled [row 107]', async () => {
  const page = await customer()
  await page.goto(shop.address(await shop.token('en-curso')))
  const sent = await page.evaluate(async () => {
    const form = document.querySelector('form')
    const button = document.querySelector('button')
    let through = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    // This listener runs after the page's own. It counts the forms that would be sent, and stops them.
    form?.addEventListener('submit', (event) => {
      if (!event.defaultPrevented) {
        through++
        resolve()
      }
      event.preventDefault()
    })
    for (let presses = 0; presses < 3; presses++) form?.requestSubmit(button)
    await promise
    for (let presses = 0; presses < 3; presses++) form?.requestSubmit(button)
    const isOff = [...document.querySelectorAll('button')].map((each) => each.disabled)
    const isFixed = document.querySelector('fieldset')?.inert
    return { through, says: button?.textContent, busy: form?.ariaBusy, isOff, isFixed }
  })
  const says = 'Procesando tu pago…'
  expect(sent).toEqual({ through: 1, says, busy: 'true', isOff: [false, true], isFixed: true })
})

test('the bar and the card have the same edges at every width, and the name of a shop is not broken across lines', async () => {
  const page = await customer({ frozen: true })
  const edges = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { left, right } = element.getBoundingClientRect()
      return [left, right]
    })
  const check = async (card: string) => {
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await edges(card), `${card} ${width}`).toEqual(await edges('.bar'))
    }
  }
  await page.goto(shop.address('x'))
  await check('.problem')
  await page.goto(shop.address(await shop.token('bordes')))
  await check('main')
  await page.getByRole('button', { name: 'Confirmar' }).click()
  await page.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  await check('.paid')
  const heights = await page.evaluate(() => {
    const hint = document.querySelector<HTMLElement>('.hint')
    return Array.from({ length: 30 }, (_, step) => {
      if (hint !== null) hint.style.maxWidth = `${120 + 10 * step}px`
      return hint?.querySelector('bdi')?.getBoundingClientRect().height
    })
  })
  expect(new Set(heights).size).toBe(1)
})

test('a token that was already used elsewhere shows the page of an ended payment', async () => {
  const page = await customer()
  const token = await shop.token('usado')
  await shop.kit.control('pay', { externalTrxId: 'usado' })
  expect((await page.goto(shop.address(token)))?.status()).toBe(409)
  expect(await heading(page)).toBe('Este pago ya terminó')
})

test('without JavaScript a customer can pay and is redirected to the shop automatically', async () => {
  await using own = await openShop()
  const page = await customer({ javaScriptEnabled: false })
  await page.goto(own.address(await own.token('sin-js')))
  await page.getByRole('radio').nth(3).check()
  await page.getByRole('button', { name: 'Confirmar pago' }).click()
  await page.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  // The sandbox's clock moves by nine of the ten seconds. The test waits for the last one.
  own.kit.clock.advance(REDIRECT_DELAY_MS - 1_000)
  await page.reload()
  await page.waitForURL(/\/gracias\?/)
  expect(own.visits[0]?.url.searchParams.get('externalTrxId')).toBe('sin-js')
  expect((await own.kit.verify('sin-js')).data).toMatchObject({ periods: 24 })
})

test('a reload and the other language keep the payment and the chosen plan [page 1.11]', async () => {
  const page = await customer({ locale: 'en-GB' })
  await page.goto(shop.address(await shop.token('idioma')))
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  await page.getByRole('radio').nth(1).check()
  await page.reload()
  await page.getByRole('button', { name: /^Confirm 6 / }).waitFor()
  await page.getByRole('link', { name: 'Español' }).click()
  await page.getByRole('button', { name: /^Confirmar 6 / }).click()
  await page.getByRole('heading', { level: 1, name: 'Pago aprobado' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('es')
})

test('a customer without a connection stays on the page, is told so, and can pay when it is back', async () => {
  const page = await customer()
  await page.goto(shop.address(await shop.token('sin-conexión')))
  await page.context().setOffline(true)
  const confirm = page.getByRole('button', { name: /^Confirmar/ })
  await confirm.click()
  await page.getByRole('alert').getByText('No hay conexión, así que no se envió nada.').waitFor()
  expect(await confirm.isEnabled()).toBe(true)
  await page.context().setOffline(false)
  await confirm.click()
  await page.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
})

test('a phone shows what each plan costs in per cent', async () => {
  const page = await customer()
  await page.goto(shop.address(await shop.token('por-ciento')))
  const shares = page.locator('.plan .share')
  expect(await shares.count()).toBeGreaterThan(2)
  for (const share of await shares.all())
    expect([await share.isVisible(), await share.textContent()]).toEqual([true, expect.stringMatching(/^\(.*%\)$/)])
})
