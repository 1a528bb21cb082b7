import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WIDGET_TOKEN_LIFE_MS } from '../../src/contract/time-limits.ts'
import { startBrowser } from './chromium.ts'
import { openShop } from './shop.ts'

/** A merchant's page as the guide shows it: the token comes from its backend, here from the address. */
const CHECKOUT = `<!doctype html><html lang="es"><title>checkout</title><h1>Tienda</h1><div id="pay"></div>
<script src="{pay}/widget.js"></script>
<script>
  window.calls = []
  window.ends = []
  const { token, key } = Object.fromEntries(new URLSearchParams(location.search))
  window.widget = BnplWidget.mount({ token, publicKey: key, element: '#pay', onSuccess: (payment) => calls.push(payment),
    onReject: (end) => ends.push(['rejected', end]), onCancel: (end) => ends.push(['cancelled', end]), onExpire: (end) => ends.push(['expired', end]),
    onError: (failure) => ends.push(['error', failure]) })
</script>`

/**
 * A merchant's page that was written for the interface that banca.me publishes. Only the address of the script is that of the sandbox.
 * The parameter `mode` of its address is the `buttonMode`; without it, the page names none and calls no method.
 */
const PUBLISHED = `<!doctype html><html lang="es"><title>checkout</title><h1>Tienda</h1><button id="pagar">Pagar</button>
<script src="{pay}/widget.js"></script>
<script>
  window.said = []
  const { token, key, mode } = Object.fromEntries(new URLSearchParams(location.search))
  window.widget = BancameWidget.create({
    publicKey: key,
    widgetToken: token,
    ...(mode && { buttonMode: mode }),
    onSuccess: (message) => said.push(message),
    onEvent: ({ event }) => said.push(event),
    onReject: (message) => said.push(message),
  })
  document.querySelector('#pagar').addEventListener('click', () => widget.open())
</script>`

const PAGES = {
  '/checkout': CHECKOUT,
  '/published': PUBLISHED,
  '/checkout-production': CHECKOUT.replace('{pay}/widget.js', '{pay}/production/widget.js'),
}

let browser: Browser
let context: BrowserContext
let page: Page
let shop: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([startBrowser(), openShop(PAGES)])
})
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'es-CL' })
  page = await context.newPage()
})
afterEach(() => context.close())
afterAll(async () => {
  await browser?.close()
  await shop?.[Symbol.asyncDispose]()
})

async function openCheckout(externalTrxId: string, rut?: string) {
  const token = await shop.token(externalTrxId, rut === undefined ? {} : { rut })
  await page.goto(`${shop.origin}/checkout?${new URLSearchParams({ token, key: shop.kit.bnpl.publicKey })}`)
  return page.frameLocator('#pay iframe')
}
const ends = () => page.evaluate(() => (window as any).ends as unknown[])
const calls = () => page.evaluate(() => (window as any).calls as unknown[])

test('the widget of production shows the page of production [specification F19]', async () => {
  const { kit, origin } = shop
  const { apiKey: key, publicKey } = kit.bnpl.production
  const payment = { amount: '250000', externalTrxId: 'w-producción', entityId: kit.bnpl.entityId }
  const evaluated = { ...payment, idNumber: '11222333-9' }
  await kit.send('POST', '/production/partner/pre-loan-request/bnpl', { key, form: evaluated })
  const form = { ...payment, email: 'ana@example.com' }
  const { widgetToken: token } = (await kit.send('POST', '/production/partner/widget/start', { key, form })).data
  await page.goto(`${origin}/checkout-production?${new URLSearchParams({ token, key: publicKey })}`)
  const widget = page.frameLocator('#pay iframe')
  await widget.getByRole('button', { name: /^Confirmar/ }).click()
  await widget.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  await expect.poll(calls).toMatchObject([{ externalTrxId: 'w-producción' }])
  expect(new URL(page.frames()[1]?.url() ?? '').pathname).toBe('/production/pay/embed')
})

