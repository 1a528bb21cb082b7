import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from './window-fixtures.ts'
import { openServer } from './window-kit.ts'
import { openRow } from './window-views.ts'

const edges = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((all) => [...new Set(all.map((each) => Math.round(each.getBoundingClientRect().right)))])

const top = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN

test('figures are aligned, steps are named once, amounts have their currency, a request names its subject [page 4.1, page 4.2, page 4.3, page 4.4]', async ({
  kit,
  person,
}) => {
  await kit.evaluate('order-1', { amount: 45_500 })
  await kit.evaluate('order-2', { rut: '11111111-1', amount: 1_312_000 })
  await kit.payAddress('order-1', `${kit.baseUrl}/`, 45_500)
  const page = await kit.enter(await person({ viewport: { width: 1440, height: 860 } }))
  const rows = page.locator('a.row')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await edges(page, '.rows .sum')).toHaveLength(1)
  expect(await edges(page, '.rows .steps')).toHaveLength(1)
  expect(await page.locator('.rows .sum').allTextContents()).toEqual(['$45,500', '$1,312,000'])
  expect(await page.locator('.head .steps').textContent()).toBe('EvaluatedSelectedTokenPaidVerified')
  // The steps of a row are shown as five shapes. Their names are only for screen readers.
  const shown = await page.locator('.rows .steps li > :not(.unseen)').allTextContents()
  expect(shown.join('')).toBe('')
  await kit.turn(page, 'requests')
  await expect.poll(() => rows.count()).toBe(3)
  expect(await page.locator('.rows .about').allTextContents()).toEqual([
    'startWidget order-1',
    'evaluate order-2',
    'evaluate order-1',
  ])
  expect(await edges(page, '.rows time')).toHaveLength(1)
  await kit.control('lead', { now: true })
  await kit.control('lead')
  await kit.turn(page, 'leads')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await edges(page, '.rows .wide')).toHaveLength(1)
  expect(await edges(page, '.rows .sum')).toHaveLength(1)
  await page.setViewportSize({ width: 390, height: 860 })
  await kit.turn(page, 'payments')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await edges(page, '.rows .sum')).toHaveLength(1)
})

test('on a phone the deliveries begin at the top, the controls hide their commands and fold the accounts, and Reset is the last [page 4.5, page 4.7]', async ({
  kit,
  person,
}) => {
  for (let i = 0; i < 3; i++) await kit.call('/partner/webhook', { url: `http://127.0.0.1:9/${i}` })
  await kit.evaluate('order-1')
  await kit.control('pay', { externalTrxId: 'order-1' })
  const page = await kit.enter(await person({ viewport: { width: 390, height: 860 } }), 'webhooks')
  await page.locator('a.row').first().waitFor()
  expect(await top(page, 'a.row')).toBeLessThan(200)
  await kit.turn(page, 'controls')
  await page.locator('.account').first().waitFor()
  expect(await page.locator('.command:visible').count()).toBe(0)
  expect(await page.locator('.account[open]').count()).toBe(1)
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3800)
  expect(await page.locator('.card h2').last().textContent()).toBe('Reset')
  await page.getByLabel('Show the command for each control').check()
  expect(await page.locator('.command:visible').count()).toBeGreaterThan(5)
})

test('in forced colours each state of a step or attempt has its own shape, and the open part is underlined [page 4.6, page 3]', async ({
  kit,
  person,
}) => {
  await using receiver = await openServer((request, response) => {
    request.resume()
    response.writeHead(request.url === '/bad' ? 500 : 200).end()
  })
  for (const path of ['good', 'bad']) await kit.call('/partner/webhook', { url: `${receiver.url}/${path}` })
  await kit.evaluate('paid')
  await kit.control('pay', { externalTrxId: 'paid' })
  await kit.evaluate('open')
  await kit.payAddress('open', `${kit.baseUrl}/`)
  await kit.evaluate('rejected')
  await kit.control('pay', { externalTrxId: 'rejected', reject: true })
  const page = await kit.enter(await person({ forcedColors: 'active' }))
  await expect.poll(() => page.locator('a.row').count()).toBe(3)
  const shapes = await page.evaluate(() =>
    ['done', 'now', 'bad', 'left', 'skipped'].map((state) => {
      const dot = document.querySelector(`.${state} .dot`)
      if (dot === null) return `no ${state}`
      const { backgroundColor, backgroundImage, borderStyle, clipPath } = getComputedStyle(dot)
      return [backgroundColor, backgroundImage, borderStyle, clipPath].join(' ')
    }),
  )
  expect(new Set(shapes).size).toBe(5)
  expect(shapes.join()).not.toContain('no ')
  const underlines = await page
    .locator('.tabs a')
    .evaluateAll((tabs) => tabs.filter((tab) => getComputedStyle(tab).textDecorationLine === 'underline').length)
  expect(underlines).toBe(1)
  await kit.turn(page, 'webhooks')
  const attempts = await Promise.all(
    ['good', 'bad'].map((look) =>
      page
        .locator(`.try.${look}`)
        .first()
        .evaluate((dot) => {
          const { backgroundColor, borderStyle, clipPath } = getComputedStyle(dot)
          return [backgroundColor, borderStyle, clipPath].join(' ')
        }),
    ),
  )
  expect(attempts[0]).not.toBe(attempts[1])
})

