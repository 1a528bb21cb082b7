import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { Language } from '../src/contract/languages.ts'
import { eachPageView } from '../test/browser/page-views.ts'
import { dress, type Look, SCHEME_NAMES, WIDTHS } from '../test/browser/view.ts'
import { eachWindowView } from '../test/browser/window-views.ts'

/**
 * Elements with a fixed place on the screen. In a picture of the whole page they would cover other content, so of a view with such an
 * element only the visible part is pictured.
 */
const OVER_THE_PAGE = 'dialog[open], body > .notice:not([hidden]), .said p:not(:empty)'

/** Takes a screenshot of every view of the window and of the payment page, in every width and colour scheme. */
export async function pictureEverything(browser: Browser, folder: string, language: Language): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const shoot: Look = async (page, view) => {
    for (const width of WIDTHS) {
      for (const scheme of SCHEME_NAMES) {
        await dress(page, width, scheme)
        const name = `${view}-${width}-${scheme}`.replaceAll(/[^\w-]+/g, '-')
        const fullPage = (await page.locator(OVER_THE_PAGE).count()) === 0
        await page.screenshot({ path: join(folder, `${name}.png`), fullPage })
      }
    }
  }
  await eachWindowView(browser, language, shoot)
  await eachPageView(browser, language, shoot)
}