test('a payment in the widget calls onSuccess once, and the frame is as tall as its content', async () => {
  const widget = await openCheckout('w-pagado')
  await widget.getByRole('button', { name: /^Confirmar 3\scuotas/ }).waitFor()
  const missing = async () => {
    const content = await widget.locator('body').evaluate((body) => Math.ceil(body.getBoundingClientRect().height))
    return content - (await page.locator('iframe').evaluate((frame) => frame.clientHeight))
  }
  const fits = () => expect.poll(missing).toBe(0)
  await fits()
  await widget.getByRole('button', { name: /^Confirmar/ }).click()
  await widget.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  await expect.poll(calls).toHaveLength(1)
  await fits()
  const { preApproveId } = (await shop.kit.verify('w-pagado')).data
  expect(await calls()).toEqual([
    { externalTrxId: 'w-pagado', preApproveId: preApproveId ?? expect.stringMatching(/^[0-9a-f-]{36}$/) },
  ])
  const frame = page.frames()[1]
  await frame?.goto(frame.url())
  await widget.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  await fits()
  expect(await calls()).toHaveLength(1)
  expect(page.url()).toContain(`${shop.origin}/checkout`)
  await page.evaluate(() => (window as any).widget.unmount())
  expect(await page.locator('iframe').count()).toBe(0)
})

test('a rejected, cancelled or expired payment is shown in the frame and calls its own callback, once [page 1.11]', async () => {
  const rejected = await openCheckout('w-rechazado', '77777777-7')
  await rejected.getByRole('button', { name: /^Confirmar/ }).click()
  await rejected.getByRole('heading', { name: 'Pago rechazado' }).waitFor()
  await expect.poll(ends).toEqual([['rejected', { externalTrxId: 'w-rechazado' }]])
  expect(await calls()).toEqual([])
  const cancelled = await openCheckout('w-cancelado')
  await cancelled.getByRole('button', { name: /^Cancelar/ }).click()
  await cancelled.getByRole('heading', { name: 'Pago cancelado' }).waitFor()
  await expect.poll(ends).toEqual([['cancelled', { externalTrxId: 'w-cancelado' }]])
  expect(await calls()).toEqual([])
  await page.clock.install()
  const expired = await openCheckout('w-vencido')
  await expired.getByRole('button', { name: /^Confirmar/ }).waitFor()
  await page.clock.fastForward(WIDGET_TOKEN_LIFE_MS)
  await expect.poll(ends).toEqual([['expired', { externalTrxId: 'w-vencido' }]])
})

test('messages of the page itself and of other frames are ignored', async () => {
  const widget = await openCheckout('w-mentira')
  await widget.getByRole('button', { name: /^Confirmar/ }).waitFor()
  const lie = { from: 'bnpl-sandbox', success: { externalTrxId: 'w-mentira' } }
  await page.evaluate(async (message) => {
    window.postMessage(message, '*')
    const frame = document.createElement('iframe')
    frame.srcdoc = `<script>parent.postMessage(${JSON.stringify(message)}, '*')</script>`
    document.body.append(frame)
    await new Promise((resolve) => frame.addEventListener('load', resolve))
    await new Promise((resolve) => setTimeout(resolve))
  }, lie)
  expect(await calls()).toEqual([])
})

test('in a page of another origin than parentOrigin, the frame shows no buttons', async () => {
  const token = await shop.token('w-ajeno')
  const elsewhere = shop.origin.replace('127.0.0.1', 'localhost')
  await page.goto(`${elsewhere}/empty`)
  const address = new URL('/pay/embed', shop.pay.baseUrl)
  address.search = String(
    new URLSearchParams({ widgetToken: token, publicKey: shop.kit.bnpl.publicKey, parentOrigin: shop.origin }),
  )
  await page.evaluate((src) => {
    const frame = document.createElement('iframe')
    frame.src = src
    document.body.append(frame)
    return new Promise((resolve) => frame.addEventListener('load', resolve))
  }, address.href)
  expect(await page.frames()[1]?.locator('button').count()).toBe(0)
})

