import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The short form of axe: every examined page reads it again. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns what axe finds in a page and in each of its frames: the rule and the elements. Each frame is examined by itself, because axe
 * cannot reach into a frame of another port.
 */
export async function violations(page: Page, only: axe.RunOptions = {}): Promise<string[]> {
  const found: string[] = []
  const options = JSON.stringify({
    iframes: false,
    // Only what a rule finds is read, and as markup. Selectors for every element that keeps the rules would take a third of the time.
    resultTypes: ['violations'],
    selectors: false,
    // The rule of WCAG 2.2 about the size of targets is off by default.
    rules: { 'target-size': { enabled: true } },
    ...only,
  })
  for (const frame of page.frames()) {
    if (!(await frame.evaluate("'axe' in window"))) await frame.evaluate(AXE)
    const { violations: broken }: axe.AxeResults = await frame.evaluate(`axe.run(${options})`)
    for (const { id, nodes } of broken) found.push(`${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }
  return found
}

/** Whether something is wider than the page, so that it has to be scrolled sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
