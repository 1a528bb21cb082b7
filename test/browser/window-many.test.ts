import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from './window-fixtures.ts'
import { fill } from './window-rows.ts'

/** Returns what the browser has fetched since its page was opened. */
const fetched = (page: Page) =>
  page.evaluate(() =>
    performance.getEntriesByType('resource').map((entry) => {
      const { name, decodedBodySize } = entry as PerformanceResourceTiming
      return { path: new URL(name).pathname, bytes: decodedBodySize }
    }),
  )
const elements = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)

test('the first view of 10,000 requests or 1,000 deliveries is as small as the first view of 100', async ({
  kit,
  person,
}) => {
  const firstView = async (part: string, count: string) => {
    const page = await kit.enter(await person(), part)
    await page.getByText(count).waitFor()
    const asked = (await fetched(page)).filter(({ path }) => path.startsWith('/_window/show/'))
    const bytes = Math.max(...asked.map((each) => each.bytes))
    return { page, elements: await elements(page), views: [...new Set(asked.map(({ path }) => path))], bytes }
  }
  await fill(kit.dataFile, { requests: [0, 100], deliveries: [0, 100] })
  const few = await firstView('requests', '1–50 of 100')
  const fewDeliveries = await firstView('webhooks', '1–50 of 100')
  await fill(kit.dataFile, { requests: [100, 10_000], deliveries: [100, 1000] })
  const many = await firstView('requests', '1–50 of 10,000')
  const manyDeliveries = await firstView('webhooks', '1–50 of 1,000')
  for (const [a, b] of [
    [few, many],
    [fewDeliveries, manyDeliveries],
  ] as const) {
    expect([b.elements, b.views]).toEqual([a.elements, a.views])
    expect(b.bytes).toBeLessThan(1.2 * a.bytes)
  }
  expect(many.views).toEqual(['/_window/show/requests'])
  expect(many.elements).toBeLessThan(800)

  const { page } = many
  const rows = page.locator('a.row')
  const first = await rows.first().textContent()
  await page.getByRole('button', { name: 'Older' }).click()
  await page.getByText('51–100 of 10,000').waitFor()
  expect(await rows.count()).toBe(50)
  expect(await rows.first().textContent()).not.toBe(first)
  await page.getByLabel('Filter by path or id').fill('order-9999')
  await page.getByText('1–1 of 1').waitFor()
})

test('a new request adds a row, and the other rows are not drawn again', async ({ kit, person }) => {
  await fill(kit.dataFile, { requests: [0, 60], deliveries: [0, 0] })
  const page = await kit.enter(await person(), 'requests')
  const rows = page.locator('a.row')
  await page.getByText('1–50 of 60').waitFor()
  const kept = await rows.first().elementHandle()
  // The scripts of the other parts are still being loaded, so compare only the views.
  const views = async () =>
    (await fetched(page)).flatMap(({ path }) => (path.startsWith('/_window/show/') ? [path] : []))
  const before = (await views()).length
  await kit.evaluate('order-1')
  await page.getByText('1–50 of 61').waitFor()
  expect(await rows.nth(1).evaluate((row, was) => row === was, kept)).toBe(true)
  expect([...new Set((await views()).slice(before))]).toEqual(['/_window/show/requests'])
})

test('payments are searched by a part of their id, and the search can be cleared', async ({ kit, person }) => {
  await kit.evaluate('order_1')
  await kit.evaluate('Order-2')
  const page = await kit.enter(await person(), 'payments')
  const rows = page.locator('a.row')
  await expect.poll(() => rows.count()).toBe(2)
  const search = page.getByLabel('Search', { exact: true })
  await search.fill('ORDER-')
  await page.getByText('1–1 of 1').waitFor()
  expect(await rows.first().textContent()).toContain('Order-2')
  // The search takes every character literally: `_` is no pattern.
  await search.fill('r_1')
  await expect.poll(() => rows.first().textContent()).toContain('order_1')
  expect(await rows.count()).toBe(1)
  await search.fill('none')
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect.poll(() => rows.count()).toBe(2)
})
