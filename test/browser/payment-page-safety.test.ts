import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startBrowser } from './chromium.ts'
import { openShop } from './shop.ts'

let browser: Browser
let context: BrowserContext
let page: Page
let shop: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([startBrowser(), openShop()])
})
beforeEach(async () => {
  context = await browser.newContext({ locale: 'es-CL' })
  page = await context.newPage()
})
afterEach(() => context.close())
afterAll(async () => {
  await browser?.close()
  await shop?.[Symbol.asyncDispose]()
})

const HOSTILE = `"><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'--></title></textarea>{{1}}\u202e`

/** Counts the elements that would exist if some text had become markup. */
const intruders = () =>
  page.evaluate(() => ({
    hacked: 'hacked' in window,
    scripts: [...document.scripts].filter((script) => !script.src.startsWith(`${location.origin}/pay/`)).length,
    handlers: [...document.querySelectorAll('*')].filter((element) =>
      [...element.attributes].some(({ name }) => name.startsWith('on') || name === 'style'),
    ).length,
    images: [...document.images].filter((image) => !image.src.startsWith(`${location.origin}/pay/`)).length,
    links: [...document.links].filter((link) => !/^https?:$/.test(link.protocol)).length,
  }))
const NONE = { hacked: false, scripts: 0, handlers: 0, images: 0, links: 0 }

test('markup in names, ids, keys, tokens and addresses is text on every page [row 103]', async () => {
  await using own = await openShop()
  own.kit.store.db.run('update partners set name = ? where name = ?', HOSTILE, own.kit.bnpl.name)
  const externalTrxId = `T-${HOSTILE}`.slice(0, 100)
  const token = await own.token(externalTrxId)
  const back = {
    successReturnUrl: `${own.origin}/?q=${encodeURIComponent(HOSTILE)}`,
    errorReturnUrl: `${own.origin}/#${HOSTILE}`,
  }
  await page.goto(own.address(token, back))
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(HOSTILE.slice(0, 40))
  expect(await intruders()).toEqual(NONE)
  await page.getByRole('button', { name: /^Confirmar/ }).click()
  await page.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  expect(await page.locator('dd').filter({ hasText: 'T-' }).textContent()).toBe(externalTrxId)
  expect(await intruders()).toEqual(NONE)
  for (const over of [
    { widgetToken: HOSTILE },
    { publicKey: HOSTILE },
    { successReturnUrl: HOSTILE },
    { lang: HOSTILE },
  ]) {
    await page.goto(own.address(token, { ...back, ...over }))
    expect(await intruders()).toEqual(NONE)
  }
})

test('an injected script does not run, loads nothing and sends nothing [row 103, page 2]', async () => {
  await page.goto(shop.address(await shop.token('csp')))
  const violations: string[] = []
  await page.exposeFunction('noteViolation', (directive: string) => violations.push(directive))
  const fetched = await page.evaluate(async (elsewhere) => {
    document.addEventListener('securitypolicyviolation', (event) =>
      Reflect.get(window, 'noteViolation')(event.effectiveDirective),
    )
    const script = document.createElement('script')
    script.textContent = 'window.hacked = 1'
    const foreign = document.createElement('script')
    foreign.src = `${elsewhere}/x.js`
    const picture = document.createElement('img')
    picture.src = `${elsewhere}/x.png`
    const button = document.createElement('button')
    button.setAttribute('onclick', 'window.hacked = 1')
    const form = document.createElement('form')
    form.action = `${elsewhere}/form`
    document.body.append(script, foreign, picture, button, form)
    button.click()
    form.submit()
    return fetch(elsewhere).then(
      () => 'sent',
      () => 'refused',
    )
  }, shop.origin)
  expect(fetched).toBe('refused')
  await expect
    .poll(() => [...new Set(violations)].sort())
    .toEqual(['connect-src', 'form-action', 'img-src', 'script-src-attr', 'script-src-elem'])
  expect((await intruders()).hacked).toBe(false)
  expect(shop.visits).toEqual([])
})

test('until the result, the page sends requests only to its own origin, and the merchant gets no referrer [row 106]', async () => {
  const origins = new Set<string>()
  context.on('request', (request) => origins.add(new URL(request.url()).origin))
  await page.goto(shop.address(await shop.token('origen')))
  await page.getByRole('button', { name: /^Confirmar/ }).click()
  await page.getByRole('heading', { name: 'Pago aprobado' }).waitFor()
  expect([...origins]).toEqual([shop.pay.baseUrl])
  expect(await context.cookies()).toEqual([])
  await page.getByRole('link', { name: 'Volver ahora' }).click()
  await page.getByRole('heading', { name: 'shop' }).waitFor()
  expect(shop.visits.map(({ referer }) => referer)).toEqual([undefined])
  expect(await page.evaluate(() => document.referrer)).toBe('')
})

test('another site can neither frame the page nor post its form [row 109]', async () => {
  const token = await shop.token('ajeno')
  const address = shop.address(token)
  await page.goto(shop.origin)
  await page.evaluate((src) => {
    const frame = document.createElement('iframe')
    frame.src = src
    document.body.append(frame)
    return new Promise((resolve) => frame.addEventListener('load', resolve))
  }, address)
  const framed = page.frames()[1]
  expect(await framed?.evaluate(() => document.body.innerText).catch(() => '')).not.toContain('250.000')
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.evaluate((url) => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = url.split('?')[0] ?? ''
      for (const [name, value] of [...new URL(url).searchParams, ['action', 'cancel']] as [string, string][]) {
        const input = document.createElement('input')
        Object.assign(input, { name, value })
        form.append(input)
      }
      document.body.append(form)
      form.submit()
    }, address),
  ])
  expect(answer.status()).toBe(403)
  expect((await shop.kit.sandbox.payments.session(token, shop.kit.bnpl.publicKey)).ok).toBe(true)
})
