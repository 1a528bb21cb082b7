import { expect } from 'vitest'
import { LARGEST_SHIFT, shiftsOf, watchShifts } from './layout-shift.ts'
import { test } from './window-fixtures.ts'
import { fill } from './window-rows.ts'

test('the controls do not shift while the page loads', async ({ kit, person }) => {
  const context = await person({ viewport: { width: 1440, height: 860 } })
  await watchShifts(context)
  const page = await kit.enter(context, 'controls')
  await page.locator('.account').first().waitFor()
  expect((await shiftsOf(page)).sum).toBeLessThan(LARGEST_SHIFT)
})

test('neither the first view of a list nor its new rows move the rest of the page [page 5]', async ({
  kit,
  person,
}) => {
  for (const id of ['order-1', 'order-2', 'order-3']) await kit.evaluate(id)
  const context = await person({ viewport: { width: 390, height: 860 } })
  await watchShifts(context)
  const page = await kit.enter(context)
  await page.locator('a.row', { hasText: 'order-3' }).waitFor()
  for (const id of ['order-4', 'order-5', 'order-6']) {
    await kit.evaluate(id)
    await page.locator('a.row', { hasText: id }).waitFor()
  }
  // Rows that jump to their place are 0.07 each.
  expect((await shiftsOf(page)).sum).toBeLessThan(LARGEST_SHIFT)
})

test.for(['requests', 'webhooks'])(
  'on a phone the first view of many %s causes no layout shift [page 5]',
  async (part, { kit, person }) => {
    await fill(kit.dataFile, { requests: [0, 60], deliveries: [0, 60] })
    const context = await person({ viewport: { width: 390, height: 860 } })
    await watchShifts(context)
    const page = await kit.enter(context, part)
    await page.getByText('1–50 of 60').waitFor()
    expect((await shiftsOf(page)).sum).toBeLessThan(LARGEST_SHIFT)
  },
)

test('neither a moved clock nor a sandbox that does not answer moves the page', async ({ kit, person }) => {
  for (let i = 1; i <= 8; i++) await kit.evaluate(`order-${i}`)
  const context = await person({ viewport: { width: 390, height: 860 } })
  await watchShifts(context)
  const page = await kit.enter(context)
  await expect.poll(() => page.locator('a.row').count()).toBe(8)
  await kit.control('clock', { advanceMs: 660_000 })
  await page.getByText('11 min ahead').waitFor()
  await kit.served.close()
  await page.getByText('The sandbox does not answer').waitFor()
  expect((await shiftsOf(page)).sum).toBeLessThan(LARGEST_SHIFT)
})
