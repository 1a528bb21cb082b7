import type { Browser, Page } from 'playwright-core'
import { busyMorning } from '../../scripts/busy-morning.ts'
import type { Language } from '../../src/contract/languages.ts'
import { MARK } from '../../src/domain/sandbox-accounts.ts'
import { TEXTS, windowWords } from '../../src/sandbox/languages/languages.ts'
import type { Look } from './view.ts'
import { openWindowKit } from './window-kit.ts'

type Kit = Awaited<ReturnType<typeof openWindowKit>>

/** The parts of the window that have a list. */
const LISTS = ['payments', 'leads', 'requests', 'webhooks', 'changes']
export const PARTS: readonly string[] = [...LISTS, 'controls']

/** A call to another service, as `bnpl proxy` reports it. */
const PASSED = {
  agoMs: 0,
  endpoint: 'evaluate',
  method: 'POST',
  path: '/partner/pre-loan-request/bnpl',
  status: 400,
  ms: 61,
  problems: [
    {
      where: 'request form amount',
      expected: 'a whole number, digits only, such as 250000',
      seen: 'a text such as 000.000',
    },
  ],
}

/** Starts a sandbox with something of every kind: payments in each state, a fault that was met, leads with and without an evaluation. */
export async function furnishedKit() {
  const kit = await openWindowKit()
  await kit.control('snapshotSave', { name: MARK })
  const receiver = await busyMorning(kit)
  await kit.control('lead', { now: true })
  await kit.control('lead')
  await kit.control('faultAdd', { endpoint: 'select', delayMs: 1 })
  await kit.call('/partner/pre-loan-request/loan-request', {})
  await kit.control('faultAdd', { endpoint: 'verifyLoan', kind: 'cut-after' })
  await kit.control('faultAdd', { endpoint: 'delivery', kind: 'twice', times: null })
  await kit.control('snapshotSave', { name: 'morning' })
  await kit.control('passed', { service: 'api.example.com', exchanges: [PASSED] })
  return {
    kit,
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
      await kit[Symbol.asyncDispose]()
    },
  }
}

/** Opens a part of the window by its address, and waits until that part is drawn. */
export async function showPart(kit: Kit, page: Page, part: string): Promise<void> {
  await page.goto(`${kit.baseUrl}/#/${part}`)
  await page.locator(`main[data-part="${part}"]`).waitFor()
  await page
    .locator(part === 'controls' ? '.account' : 'a.row')
    .first()
    .waitFor()
}

/** Opens the first item of the shown list that contains the text. */
export async function openRow(page: Page, text = ''): Promise<void> {
  const row = page.locator('a.row', { hasText: text }).first()
  const address = await row.getAttribute('href')
  await row.click()
  await page.locator(`.detail[data-of="${address}"] h2`).waitFor()
}

/**
 * Shows every view of the window in a language, one after the other, and lets the caller examine each.
 * @param wants leaves out views that would only take time
 */
export async function eachWindowView(
  browser: Pick<Browser, 'newContext'>,
  language: Language,
  look: Look,
  wants: (view: string) => boolean = () => true,
): Promise<void> {
  const t = TEXTS[language].window
  const locale = TEXTS[language].locale
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' })
  if (LISTS.some((part) => wants(`${part}-empty`))) await eachEmptyView(browser, locale, look)
  await using furnished = await furnishedKit()
  const { kit } = furnished
  const door = await context.newPage()
  await door.goto(kit.baseUrl)
  await door.locator('[data-door] h1').waitFor()
  await look(door, 'door')
  const page = await kit.enter(context)
  const show = (part: string) => showPart(kit, page, part)
  for (const part of PARTS.filter(wants)) {
    await show(part)
    await look(page, part)
  }
  for (const [part, text] of [
    ['payments', 'order-1001'],
    ['payments', 'order-1004'],
    ['payments', 'order-1005'],
    ['payments', 'order-1006'],
    ['payments', 'order-1007'],
    ['leads', t.outcomes.approved],
    ['requests', 'verifyLoan'],
    ['requests', '422'],
    ['requests', t.faultMet],
    ['requests', t.passed],
    ['changes', ''],
    ['webhooks', ''],
  ] as const) {
    const view = [part, 'open', text].filter((word) => word !== '').join('-')
    if (!wants(view)) continue
    await show(part)
    await page.mouse.move(0, 0)
    await openRow(page, text)
    for (const folded of await page.locator('.detail details:not([open]) summary').all()) await folded.click()
    await look(page, view)
  }
  await page.goto(`${kit.baseUrl}/#/payments/garbage`)
  await page.locator('.detail .gone').waitFor()
  await look(page, 'payments-gone')
  await show('payments')
  await page.getByRole('button', { name: t.newPayment }).click()
  await page.locator('.toolbar option').first().waitFor({ state: 'attached' })
  await look(page, 'payments-new')
  await page.getByLabel(t.search, { exact: true }).fill('no such payment')
  await page.getByRole('button', { name: t.clearFilter }).waitFor()
  await look(page, 'payments-unmatched')
  await page.getByRole('button', { name: t.clearFilter }).click()
  await show('webhooks')
  await page.locator('.settings > summary').click()
  await look(page, 'webhooks-settings')
  await eachControl(kit, page, language, look)
  await kit.control('clock', { advanceMs: 660_000 })
  await show('payments')
  await page.getByText(t.states.expired).first().waitFor()
  // The clock in the bar follows at its next tick.
  await page.locator('.ahead').waitFor()
  await look(page, 'payments-later')
  await kit.served.close()
  await page.locator('.stream', { hasText: t.away }).waitFor()
  await look(page, 'away')
  await context.close()
}