test('mount() with a missing or wrong option throws an error that names the option [page 1.11]', async () => {
  await openCheckout('w-error')
  const messages = await page.evaluate(() =>
    [
      undefined,
      { token: 't', publicKey: 'k', element: '#none' },
      { token: '', publicKey: 'k', element: '#pay' },
      { token: 't', element: '#pay' },
    ].map((options) => {
      try {
        ;(window as any).BnplWidget.mount(options)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }),
  )
  expect(messages).toEqual([
    expect.stringContaining('token, publicKey, element'),
    expect.stringContaining('`element`'),
    expect.stringContaining('`token`'),
    expect.stringContaining('`publicKey`'),
  ])
})

test('the frame has a title and the colour scheme of the surrounding page, or of the theme option [page 1.11]', async () => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await openCheckout('w-colores')
  const scheme = async () => page.frames()[1]?.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  const mounted = (own: string, theme?: string) =>
    page.evaluate(
      async ([around, asked]) => {
        document.documentElement.style.colorScheme = around ?? ''
        const options = { token: 't', publicKey: 'k', element: '#pay', theme: asked }
        ;(window as any).BnplWidget.mount(options)
        await new Promise((resolve) => document.querySelector('#pay iframe')?.addEventListener('load', resolve))
      },
      [own, theme],
    )
  // A page that names no colour scheme is light.
  expect(await scheme()).toBe('light')
  await mounted('dark')
  expect(await scheme()).toBe('dark')
  await mounted('light dark')
  expect(await scheme()).toBe('light dark')
  await mounted('light', 'dark')
  expect(await scheme()).toBe('dark')
  await page.evaluate(() => document.head.insertAdjacentHTML('beforeend', '<meta name="color-scheme" content="dark">'))
  await mounted('')
  expect(await scheme()).toBe('dark')
  expect(await page.locator('iframe').getAttribute('title')).toBe('Pago en cuotas')
  await page.evaluate(() => {
    document.documentElement.lang = 'fr-FR'
  })
  await mounted('')
  expect(await page.locator('iframe').getAttribute('title')).toBe('Payment in installments')
})

test('a token that opens no payment reaches the callback of the shop, once', async () => {
  const { publicKey } = shop.kit.bnpl
  await page.goto(`${shop.origin}/checkout?${new URLSearchParams({ token: 'no-token', key: publicKey })}`)
  await expect.poll(ends).toEqual([['error', { problem: 'forged' }]])
  const token = await shop.token('w-otra-clave')
  await page.goto(`${shop.origin}/checkout?${new URLSearchParams({ token, key: 'pk_other' })}`)
  await expect.poll(ends).toEqual([['error', { problem: 'wrong-key' }]])
  const late = await shop.token('w-tarde')
  shop.kit.clock.advance(WIDGET_TOKEN_LIFE_MS + 1_000)
  await page.goto(`${shop.origin}/checkout?${new URLSearchParams({ token: late, key: publicKey })}`)
  await expect.poll(ends).toEqual([['expired', { externalTrxId: 'w-tarde' }]])
})

const said = () => page.evaluate(() => (window as any).said as unknown[])
const reported = async () => (await said()).length

/** Opens the page for the published interface, as a customer who presses its button. */
async function openPublished(token: string, { key = shop.kit.bnpl.publicKey, mode = 'hidden' } = {}) {
  await page.goto(`${shop.origin}/published?${new URLSearchParams({ token, key, mode })}`)
  if (mode === 'hidden') await page.getByRole('button', { name: 'Pagar', exact: true }).click()
  return page.frameLocator('dialog iframe')
}
const metadataOf = async (externalTrxId: string) => {
  const { db } = shop.kit.store
  const row = db.get<{ id: string }>('select id from preApprovals where externalTrxId = ?', externalTrxId)
  return { preApproveId: row?.id, externalTrxId }
}

