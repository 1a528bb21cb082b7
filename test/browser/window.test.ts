import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { test } from './window-fixtures.ts'
import { openServer } from './window-kit.ts'

const HOUR_MS = 3_600_000

/** Returns the states of a transaction's steps, as its row in the list shows them. */
const steps = (row: Locator) => row.locator('.steps li').evaluateAll((items) => items.map((each) => each.className))
const see = (row: Locator, wanted: string[]) => expect.poll(() => steps(row)).toEqual(wanted)

test('the steps of a payment in one tab are updated live in another tab, also if the page asks for the RUT', async ({
  kit,
  person,
}) => {
  const context = await person()
  const page = await kit.enter(context)
  await page.getByText('No payments yet.').waitFor()
  await kit.evaluate('order-1')
  const row = page.locator('a.row', { hasText: 'order-1' })
  await see(row, ['done', 'left', 'left', 'left', 'left'])
  const shop = await context.newPage()
  await shop.goto(await kit.payAddress('order-1', `${kit.baseUrl}/`))
  await see(row, ['done', 'skipped', 'now', 'left', 'left'])
  await row.getByText(/^(10:00|9:[0-5]\d)$/).waitFor()
  await shop.getByRole('button', { name: /confirm/i }).click()
  await see(row, ['done', 'skipped', 'done', 'done', 'left'])
  await kit.verify('order-1')
  await see(row, ['done', 'skipped', 'done', 'done', 'done'])
  await row.click()
  await page.getByRole('img', { name: /installments of .* from .* to / }).waitFor()
  const sheet = page.getByRole('img', { name: 'Page 1 of 2 of the report; opens in full size' })
  await sheet.scrollIntoViewIfNeeded()
  await expect.poll(() => sheet.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(595)
  expect(await page.getByRole('link', { name: 'Download PDF' }).getAttribute('href')).toMatch(/\/partner\/informe\//)

  // A payment without an evaluation: the page asks for the RUT.
  await kit.payAddress('order-2', `${kit.baseUrl}/`)
  const other = page.locator('a.row', { hasText: 'order-2' })
  await see(other, ['skipped', 'skipped', 'now', 'left', 'left'])
  await other.click()
  await page.getByText('The payment page asks for the RUT of the customer.').waitFor()
  expect(await page.locator('.detail .pill').first().textContent()).toBe('Waits for the RUT')
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await see(other, ['done', 'skipped', 'done', 'done', 'left'])
})

test('the window shows the step of a payment, why it was rejected, what was paid, and that a loan was cancelled', async ({
  kit,
  person,
}) => {
  await kit.evaluate('order-1', { rut: '13131313-6' })
  await kit.evaluate('order-2', { rut: '44444444-4' })
  await kit.evaluate('order-3')
  for (const externalTrxId of ['order-1', 'order-2', 'order-3']) await kit.control('pay', { externalTrxId })
  await kit.control('installment', { externalTrxId: 'order-3', period: 1 })
  const page = await kit.enter(await person())
  const detail = page.locator('.detail')
  const open = (trx: string) => page.locator('a.row', { hasText: trx }).click()
  await open('order-1')
  await detail.getByText('PAYMENT_SUBSCRIPTION', { exact: true }).waitFor()
  await open('order-2')
  await detail.getByText('USER_HAS_ACTIVE_LOAN', { exact: true }).waitFor()
  await open('order-3')
  await detail.getByText('1 of 3 installments are paid').waitFor()
  expect(await detail.locator('.bar-fill.paid').count()).toBe(1)
  await kit.call('/partner/pre-approve/order-3/loan/cancel', {})
  await detail.getByText('The loan was cancelled. The customer gets back').waitFor()
  expect(await detail.locator('.pill').first().textContent()).toBe('Loan cancelled')
})

test('a countdown never shows more than ten minutes, even after a late answer', async ({ kit, person }) => {
  const context = await person()
  let lateMs = 1_500
  await context.route('**/_window/show/**', async (route) => {
    const response = await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, lateMs))
    await route.fulfill({ response })
  })
  const page = await kit.enter(context)
  await page.getByText('No payments yet.').waitFor()
  lateMs = 0
  await kit.evaluate('order-1')
  await kit.payAddress('order-1', `${kit.baseUrl}/`)
  const countdown = page.locator('a.row', { hasText: 'order-1' }).locator('.countdown')
  const shown: number[] = []
  const look = async () => {
    const [minutes = 0, seconds = 0] = String(await countdown.textContent())
      .split(':')
      .map(Number)
    shown.push(minutes * 60 + seconds)
    return shown.at(-1)! < shown[0]!
  }
  await expect.poll(look).toBe(true)
  expect(Math.max(...shown)).toBeLessThanOrEqual(600)
  await context.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a retry schedule can be set in the window, and every attempt to a failing receiver is shown', async ({
  kit,
  person,
}) => {
  await using receiver = await openServer((request, response) => {
    request.resume()
    response.writeHead(500).end('<script>no</script>')
  })
  await kit.call('/partner/webhook', { url: `${receiver.url}/hook` })
  const page = await kit.enter(await person(), 'webhooks')
  await page.getByText('1 destination').click()
  await page.getByLabel('Retries after').fill('1h, 60m,3600s')
  await page.getByText('$ bnpl sandbox deliveries --schedule 1h,60m,3600s').waitFor()
  await page.getByRole('button', { name: 'Set' }).click()
  await page.getByText('$ bnpl sandbox deliveries --schedule 1h,1h,1h').waitFor()
  await page.getByText('1 of 10 destinations used').waitFor()
  await kit.evaluate('order-1')
  await kit.control('pay', { externalTrxId: 'order-1' })
  const row = page.locator('a.row', { hasText: 'order-1' })
  for (const attempts of ['1 attempt', '2 attempts', '3 attempts', '4 attempts']) {
    await row.getByText(attempts, { exact: true }).waitFor()
    await kit.control('clock', { advanceMs: 2 * HOUR_MS })
  }
  await row.getByText('Failed').waitFor()
  await row.click()
  await expect.poll(() => page.locator('.attempts > li').count()).toBe(4)
  expect(await page.locator('.detail').textContent()).toMatch(/service-signature[0-9a-f]{64}/)
  await page.getByRole('button', { name: 'Wrong signature' }).click()
  await page.getByText('again, corrupt signature').waitFor()
})