/** The lists of a sandbox that has nothing yet. */
async function eachEmptyView(browser: Pick<Browser, 'newContext'>, locale: string, look: Look): Promise<void> {
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' })
  const kit = await openWindowKit()
  const page = await kit.enter(context)
  for (const part of LISTS) {
    await page.goto(`${kit.baseUrl}/#/${part}`)
    await page.locator(`main[data-part="${part}"] .empty:visible`).waitFor()
    await look(page, `${part}-empty`)
  }
  await context.close()
  await kit[Symbol.asyncDispose]()
}

/** Shows each list while a row arrives in it. */
export async function eachArrival(browser: Pick<Browser, 'newContext'>, language: Language, look: Look): Promise<void> {
  const context = await browser.newContext({ locale: TEXTS[language].locale })
  await using furnished = await furnishedKit()
  const { kit } = furnished
  const page = await kit.enter(context)
  for (const part of LISTS) {
    await showPart(kit, page, part)
    await page.mouse.move(0, 0)
    const first = page.locator('a.row').first()
    const before = await first.getAttribute('href')
    if (part === 'leads') await kit.control('lead')
    else {
      await kit.evaluate(`arrived-${part}`)
      await kit.control('pay', { externalTrxId: `arrived-${part}` })
    }
    await page.locator(`a.row[href="${before}"]`).and(page.locator('li:not(:first-child) a.row')).waitFor()
    await look(page, `${part}-arrival`)
  }
  await context.close()
}

/** The controls with their commands, a wrong field, and what asks before it does something. */
async function eachControl(kit: Kit, page: Page, language: Language, look: Look): Promise<void> {
  const t = TEXTS[language].window
  await showPart(kit, page, 'controls')
  await page.getByLabel(t.showCommands).check()
  await page.getByRole('textbox', { name: t.moveBy }).fill('soon')
  await page.getByRole('button', { name: t.move, exact: true }).click()
  await page.getByRole('alert').waitFor()
  await look(page, 'controls-wrong-with-commands')
  await page.getByLabel(t.showCommands).uncheck()
  await page.getByRole('textbox', { name: t.moveBy }).fill('1m')
  await page.locator('input[name="pay"]').fill('no-such-order')
  await page.getByRole('button', { name: t.pay, exact: true }).click()
  await page
    .getByRole('alert')
    .getByText(windowWords(language).refusals.ERR_TRANSACTION_NOT_FOUND ?? '')
    .waitFor()
  await look(page, 'controls-wrong-order')
  const error = { code: 'ERR_SERVICE_UNAVAILABLE', message: 'the service is not available' }
  await page.route('**/do/pay', (route) => route.fulfill({ status: 503, json: { error } }), { times: 1 })
  await page.getByRole('button', { name: t.pay, exact: true }).click()
  await page.locator(`.said.bad span[lang="${language}"]`).waitFor()
  await look(page, 'controls-said')
  await page.locator('.said').getByRole('button', { name: t.close }).click()
  for (const [name, opener] of [
    ['load', t.load],
    ['reset', t.reset],
  ] as const) {
    await page.getByRole('button', { name: opener, exact: true }).first().click()
    await page.locator('dialog[open]').waitFor()
    await look(page, `controls-dialog-${name}`)
    await page.keyboard.press('Escape')
  }
}
