/**
 * Lets axe look at every view of the window and of the payment page, in every language, at every width and in every scheme of colours:
 * `npm run axe`, `npm run axe -- payments` for the views whose name has this word. Exits with 1 if it finds anything.
 */
import { LANGUAGES } from '../src/contract/languages.ts'
import { isTooWide, violations } from '../test/browser/axe.ts'
import { startBrowser } from '../test/browser/chromium.ts'
import { eachPageView } from '../test/browser/page-views.ts'
import { dress, type Look, SCHEME_NAMES, WIDTHS } from '../test/browser/view.ts'
import { eachWindowView } from '../test/browser/window-views.ts'

const wanted = process.argv[2] ?? ''
const browser = await startBrowser()
/** Each finding with its places. */
const findings = new Map<string, string[]>()
let looks = 0

const look: Look = async (page, view) => {
  if (!view.includes(wanted)) return
  const language = await page.evaluate('document.documentElement.lang')
  for (const width of WIDTHS) {
    for (const scheme of SCHEME_NAMES) {
      await dress(page, width, scheme)
      looks++
      const found = await violations(page)
      if (await isTooWide(page)) found.push('wider than the page')
      for (const finding of found) {
        if (!findings.has(finding)) console.log(finding)
        findings.set(finding, [...(findings.get(finding) ?? []), `${view} ${language} ${width} ${scheme}`])
      }
    }
  }
  process.stderr.write(`${looks} looks: ${language} ${view}\n`)
}

try {
  for (const language of LANGUAGES) {
    for (const each of [eachWindowView, eachPageView]) await each(browser, language, look)
  }
} finally {
  await browser.close()
}
for (const [finding, places] of findings) console.log(`\n${finding}\n  ${places.join('\n  ')}`)
console.log(`${looks} looks, ${findings.size} findings`)
process.exitCode = findings.size === 0 ? 0 : 1
