/**
 * Makes the pictures of the README from real output of a scripted scenario: `npm run pictures`. `npm run pictures -- FOLDER [LANGUAGE]`
 * instead takes screenshots of every view in that language, in every width and colour scheme, for a person to look at.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { languageOf } from '../src/contract/languages.ts'
import { startBrowser } from '../test/browser/chromium.ts'
import { openShop } from '../test/browser/shop.ts'
import { LIVE, openWindowKit } from '../test/browser/window-kit.ts'
import { machine } from '../test/kit/harness.ts'
import { busyMorning } from './busy-morning.ts'
import { pictureEverything } from './every-picture.ts'

const FOLDER = join(import.meta.dirname, '../docs/pictures')

const SCENE = [
  'evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx order-1001 -q',
  'select --installments 6 -p sandbox -q',
  'sandbox pay order-1001 -q',
  'verify order-1001 --expect-state ACTIVE -p sandbox -q',
]

async function terminalText(): Promise<string> {
  using m = machine()
  const parts: string[] = []
  for (const line of SCENE) {
    const { stdout, stderr } = await m.run(line, { color: true })
    parts.push(`\u001b[32m$\u001b[39m \u001b[1mbnpl ${line.replace(/ -q$/, '')}\u001b[22m\n${stderr}${stdout}`)
  }
  return parts.join('\n')
}

const LOOKS: Record<string, string> = {
  1: 'font-weight="700" fill="#ffffff"',
  2: 'fill="#8b949e"',
  31: 'fill="#ff7b72"',
  32: 'fill="#5fd3a6"',
  33: 'fill="#e3b341"',
  36: 'fill="#76d3e8"',
}

/** Converts a line of terminal output to SVG. Supports only the colours and font weights that the program uses. */
function toSpans(line: string): string {
  const text = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return text.replace(/\u001b\[(\d+)m/g, (_, code: string) =>
    LOOKS[code] === undefined ? '</tspan>' : `<tspan ${LOOKS[code]}>`,
  )
}

/** Returns terminal output as an SVG. Its text can be selected, and has the fixed-width font of the viewer. */
function toSvg(ansi: string): string {
  const lines = ansi.trimEnd().split('\n')
  const [width, step, top] = [760, 20, 62]
  const height = top + lines.length * step + 14
  const texts = lines.map(
    (line, i) => `<text x="26" y="${top + i * step}" xml:space="preserve">${toSpans(line)}</text>`,
  )
  const dots = [30, 48, 66].map((x) => `<circle cx="${x}" cy="26" r="5.5" fill="#3a4048"/>`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    '<title>bnpl evaluates a customer, reports the choice, pays on the sandbox, and verifies the loan</title>',
    `<rect width="${width}" height="${height}" rx="10" fill="#14171c"/>`,
    ...dots,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#d7dce2">`,
    ...texts,
    '</g></svg>',
    '',
  ].join('\n')
}

async function picturePayment(browser: Browser): Promise<void> {
  await using shop = await openShop()
  for (const [name, width, height, locale] of [
    ['payment', 1280, 860, 'en'],
    ['payment-phone', 390, 844, 'es'],
  ] as const) {
    const context = await browser.newContext({ viewport: { width, height }, locale })
    const page = await context.newPage()
    await page.goto(shop.address(await shop.token('order-1001')))
    await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  }
}

async function pictureWindow(browser: Browser): Promise<void> {
  await using kit = await openWindowKit()
  await using _receiver = await busyMorning(kit)
  for (const [name, width, height, locale, colorScheme] of [
    ['window', 1280, 800, 'en', 'light'],
    ['window-phone', 390, 844, 'es', 'dark'],
  ] as const) {
    const context = await browser.newContext({ viewport: { width, height }, locale, colorScheme })
    const page = await context.newPage()
    await page.goto(kit.served.windowLink())
    const paid = page.locator('a.row', { hasText: 'order-1005' })
    await paid.waitFor()
    if (name === 'window') await paid.click()
    // Move the pointer away from the rows, and wait until the opened payment is drawn.
    await page.mouse.move(0, 0)
    if (name === 'window') await page.getByRole('img', { name: /installments of/ }).waitFor()
    await page.locator('.stream', { hasText: LIVE }).waitFor()
    await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  }
}

const [everything, language] = process.argv.slice(2)
if (everything?.startsWith('-'))
  throw new Error(`${everything} is not a folder. Usage: npm run pictures [-- FOLDER [LANGUAGE]]`)
const browser = await startBrowser()
try {
  if (everything !== undefined) await pictureEverything(browser, everything, languageOf(language))
  else {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(join(FOLDER, 'terminal.svg'), toSvg(await terminalText()))
    await picturePayment(browser)
    await pictureWindow(browser)
  }
} finally {
  await browser.close()
}