test('a token expires when the controls move the clock', async ({ kit, person }) => {
  await kit.evaluate('order-1')
  await kit.payAddress('order-1', `${kit.baseUrl}/`)
  const page = await kit.enter(await person(), 'controls')
  await page.getByText('$ bnpl sandbox clock advance 11m').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('11 min ahead').waitFor()
  await page.getByRole('link', { name: 'Payments' }).click()
  await page.locator('a.row', { hasText: 'Token expired' }).click()
  // The step shows when the token expired, which is ten minutes after it was created.
  const evaluated = await secondsOf(page.locator('.steps.tall li.done .when').first())
  const expired = await secondsOf(page.locator('.steps.tall li.bad .when'))
  expect((expired - evaluated + 86_400) % 86_400).toBeGreaterThanOrEqual(600)
})

/** Reads a time such as `14:32:08`, with or without a date before it. */
async function secondsOf(place: Locator): Promise<number> {
  const [hours = 0, minutes = 0, seconds = 0] = ((await place.textContent()) ?? '').slice(-8).split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

test('a fault can be added for a delivery, which is not offered the effects of calls, and for one call, which shows what was wrong', async ({
  kit,
  person,
}) => {
  const page = await kit.enter(await person(), 'controls')
  await page.getByLabel('Show the command for each control').check()
  const what = page.locator('select[name=effect]')
  const endpoint = page.locator('select[name=endpoint]')
  const offered = () => what.locator('option').evaluateAll((all) => all.map((each) => each.getAttribute('value')))
  await expect.poll(offered).toEqual(expect.arrayContaining(['status', 'truncate', 'refused', 'other-id']))
  const [call, effect] = [await endpoint.inputValue(), await what.inputValue()]
  await endpoint.selectOption('delivery')
  expect(await offered()).not.toContain('status')
  await what.selectOption('wrong-signature')
  await page.getByText('$ bnpl sandbox fault add delivery --kind wrong-signature').waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.locator('[data-list="faults"] > li', { hasText: 'wrong-signature' }).waitFor()
  await kit.control('faultClear')
  await endpoint.selectOption(call)
  await what.selectOption(effect)

  const value = page.getByLabel('Value')
  await value.fill('429')
  await page.getByText('$ bnpl sandbox fault add evaluate --status 429').waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const armed = page.locator('[data-list="faults"] > li')
  await armed.getByText('status 429').waitFor()
  expect((await kit.evaluate('order-1')).status).toBe(429)
  await armed.getByText('No fault is active.').waitFor()
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.locator('a.row', { hasText: '429' }).click()
  await page.getByRole('heading', { name: 'What was wrong' }).waitFor()
  await page.locator('.detail').getByText('A fault that you added changed this call: status 429').waitFor()
  expect(await page.locator('.problem').textContent()).toContain('rate limit exceeded')
  await page.locator('.detail .commands summary').click()
  await page.getByText('bnpl evaluate --rut "$ID_NUMBER" --amount 250000 --trx order-1 -p sandbox').waitFor()
})

test('a payment can be evaluated, paid and verified in the window', async ({ kit, person }) => {
  const page = await kit.enter(await person())
  await page.getByRole('button', { name: 'New payment' }).click()
  await page.getByRole('textbox', { name: 'Transaction' }).fill('mine')
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click()
  const detail = page.getByRole('region', { name: 'Details' })
  await detail.getByRole('button', { name: 'Pay', exact: true }).click()
  await detail.getByRole('button', { name: 'Verify', exact: true }).click()
  await page.getByRole('status').getByText('Verified: ACTIVE').waitFor()
  await see(page.locator('a.row', { hasText: 'mine' }), ['done', 'skipped', 'done', 'done', 'done'])
})

test('a state is saved under a name and loaded again; a reset asks first', async ({ kit, person }) => {
  await kit.evaluate('order-1')
  const page = await kit.enter(await person(), 'controls')
  await page.getByLabel('Name').fill('one')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Load', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByRole('status').getByText('The sandbox was reset').waitFor()
  expect(await kit.control('status')).toMatchObject({ preApprovals: 0 })
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Load' }).click()
  await page.getByRole('status').getByText('The snapshot “one” was restored').waitFor()
  expect(await kit.control('status')).toMatchObject({ preApprovals: 1 })
})

test('in Spanish, a new payment takes an amount as people write it, and a refusal is a Spanish sentence with the bounds of the service', async ({
  kit,
  person,
}) => {
  const page = await kit.enter(await person({ locale: 'es-CL' }))
  await page.getByRole('button', { name: 'Nuevo pago' }).click()
  const sum = page.locator('input[name="amount"]')
  await sum.fill('un millón')
  await page.getByRole('button', { name: 'Evaluar' }).click()
  await page.getByRole('alert').getByText('Escribe un monto entero, como 250000 o 250.000.').waitFor()
  await sum.fill('5')
  await page.getByRole('button', { name: 'Evaluar' }).click()
  await page.getByRole('alert').getByText('El monto debe estar entre $1.000 y $50.000.000.').waitFor()
  await sum.fill('$1.312.000')
  await page.getByRole('button', { name: 'Evaluar' }).click()
  await page.locator('a.row', { hasText: '$1.312.000' }).waitFor()
  await kit.turn(page, 'controls')
  await page.locator('input[name="rut"]').fill('12345678-9')
  await page
    .locator('.card', { has: page.locator('input[name="rut"]') })
    .locator('button[type="submit"]')
    .click()
  await page.getByText('El RUT no es válido: revisa los números y el dígito verificador').waitFor()
})

test('the window works by keyboard alone, and in Spanish', async ({ kit, person }) => {
  await kit.evaluate('orden-1')
  const page = await kit.enter(await person({ locale: 'es-CL' }))
  await page.locator('a.row').waitFor()
  await page.getByRole('button', { name: 'Nuevo pago' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'orden-1' }).waitFor()
  await page.getByRole('button', { name: 'Pagar' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('El pago se realizó').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('heading', { name: 'orden-1' }).count()).toBe(0)
})

test('calls are found by every id that their rows print, and a search for a payment leads to its calls', async ({
  kit,
  person,
}) => {
  await kit.evaluate('order/ñ 1')
  await kit.call(`/partner/pre-approve/${encodeURIComponent('order/ñ 1')}/loan`, {})
  await kit.evaluate('order-5', { rut: '55555555-5' })
  const page = await kit.enter(await person())
  await page.locator('a.row').first().waitFor()
  await page.getByLabel('Search').fill('order-5')
  await page.getByRole('button', { name: '1 call names it' }).click()
  const rows = page.locator('.requests-rows a.row')
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByLabel('Filter by path or id').fill('order/ñ 1')
  await expect.poll(() => rows.count()).toBe(2)
})

test('attempts are numbered once each, and equal installments are not said to end with another amount', async ({
  kit,
  person,
}) => {
  await kit.call('/partner/webhook', { url: 'http://127.0.0.1:9/hook' })
  await kit.evaluate('order-1')
  await kit.control('pay', { externalTrxId: 'order-1' })
  const [{ eventId }] = await kit.control('deliveries')
  for (let i = 0; i < 3; i++) await kit.control('deliver', { eventId })
  const page = await kit.enter(await person(), 'webhooks')
  await page.locator('a.row').first().click()
  const numbers = page.locator('.attempts li p span.soft:first-child')
  await expect.poll(() => numbers.allTextContents()).toEqual(['1', '2', '3', '4'])
  const { data: loan } = await kit.verify('order-1')
  await page.getByRole('link', { name: /^Payments/ }).click()
  await page.locator('a.row').first().click()
  const said = (await page.locator('figcaption').first().textContent()) ?? ''
  expect(said).toMatch(/installments of \$/)
  expect(said.includes('the last one is')).toBe(loan.installmentAmount !== loan.lastInstallmentAmount)
})