test('a page for the published widget: a paid purchase reports its events in the published order, then onSuccess once', async () => {
  const widget = await openPublished(await shop.token('p-pagado', { rut: '12345678-5' }))
  await widget.getByRole('button', { name: /^Confirmar 3/ }).waitFor()
  await expect.poll(said).toEqual(['loading_conditions', 'installment_options'])
  await widget.getByRole('button', { name: /^Confirmar/ }).click()
  await widget.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  const all = [
    'loading_conditions',
    'installment_options',
    'check_condtions',
    'payment_subscription',
    'signature',
    'success',
    { event: 'success_callback', metadata: await metadataOf('p-pagado') },
  ]
  await expect.poll(said).toEqual(all)
  // A reload of the frame reports nothing again.
  await page.frames()[1]?.goto(page.frames()[1]?.url() ?? '')
  await widget.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  expect(await said()).toEqual(all)
  await page.evaluate(() => (window as any).widget.close())
  expect(await page.locator('dialog[open]').count()).toBe(0)
  await page.evaluate(() => (window as any).widget.open())
  await widget.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  await page.evaluate(() => (window as any).widget.destroy())
  expect(await page.locator('dialog, iframe').count()).toBe(0)
})

test('a page for the published widget: a rejected or cancelled payment calls onReject with reject_callback', async () => {
  const rejected = await openPublished(await shop.token('p-rechazado', { rut: '77777777-7' }))
  await rejected.getByRole('button', { name: /^Confirmar/ }).click()
  const before = ['loading_conditions', 'installment_options']
  await expect
    .poll(said)
    .toEqual([
      ...before,
      'check_condtions',
      'reject',
      { event: 'reject_callback', metadata: { ...(await metadataOf('p-rechazado')), reason: 'RISK_REJECTED' } },
    ])
  const cancelled = await openPublished(await shop.token('p-cancelado'))
  await cancelled.getByRole('button', { name: /^Cancelar/ }).click()
  await expect
    .poll(said)
    .toEqual([
      ...before,
      'reject',
      { event: 'reject_callback', metadata: { ...(await metadataOf('p-cancelado')), reason: 'USER_CANCELLED' } },
    ])
})

test('a page for the published widget: a token that opens no payment calls onReject with error_callback', async () => {
  const unknown = { preApproveId: undefined, externalTrxId: undefined }
  const refused = (reason: string, metadata: object = unknown) => [
    'reject',
    { event: 'error_callback', metadata: { ...metadata, reason } },
  ]
  await openPublished('no-token')
  await expect.poll(said).toEqual(refused('WIDGET_TOKEN_INVALID'))
  await openPublished('')
  await expect.poll(said).toEqual(refused('WIDGET_TOKEN_INVALID'))
  await openPublished(await shop.token('p-otra-clave'), { key: 'pk_other' })
  await expect.poll(said).toEqual(refused('PUBLIC_KEY_INVALID'))
  await openPublished(await shop.token('p-sin-clave'), { key: '' })
  await expect.poll(said).toEqual(refused('PUBLIC_KEY_INVALID'))
  const late = await shop.token('p-tarde')
  shop.kit.clock.advance(WIDGET_TOKEN_LIFE_MS + 1_000)
  await openPublished(late)
  await expect.poll(said).toEqual(refused('WIDGET_TOKEN_EXPIRED', await metadataOf('p-tarde')))
})

test('a page for the published widget: a payment whose time ends while it is open calls onReject with error_callback', async () => {
  await page.clock.install()
  const widget = await openPublished(await shop.token('p-vencido'))
  await widget.getByRole('button', { name: /^Confirmar/ }).waitFor()
  await page.clock.fastForward(WIDGET_TOKEN_LIFE_MS)
  await expect
    .poll(said)
    .toEqual([
      'loading_conditions',
      'installment_options',
      'reject',
      { event: 'error_callback', metadata: { ...(await metadataOf('p-vencido')), reason: 'WIDGET_TOKEN_EXPIRED' } },
    ])
})

