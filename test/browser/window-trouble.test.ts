import type { Locator, Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { lastingPort } from '../kit/lasting-port.ts'
import { test } from './window-fixtures.ts'
import { openServer, openWindowKit } from './window-kit.ts'
import { fill } from './window-rows.ts'

/** Returns the text of the focused element. */
const FOCUSED = () => document.activeElement?.textContent

/** Returns whether an element begins in the view of the window, below the bar. */
const inView = (locator: Locator) =>
  locator.evaluate((element) => {
    const { top } = element.getBoundingClientRect()
    const below = document.querySelector('.bar')?.getBoundingClientRect().bottom ?? Number.NaN
    return top > below && top < innerHeight
  })

test('an unknown item in the address shows a message, and the page stays live [page 1.4]', async ({ kit, person }) => {
  const page = await kit.enter(await person())
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  for (const key of ['%', 'garbage', 'null', '%5B1%5D', '%7B%7D']) {
    await page.goto(`${kit.baseUrl}/#/payments/${key}`)
    await page.reload()
    await page.locator('.stream', { hasText: 'Live' }).waitFor()
    await page.locator('.detail').getByText('This item no longer exists.').waitFor()
  }
  for (const part of ['nope/x', '__proto__/x']) {
    await page.goto(`${kit.baseUrl}/#/${part}`)
    await page.reload()
    await page.locator('main[data-part="payments"]').waitFor()
    await page.locator('.stream', { hasText: 'Live' }).waitFor()
  }
  expect(errors).toEqual([])
})

test('new requests neither move the row under the pointer nor take the focus from a row [page 1.5, page 3]', async ({
  kit,
  person,
}) => {
  await fill(kit.dataFile, { requests: [0, 50], deliveries: [0, 0] })
  const page = await kit.enter(await person(), 'requests')
  const row = page.locator('a.row', { hasText: 'order-47' })
  await row.hover()
  const { y } = (await row.boundingBox()) ?? { y: 0 }
  for (let i = 0; i < 3; i++) await kit.verify(`new-${i}`)
  await page.getByRole('button', { name: '3 new' }).waitFor()
  await expect.poll(async () => (await row.boundingBox())?.y).toBe(y)
  await page.mouse.down()
  await page.mouse.up()
  await page.locator('.detail h2', { hasText: 'order-47' }).waitFor()
  await page.mouse.move(5, 5)
  await page.locator('a.row', { hasText: 'new-2' }).waitFor()
  expect(await page.getByRole('button', { name: '3 new' }).count()).toBe(0)
  // The next request would move the last row to another page.
  const last = page.locator('a.row').last()
  await last.focus()
  await kit.verify('new-3')
  await page.getByRole('button', { name: '1 new' }).waitFor()
  expect(await last.evaluate((each) => each === document.activeElement)).toBe(true)
})

test('while the page is paused, only actions of the user change the page [page 3]', async ({ kit, person }) => {
  await kit.evaluate('order-1')
  const page = await kit.enter(await person())
  await page.locator('a.row', { hasText: 'order-1' }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  const asked = page.waitForResponse((answer) => answer.url().endsWith('/show/payments'), { timeout: 400 })
  await kit.evaluate('order-2')
  expect(await asked.catch(() => 'nothing')).toBe('nothing')
  await page.locator('a.row', { hasText: 'order-1' }).click()
  await page.getByRole('region', { name: 'Details' }).getByRole('button', { name: 'Pay', exact: true }).click()
  await page.locator('a.row', { hasText: 'order-1' }).getByText('Paid: done').waitFor({ state: 'attached' })
  await kit.evaluate('order-3')
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.locator('a.row', { hasText: 'order-3' }).waitFor()
})

test('loading a snapshot asks first, and the replaced state is kept as the snapshot before-load [page 1.6]', async ({
  kit,
  person,
}) => {
  await kit.control('snapshotSave', { name: 'empty' })
  await kit.evaluate('order-1')
  const page = await kit.enter(await person(), 'controls')
  const load = page
    .getByRole('listitem')
    .filter({ hasText: 'empty' })
    .getByRole('button', { name: 'Load', exact: true })
  await load.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await kit.control('status')).toMatchObject({ preApprovals: 1 })
  await load.click()
  await page.getByRole('dialog').getByText('kept as the snapshot “before-load”').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Load' }).click()
  await expect.poll(() => kit.control('status')).toMatchObject({ preApprovals: 0 })
  await kit.control('snapshotLoad', { name: 'before-load' })
  expect(await kit.control('status')).toMatchObject({ preApprovals: 1 })
})

test('a confirmation that the browser stopped can be sent again [page 1.7]', async ({ kit, person }) => {
  await using shop = await openServer((_, response) => response.end('shop'))
  await kit.evaluate('order-1')
  const page = await (await person()).newPage()
  await page.clock.install()
  await page.goto(await kit.payAddress('order-1', `${shop.url}/`))
  // A 204 has the effect of the browser's Stop button: no new page comes, and the old one stays.
  const stopped = (route: Route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 204 }) : route.continue()
  await page.route('**/pay/**', stopped)
  const confirm = page.locator('[data-confirm-button]')
  const words = await confirm.textContent()
  const answered = page.waitForResponse((answer) => answer.status() === 204)
  await confirm.click({ noWaitAfter: true })
  await expect.poll(() => confirm.textContent()).not.toBe(words)
  await answered
  await page.unroute('**/pay/**', stopped)
  await page.clock.runFor(9000)
  await expect.poll(() => confirm.textContent()).toBe(words)
  await confirm.click()
  await page.getByRole('heading', { name: 'Payment approved' }).waitFor()
})

