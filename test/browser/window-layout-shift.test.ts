import { expect } from 'vitest'
import { shiftsOf, watchShifts } from './layout-shift.ts'
import { test } from './window-fixtures.ts'

/** The most that a page may move without an input: the share of the page that moved, multiplied by how far it moved. */
const LIMIT = 0.05

test('the controls appear in their places', async ({ kit, person }) => {
  const context = await person({ viewport: { width: 1440, height: 860 } })
  await watchShifts(context)
  const page = await kit.enter(context, 'controls')
  await page.locator('.account').first().waitFor()
  expect((await shiftsOf(page)).sum).toBeLessThan(LIMIT)
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
  // If the rows jumped to their places, each would add 0.07.
  expect((await shiftsOf(page)).sum).toBeLessThan(LIMIT)
})
