/**
 * Checks every view of the window and of the payment page with axe, in every language, width and colour scheme. Then measures the layout
 * shifts while each view appears. `npm run axe -- payments` checks only the views whose name contains this word. The exit code is 1 if
 * anything is found.
 */
import { setTimeout } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { LANGUAGES } from '../src/contract/languages.ts'
import { isTooWide, violations } from '../test/browser/axe.ts'
import { startBrowser } from '../test/browser/chromium.ts'
import { LARGEST_SHIFT, shiftsOf, watchShifts } from '../test/browser/layout-shift.ts'
import { eachPageView } from '../test/browser/page-views.ts'
import { dress, type Look, SCHEME_NAMES, WIDTHS } from '../test/browser/view.ts'
import { eachArrival, eachWindowView } from '../test/browser/window-views.ts'

const wanted = process.argv[2] ?? ''
const browser = await startBrowser()
const findings = new Map<string, string[]>()
let looks = 0

/** The widths at which layout shifts are measured, in px: a desktop and a phone. */
const SHIFT_WIDTHS = [1440, 390]

function report(finding: string, place: string): void {
  if (!findings.has(finding)) console.log(finding)
  findings.set(finding, [...(findings.get(finding) ?? []), place])
}

const look: Look = async (page, view) => {
  if (!view.includes(wanted)) return
  const language = await page.evaluate('document.documentElement.lang')
  for (const width of WIDTHS) {
    for (const scheme of SCHEME_NAMES) {
      await dress(page, width, scheme)
      looks++
      const found = await violations(page)
      if (await isTooWide(page)) found.push('something is wider than the page')
      for (const finding of found) report(finding, `${view} ${language} ${width} ${scheme}`)
    }
  }
  process.stderr.write(`${looks} views checked: ${language} ${view}\n`)
}

/** In ms. A shift within this time after an input counts as caused by the input. */
const INPUT_MS = 500

const lookForShifts: Look = async (page, view) => {
  const { sum, moved } = await shiftsOf(page)
  // Wait, so that no shift of the next view counts as caused by an input of this view.
  await setTimeout(INPUT_MS)
  if (!view.includes(wanted)) return
  looks++
  const place = `${view} ${await page.evaluate('document.documentElement.lang')} ${page.viewportSize()?.width}`
  process.stderr.write(`${looks} views checked: ${place} moved ${sum.toFixed(3)}\n`)
  if (sum >= LARGEST_SHIFT) report(`moved by ${sum.toFixed(3)}: ${moved.join(' ')}`, place)
}

const watched = (browser: Browser, width: number): Pick<Browser, 'newContext'> => ({
  async newContext(options) {
    // With reduced motion, rows move without an animation when a new row arrives, and each of these moves would count as a layout shift.
    const context = await browser.newContext({
      ...options,
      viewport: { width, height: 860 },
      reducedMotion: 'no-preference',
    })
    await watchShifts(context)
    return context
  },
})

try {
  for (const language of LANGUAGES) {
    for (const each of [eachWindowView, eachPageView]) await each(browser, language, look)
    for (const width of SHIFT_WIDTHS) {
      for (const each of [eachWindowView, eachArrival, eachPageView])
        await each(watched(browser, width), language, lookForShifts)
    }
  }
} finally {
  await browser.close()
}
for (const [finding, places] of findings) console.log(`\n${finding}\n  ${places.join('\n  ')}`)
console.log(`${looks} views checked, ${findings.size} findings`)
process.exitCode = findings.size === 0 ? 0 : 1
