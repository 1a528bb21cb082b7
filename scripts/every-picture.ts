import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { MARK } from '../src/domain/snapshot-name.ts'
import { openShop } from '../test/browser/shop.ts'
import { openWindowKit } from '../test/browser/window-kit.ts'
import { busyMorning } from './busy-morning.ts'

const WIDTHS = [1440, 768, 390, 320]
const SCHEMES: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  forced: { forcedColors: 'active' },
}

/** The parts of the window, each also with the first item of its list open. */
const PARTS = ['payments', 'leads', 'requests', 'webhooks', 'changes', 'controls']

/** Makes a picture of every view of the window and of the payment page, at every width and in every scheme of colours. */
export async function pictureEverything(browser: Browser, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await using kit = await openWindowKit()
  await kit.control('snapshotSave', { name: MARK })
  await using _receiver = await busyMorning(kit)
  await using shop = await openShop()
  await kit.control('lead')
  for (const width of WIDTHS) {
    for (const [scheme, options] of Object.entries(SCHEMES)) {
      const context = await browser.newContext({ viewport: { width, height: 860 }, locale: 'en', ...options })
      const shoot = (page: Page, name: string) =>
        page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`), fullPage: true })
      const page = await context.newPage()
      await page.goto(kit.served.windowLink())
      await page.locator('.stream', { hasText: 'Live' }).waitFor()
      for (const part of PARTS) {
        await page.goto(`${kit.baseUrl}/#/${part}`)
        await page.locator(`main[data-part="${part}"]`).waitFor()
        const row = page.locator('a.row').first()
        await (part === 'controls' ? page.getByRole('heading', { name: 'Test customers' }) : row).waitFor()
        await page.mouse.move(0, 0)
        await shoot(page, part)
        if (part === 'controls') continue
        await row.click()
        await page.locator('.detail h2').waitFor()
        await page.mouse.move(0, 0)
        await shoot(page, `${part}-open`)
      }
      const payment = await context.newPage()
      await payment.goto(shop.address(await shop.token(`order-${width}-${scheme}`)))
      await shoot(payment, 'pay')
      await payment.locator('[data-confirm-button]').click()
      await payment.getByRole('heading', { level: 1, name: /approved|aprobado/ }).waitFor()
      await shoot(payment, 'paid')
      await context.close()
    }
  }
}
