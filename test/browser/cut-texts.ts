import type { Page } from 'playwright-core'

/** Returns the texts of the page that are cut because their element is too small. */
export const cutTexts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *, .bar *')]
      .filter((each) => each.checkVisibility() && !each.matches('.unseen, .unseen *, .table, pre'))
      .filter(
        (each) => !each.matches('.unseen, .unseen *, .table') && /hidden|clip/.test(getComputedStyle(each).overflow),
      )
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ textContent }) => textContent),
  )

/** Adds a style sheet to the page. */
export const style = (page: Page, css: string) =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }, css)
