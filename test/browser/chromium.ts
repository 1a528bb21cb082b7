import { type Browser, chromium, type Page } from 'playwright-core'
import { WAIT_MS } from '../kit/limits.ts'
import { installedBrowser } from './installed.ts'

/** Starts the browser of the tests, which comes with the npm packages or is an installed Chrome (`installed.ts`). */
export async function startBrowser(): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  const installed = await installedBrowser()
  if (installed === undefined) throw new Error('Chrome is not installed')
  const browser = await chromium.launch({ ...installed, args, timeout: WAIT_MS })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(WAIT_MS)
    return context
  }
  return browser
}

/** Stops the clock of a page, and of every page that is opened in it. Only `page.clock` moves this clock, however slow the machine is. */
export async function freeze(page: Page): Promise<void> {
  await page.clock.install()
  // An installed clock runs by itself. It is stopped at a later moment, because it cannot be set back.
  await page.clock.pauseAt(Date.now() + 3_600_000)
}
