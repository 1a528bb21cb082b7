import { expect } from 'vitest'
import { test } from './window-fixtures.ts'

/** Returns the text of the focused element. */
const FOCUSED = () => document.activeElement?.textContent

test('every tab lists what each request changed since a marked moment, and a return to that moment asks first', async ({
  kit,
  person,
}) => {
  await kit.evaluate('before')
  const context = await person()
  const page = await kit.enter(context, 'changes')
  await page.getByText('No moment is marked yet.').waitFor()
  expect(await page.getByRole('button', { name: /^Return to \d/ }).count()).toBe(0)
  const other = await context.newPage()
  await other.goto(`${kit.baseUrl}/#/changes`)
  await other.getByText('No moment is marked yet.').waitFor()

  await page.getByRole('button', { name: 'Mark this moment' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[data-said]', { hasText: 'Marked' }).waitFor()
  expect(await page.evaluate(FOCUSED)).toBe('Mark this moment')
  await other.getByText('Nothing has happened since then.').waitFor()

  await kit.evaluate('order-1')
  await kit.payAddress('order-1', `${kit.baseUrl}/`)
  await kit.control('pay', { externalTrxId: 'order-1' })
  await kit.verify('order-1')
  const rows = page.locator('a.row')
  await rows.filter({ hasText: 'verifyLoan order-1' }).getByText('Loan: Verified').waitFor()
  await rows.filter({ hasText: 'Customer' }).getByText('Loan: $250,000').waitFor()
  expect(await page.getByText('3 requests, 6 changes').count()).toBe(1)
  expect(await rows.filter({ hasText: 'before' }).count()).toBe(0)
  await rows.filter({ hasText: 'evaluate order-1' }).click()
  await page.locator('.detail').getByRole('link', { name: 'order-1', exact: true }).waitFor()
  expect(await page.evaluate(FOCUSED)).toBe('evaluate order-1')
  expect(await page.locator('.detail').innerText()).not.toContain('11222333')
  await page.reload()
  await page.locator('.detail h2', { hasText: 'evaluate order-1' }).waitFor()
  await page.locator('a.close').click()

  await page.getByRole('button', { name: /^Return to \d/ }).click()
  await page.getByRole('dialog').getByText('saved as the snapshot “before-load”').waitFor()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Return to \d/ })
    .click()
  await other.getByText('Nothing has happened since then.').waitFor()
  expect(await kit.control('status')).toMatchObject({ preApprovals: 1, loans: 0, requests: 1 })
  await other.getByRole('combobox', { name: 'Since' }).selectOption('before-load')
  await other.locator('a.row', { hasText: 'State' }).getByText('Loan: $250,000').waitFor()
})