test('an item shows facts before buttons; a time has its date and age; an id is shortened and has one button [page 4.8, page 4.9]', async ({
  kit,
  person,
}) => {
  await kit.evaluate('order-1')
  await kit.control('pay', { externalTrxId: 'order-1', reject: true })
  const page = await kit.enter(await person())
  await openRow(page)
  expect(await top(page, '.detail .facts')).toBeLessThan(await top(page, '.detail .buttons'))
  expect(await page.locator('.detail .command:visible', { hasText: 'bnpl sandbox pay' }).count()).toBe(0)
  expect(await page.locator('.detail button.primary').count()).toBe(0)
  const evaluated = page.locator('.detail .facts > div', { hasText: 'Evaluated' })
  expect(await evaluated.locator('time').getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(await evaluated.locator('time').getAttribute('title')).toMatch(/\d{4}.*\d:\d\d:\d\d/)
  expect(await evaluated.textContent()).toMatch(/\d\d:\d\d:\d\d now$/)
  await kit.control('clock', { advanceMs: 11 * 60_000 })
  await evaluated.getByText('11 min. ago').waitFor()
  const id = page.locator('.detail .id')
  expect(await id.locator('code').textContent()).toMatch(/^[\da-f]{8}…[\da-f]{4}$/)
  expect(await id.locator('button').count()).toBe(1)
})

test('the cost of a plan looks like the installment, both cards are equally tall, and the bar is low at 320 px [page 4.10]', async ({
  kit,
  person,
}) => {
  await kit.evaluate('order-1')
  const context = await person({ viewport: { width: 1440, height: 860 } })
  const pay = await context.newPage()
  await pay.goto(await kit.payAddress('order-1', `${kit.baseUrl}/`))
  const looks = await pay
    .locator('.plan')
    .first()
    .evaluate((plan) =>
      ['.plan-each', '.plan-cost'].map((part) => {
        const { color, fontSize } = getComputedStyle(plan.querySelector(part) ?? plan)
        return { color, isLarge: Number.parseFloat(fontSize) >= 15 }
      }),
    )
  expect(looks[1]).toEqual(looks[0])
  const boxes = await Promise.all(['.purchase', '.card'].map((part) => pay.locator(part).boundingBox()))
  expect(boxes[0]?.height).toBe(boxes[1]?.height)
  const page = await kit.enter(await person({ viewport: { width: 320, height: 640 } }))
  expect((await page.locator('.bar').boundingBox())?.height).toBeLessThan(100)
})

test('at 390 px all tabs fit and no endpoint name wraps; at 1440 px the actions of an item need no scrolling', async ({
  kit,
  person,
}) => {
  await kit.call('/partner/webhook', { url: 'http://127.0.0.1:9/' })
  await kit.evaluate('order-1')
  await kit.control('pay', { externalTrxId: 'order-1' })
  await kit.control('faultAdd', { endpoint: 'startWidget', delayMs: 1 })
  await kit.payAddress('order-1', `${kit.baseUrl}/`)
  const page = await kit.enter(await person({ viewport: { width: 390, height: 860 } }), 'requests')
  await expect.poll(() => page.locator('a.row').count()).toBe(3)
  expect(Math.max(...(await edges(page, '.tabs a')))).toBeLessThanOrEqual(390)
  const lines = page.locator('.rows .about strong')
  expect(await lines.evaluateAll((all) => all.map((each) => each.getClientRects().length))).toEqual([1, 1, 1])
  await page.setViewportSize({ width: 1440, height: 860 })
  for (const part of ['payments', 'requests', 'webhooks']) {
    await kit.turn(page, part)
    await openRow(page)
    const buttons = page.locator('.detail .buttons').first()
    await expect.poll(async () => (await buttons.boundingBox())?.y ?? Number.NaN).toBeLessThan(700)
  }
})

/** Returns the contrast of the text of the element under the pointer, with the colours that it has now. */
const contrastOf = (element: Locator) =>
  element.evaluate((node) => {
    const rgb = (colour: string) => [...colour.matchAll(/[\d.]+/g)].map(Number)
    const light = (colour: string) => {
      const [r = 0, g = 0, b = 0] = rgb(colour).map((part) => {
        const share = part / 255
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    let behind: Element | null = node
    while (behind !== null && rgb(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement
    const [a, b] = [getComputedStyle(node).color, getComputedStyle(behind ?? document.body).backgroundColor].map(light)
    const [high, low] = [Math.max(a ?? 0, b ?? 0), Math.min(a ?? 0, b ?? 0)]
    return (high + 0.05) / (low + 0.05)
  })

test('every button can be read while the pointer is on it, also one that has opened a form, in light and dark', async ({
  kit,
  person,
}) => {
  await kit.evaluate('order-1')
  const page = await kit.enter(await person({ reducedMotion: 'reduce' }))
  const poor: string[] = []
  const seen = new Set<string>()
  const look = async () => {
    for (const each of await page.locator('button:visible:enabled').all()) {
      // Buttons of one class in places of one class look the same.
      const kind = await each.evaluate((node) => `${node.className} in ${node.parentElement?.className}`)
      if (seen.has(kind)) continue
      seen.add(kind)
      await each.hover()
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        const contrast = await contrastOf(each)
        if (contrast < 4.5) poor.push(`${await each.textContent()}, ${colorScheme}: ${contrast.toFixed(1)}`)
      }
    }
  }
  await page.locator('a.row').first().waitFor()
  await page.getByRole('button', { name: 'New payment' }).click()
  await look()
  await page.locator('a.row').first().click()
  await page.locator('.detail h2').waitFor()
  await look()
  await kit.turn(page, 'controls')
  await page.locator('.account').first().waitFor()
  await look()
  expect(poor).toEqual([])
  expect(seen.size).toBeGreaterThan(5)
})

test('on a phone, a row of a scrolled list opens at the beginning of its detail', async ({ kit, person }) => {
  for (let i = 0; i < 20; i++) await kit.evaluate(`order-${i}`)
  const page = await kit.enter(await person({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true }))
  await page.locator('a.row').nth(19).waitFor()
  await page.locator('a.row').nth(18).scrollIntoViewIfNeeded()
  await page.locator('a.row').nth(18).tap()
  const heading = page.locator('.detail h2')
  await heading.waitFor()
  const bar = (await page.locator('header').first().boundingBox())?.height ?? 0
  await expect.poll(async () => (await heading.boundingBox())?.y ?? -1).toBeGreaterThan(0)
  expect(await heading.evaluate((node) => node.getBoundingClientRect().top)).toBeGreaterThanOrEqual(bar - 1)
  expect(await heading.evaluate((node) => node.getBoundingClientRect().bottom)).toBeLessThan(400)
})

test('the destination of a delivery is always in sight, also beside an open item and on a phone', async ({
  kit,
  person,
}) => {
  for (const end of ['uno', 'dos'])
    await kit.call('/partner/webhook', { url: `http://127.0.0.1:9/webhooks/of/the/shop/${end}` })
  await kit.evaluate('order-1')
  await kit.control('pay', { externalTrxId: 'order-1' })
  const page = await kit.enter(await person({ viewport: { width: 1280, height: 860 } }), 'webhooks')
  const inSight = async () => {
    for (const end of ['uno', 'dos']) {
      const to = page.locator('.deliveries-rows .to', { hasText: end })
      await to.waitFor()
      // The end of the address is inside its box, so it is not cut.
      const isShown = await to.evaluate((node, text) => {
        const range = document.createRange()
        const inner = node.querySelector('bdi')?.firstChild
        if (!inner) return false
        const whole = inner.textContent ?? ''
        range.setStart(inner, whole.length - text.length)
        range.setEnd(inner, whole.length)
        const [at, box] = [range.getBoundingClientRect(), node.getBoundingClientRect()]
        return at.width > 0 && at.left >= box.left - 1 && at.right <= box.right + 1
      }, end)
      expect([end, isShown]).toEqual([end, true])
    }
  }
  await inSight()
  await page.locator('a.row').first().click()
  await page.locator('.detail h2').waitFor()
  await inSight()
  await page.locator('.close').click()
  await page.setViewportSize({ width: 390, height: 800 })
  await inSight()
})