test('while the sandbox is stopped, the page and a click on New payment say that the sandbox does not answer [page 1.8, page 3]', async ({
  person,
}) => {
  const port = await lastingPort()
  await using kit = await openWindowKit(port)
  await kit.evaluate('order-1')
  const page = await kit.enter(await person())
  await kit.served.close()
  await page.getByText('The sandbox does not answer.').first().waitFor()
  expect(await page.getByRole('status').getByText('Not connected').count()).toBe(1)
  await kit.turn(page, 'requests')
  expect(await page.getByRole('button', { name: 'Older' }).count()).toBe(0)
  await kit.turn(page, 'payments')
  await page.getByRole('button', { name: 'New payment' }).click()
  await page.locator('[data-said]', { hasText: 'The sandbox does not answer.' }).waitFor()
  expect(await page.getByRole('combobox').count()).toBe(0)
  await page.locator('.said').getByRole('button', { name: 'Close' }).click()
  expect(await page.locator('[data-said]').textContent()).toBe('')
})

test('eight tabs of one browser are live over one stream, and the payment page opens beside them [page 1.9]', async ({
  kit,
  person,
}) => {
  await kit.evaluate('order-1')
  const browser = await person()
  const tabs = [await kit.enter(browser)]
  for (let i = 1; i < 8; i++) {
    const tab = await browser.newPage()
    await tab.goto(`${kit.baseUrl}/#/payments`)
    await tab.locator('.stream', { hasText: 'Live' }).waitFor()
    tabs.push(tab)
  }
  const pay = await browser.newPage()
  await pay.goto(await kit.payAddress('order-1', `${kit.baseUrl}/`))
  await pay.locator('[data-confirm-button]').waitFor()
  // After the tab that reads the stream is closed, another tab reads it.
  await tabs[0]?.close()
  await kit.evaluate('order-2')
  for (const tab of tabs.slice(1)) await tab.locator('a.row', { hasText: 'order-2' }).waitFor()
})