test('the published widget opens by itself, by open() or by its own button, as buttonMode says, and Escape closes it', async () => {
  const opened = () => page.locator('dialog[open]').count()
  await openPublished(await shop.token('p-solo'), { mode: '' })
  await expect.poll(opened).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(opened).toBe(0)
  const widget = await openPublished(await shop.token('p-boton'), { mode: 'dark' })
  expect([await opened(), await reported()]).toEqual([0, 0])
  await page.getByRole('button', { name: 'Pagar en cuotas' }).click()
  await widget.getByRole('button', { name: /^Confirmar/ }).waitFor()
  await page.getByRole('button', { name: 'Cerrar' }).click()
  expect(await opened()).toBe(0)
  await page.evaluate(() => (window as any).widget.destroy())
  expect(await page.getByRole('button', { name: 'Pagar en cuotas' }).count()).toBe(0)
})

/** Opens the page for the published interface with a session without an evaluation, and types a national id into the widget. */
async function openWithId(externalTrxId: string, idNumber: string) {
  const widget = await openPublished((await shop.kit.startWidget(externalTrxId)).data.widgetToken)
  await widget.getByRole('textbox').fill(idNumber)
  await expect.poll(said).toEqual(['idNumber_form'])
  await widget.getByRole('button').first().click()
  return widget
}
const OPTIONS = ['idNumber_form', 'loading_conditions', 'installment_options']
const CHOSEN = [...OPTIONS, 'check_condtions', 'payment_subscription']

test('a page for the published widget: without an evaluation, the widget asks for the national id, evaluates, and the customer pays', async () => {
  const widget = await openWithId('p-sin-evaluar', '16.161.616-8')
  await widget.getByRole('button', { name: /^Confirmar/ }).click()
  await widget.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  const success = async (trx: string) => ({ event: 'success_callback', metadata: await metadataOf(trx) })
  await expect.poll(said).toEqual([...CHOSEN, 'signature', 'success', await success('p-sin-evaluar')])
  expect((await shop.kit.verify('p-sin-evaluar')).data.state).toBe('ACTIVE')
  // At a second purchase, the customer authenticates instead of signing.
  const second = await openWithId('p-otra-vez', '16161616-8')
  await second.getByRole('button', { name: /^Confirmar/ }).click()
  await second.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  await expect.poll(said).toEqual([...CHOSEN, 'auth_factor', 'success', await success('p-otra-vez')])
})

test.each([
  ['11111111-1', 'is not approved', 'RISK_REJECTED'],
  ['44444444-4', 'has an active loan', 'USER_HAS_ACTIVE_LOAN'],
])('a page for the published widget: the customer %s %s, so onReject is called with %s', async (rut, _, reason) => {
  const trx = `p-${rut}`
  const widget = await openWithId(trx, rut)
  await widget.getByRole('heading', { name: 'Pago rechazado' }).waitFor()
  const metadata = { ...(await metadataOf(trx)), reason }
  await expect
    .poll(said)
    .toEqual(['idNumber_form', 'loading_conditions', 'reject', { event: 'reject_callback', metadata }])
  expect((await shop.kit.verify(trx)).status).toBe(404)
})

test('a page for the published widget: a signature that fails, and a code that is asked at once', async () => {
  const failing = await openWithId('p-firma', '22222222-2')
  await failing.getByRole('button', { name: /^Confirmar/ }).click()
  await expect.poll(said).toEqual([...CHOSEN, 'signature'])
  await failing.getByRole('button').first().click()
  const metadata = { ...(await metadataOf('p-firma')), reason: 'SIGNATURE_FAILED' }
  await expect.poll(said).toEqual([...CHOSEN, 'signature', 'reject', { event: 'reject_callback', metadata }])
  const direct = await openWithId('p-codigo', '33333333-3')
  const asked = ['idNumber_form', 'loading_conditions', 'auth_factor']
  await expect.poll(said).toEqual(asked)
  await direct.getByRole('textbox').fill('654321')
  await direct.getByRole('button').first().click()
  await direct.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  await expect
    .poll(said)
    .toEqual([...asked, 'success', { event: 'success_callback', metadata: await metadataOf('p-codigo') }])
})