test('a filter without a match shows a message and can be cleared; the filter and the language survive a reload [page 1.11, page 3]', async ({
  kit,
  person,
}) => {
  await fill(kit.dataFile, { requests: [0, 20], deliveries: [0, 0] })
  const page = await kit.enter(await person(), 'requests')
  await page.getByLabel('Filter by path or id').fill('order-7')
  await page.getByText('1–1 of 1').waitFor()
  await page.getByRole('status').getByText('1 result').waitFor({ state: 'attached' })
  await page.reload()
  await page.getByText('1–1 of 1').waitFor()
  await page.getByLabel('Filter by path or id').fill('nothing-has-this')
  await page.getByRole('status').getByText('Nothing matches the filter.').waitFor({ state: 'attached' })
  expect(await page.locator('.empty').getByText('Nothing matches the filter.').isVisible()).toBe(true)
  expect(await page.getByText('No requests yet.').isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await page.getByText('1–20 of 20').waitFor()
  await page.locator('a.row', { hasText: 'order-7' }).click()
  await page.getByRole('link', { name: 'Español' }).click()
  await page.locator('.stream', { hasText: 'En vivo' }).waitFor()
  await page.locator('.detail h2', { hasText: 'order-7' }).waitFor()
  await page.goto(`${kit.baseUrl}/`)
  await page.locator('.stream', { hasText: 'En vivo' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('es')
})

test('the focus moves to the opened item, and back to its row when it is closed; the empty message area does not block clicks [page 1.11, page 3]', async ({
  kit,
  person,
}) => {
  for (const id of ['order-1', 'order-2', 'order-3']) await kit.evaluate(id)
  const page = await kit.enter(await person())
  const { x, y, width, height } = await page.locator('.said').evaluate((box) => box.getBoundingClientRect().toJSON())
  const hit = await page.evaluate(
    ([left, top]) => document.elementFromPoint(left ?? 0, top ?? 0)?.className,
    [x + width / 2, y + height / 2],
  )
  expect(hit).not.toContain('said')
  // The first Tab reaches the link that skips the bar at the top.
  await page.keyboard.press('Tab')
  expect(await page.evaluate(FOCUSED)).toBe('Skip to the content')
  await page.locator('a.row', { hasText: 'order-2' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('order-2')
  expect(await page.title()).toBe('order-2 · Payments · bnpl sandbox')
  await kit.evaluate('order-4')
  await page.locator('a.row', { hasText: 'order-4' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('a.row:focus', { hasText: 'order-2' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('a.close').click()
  await page.locator('a.row:focus', { hasText: 'order-2' }).waitFor()
})

test('on a phone closing an item returns to the row of the item, and another part opens at its top [page 1.11, page 3]', async ({
  kit,
  person,
}) => {
  await fill(kit.dataFile, { requests: [0, 40], deliveries: [0, 0] })
  const page = await kit.enter(await person({ viewport: { width: 390, height: 860 } }), 'requests')
  const row = page.locator('a.row', { hasText: 'order-5' })
  await row.click()
  await page.locator('.detail h2').waitFor()
  await page.locator('a.close').click()
  await page.locator('a.row:focus', { hasText: 'order-5' }).waitFor()
  await expect.poll(() => inView(row)).toBe(true)
  // The second time the list is already drawn, and the page is as long as before.
  for (const [part, first] of [
    ['controls', '.card'],
    ['requests', 'a.row'],
  ] as const) {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
    await kit.turn(page, part)
    await expect.poll(() => inView(page.locator(first).first())).toBe(true)
  }
})

test('a refused value is reported at its field, and any other failure in a message that the user must close [page 3]', async ({
  kit,
  person,
}) => {
  const page = await kit.enter(await person({ locale: 'es-CL' }), 'controls')
  await page.locator('.account').first().waitFor()
  await page.clock.install()
  const order = page.locator('input[name="pay"]')
  await order.fill('no-such-order')
  const pay = page.getByRole('button', { name: 'Pagar', exact: true })
  await pay.click()
  await page.getByRole('alert').getByText('El sandbox no conoce esta transacción').waitFor()
  expect(await order.getAttribute('aria-describedby')).toBe(await page.getByRole('alert').getAttribute('id'))
  expect(await page.getByRole('alert').getAttribute('lang')).toBe('es')
  expect(await order.evaluate((input) => input === document.activeElement)).toBe(true)
  const error = { code: 'ERR_SERVICE_UNAVAILABLE', message: 'not available' }
  await page.route('**/do/pay', (route) => route.fulfill({ status: 503, json: { error } }))
  await pay.click()
  const said = page.getByRole('status').getByText('El servicio no puede atender esta llamada')
  await said.waitFor()
  expect(await said.getAttribute('lang')).toBe('es')
  await page.clock.runFor(60_000)
  expect(await said.isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Cerrar' }).click()
  expect(await said.count()).toBe(0)
})

test('every Copy button has a unique name, and a wrong duration is reported at its field [page 3]', async ({
  kit,
  person,
}) => {
  const page = await kit.enter(await person(), 'controls')
  await page.getByText('Test customers').waitFor()
  const names = await page
    .locator('button', { hasText: 'Copy' })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''))
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  const by = page.getByRole('textbox', { name: 'By' })
  await by.fill('soon')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('alert').getByText('Write a duration such as 90s').waitFor()
  expect(await by.getAttribute('aria-invalid')).toBe('true')
  await by.fill('1m')
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('Leave ends the access of one browser, and Leave in every browser ends the access of all browsers', async ({
  kit,
  person,
}) => {
  const [mine, other] = [await kit.enter(await person(), 'controls'), await kit.enter(await person(), 'payments')]
  const door = (page: Page) => page.locator('[data-door] h1').waitFor()
  await mine.getByRole('button', { name: 'Leave', exact: true }).click()
  await door(mine)
  await mine.reload()
  await door(mine)
  await kit.turn(other, 'controls')
  await other.getByRole('button', { name: 'Leave in every browser' }).click()
  await door(other)
})
