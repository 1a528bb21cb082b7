import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startBrowser } from '../test/browser/chromium.ts'
import { LIVE } from '../test/browser/window-kit.ts'
import { fill } from '../test/browser/window-rows.ts'
import { type Program, program } from '../test/kit/program.ts'
import { publish, quick, words } from './finding.ts'
import { type Spread, spread } from './measure.ts'

/** The window of the built program, with much in it, in a real browser: `node bench/window.ts [rounds]`, after a build. */

const rounds = Number(words[0] ?? (quick ? 3 : 15))
const REQUESTS = 10_000
const DELIVERIES = 1_000

/** The most milliseconds for the first view, and for a change to appear in another tab. */
const GOAL_MS = 1_000

/** Fifty rows as one page of markup, with no requests and no scripts. It shows how long the browser itself takes. */
const BARE = `<!doctype html><title>bare</title><ul>${'<li><a class="row" href="/">200 POST /partner/pre-approve/order-1/loan 12:00:00</a></li>'.repeat(50)}</ul>`

/** A script for the page. It notes when the first row was painted, by the page's own clock. */
const WATCH = `window.drawn = new Promise((resolve) => {
  const look = () => document.querySelector('a.row') === null
    ? requestAnimationFrame(look)
    : requestAnimationFrame(() => resolve(performance.now()))
  look()
})`

/** A script for the page. It scrolls to and fro, and returns the milliseconds of each frame. */
const SCROLL = `(async () => {
  const times = []
  let last = performance.now()
  for (let i = 0; i < 120; i++) {
    window.scrollBy(0, i % 60 < 30 ? 60 : -60)
    await new Promise(requestAnimationFrame)
    const now = performance.now()
    times.push(now - last)
    last = now
  }
  return times
})()`

const bare = createServer((_, response) => response.setHeader('content-type', 'text/html').end(BARE)).listen(
  0,
  '127.0.0.1',
)
await new Promise((ready) => bare.once('listening', ready))
const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`
const browser = await startBrowser()
const p = program()
try {
  const dataFile = join(p.dir, 'data.db')
  const served: Served = await p.sandbox(`--data ${dataFile}`)
  await fill(dataFile, { requests: [0, REQUESTS], deliveries: [0, DELIVERIES] })
  const views: Record<string, number[]> = { bare: [], requests: [], webhooks: [] }
  for (let round = 0; round < rounds + 1; round++) {
    const took = {
      bare: await firstView(browser, bareUrl),
      requests: await firstView(browser, `${await windowLink(p)}#/requests`),
      webhooks: await firstView(browser, `${await windowLink(p)}#/webhooks`),
    }
    // The first round does not count: it loads the browser's files and the sandbox's code, which a user's machine has in memory.
    if (round > 0) for (const [name, ms] of Object.entries(took)) views[name]?.push(ms)
  }
  const live = await liveChanges(browser, p, served)
  const frames = await scrolling(browser, p)
  const [base, requests, webhooks] = [
    spread(views.bare ?? []),
    spread(views.requests ?? []),
    spread(views.webhooks ?? []),
  ]
  const row = (name: string, ms: Spread, ratio: number) => [name, ms.median, ms.low, ms.high, ratio]
  const missed = [
    ['requests', requests],
    ['webhooks', webhooks],
    ['a change', live],
  ] as const
  publish({
    title: 'The window',
    about: `${REQUESTS.toLocaleString('en')} requests and ${DELIVERIES.toLocaleString('en')} deliveries stored; ${rounds} rounds, each in a new browser profile. Ratios compare with a plain HTML page of 50 rows.`,
    columns: ['what', 'ms', 'p10', 'p90', 'ratio'],
    rows: [
      row('first view: a bare page of 50 rows', base, 1),
      row('first view: requests', requests, requests.median / base.median),
      row('first view: webhooks', webhooks, webhooks.median / base.median),
      row('from a call’s answer to its row in an open tab', live, live.median / base.median),
      row('a frame while the list is scrolled', frames, frames.median / base.median),
    ],
    missed: missed.filter(([, { high }]) => high > GOAL_MS).map(([name, { high }]) => `${name}: ${high} ms at p90`),
  })
} finally {
  await browser.close()
  await p[Symbol.asyncDispose]()
  bare.close()
}

interface Served {
  baseUrl: string
  /** What `sandbox start --json` prints. */
  ready: { partners: readonly [{ apiKey: string; entityId: string }, ...unknown[]] }
}

/** A fresh link to the window. */
async function windowLink({ run }: Program): Promise<string> {
  const { stdout } = await run('sandbox open --print --json')
  return (JSON.parse(stdout) as { url: string }).url
}

/** Opens a page by a new link. @returns the page after its first view */
async function enter(context: BrowserContext, from: Program, part: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${await windowLink(from)}#/${part}`)
  await page.locator('.stream', { hasText: LIVE }).waitFor()
  return page
}

async function evaluate({ baseUrl, ready }: Served, externalTrxId: string): Promise<void> {
  const [{ apiKey, entityId }] = ready.partners
  const headers = { authorization: `Bearer ${apiKey}` }
  const body = new URLSearchParams({ idNumber: '11222333-9', amount: '250000', entityId, externalTrxId })
  const { ok, status } = await fetch(`${baseUrl}/partner/pre-loan-request/bnpl`, { method: 'POST', headers, body })
  if (!ok) throw new Error(`the evaluation answered ${status}`)
}

/** From the start of the navigation to the frame in which rows stand, in a browser that has never been there. */
async function firstView(from: Browser, url: string): Promise<number> {
  const context = await from.newContext({ viewport: { width: 1280, height: 860 } })
  const page = await context.newPage()
  await page.addInitScript(WATCH)
  await page.goto(url)
  const took = (await page.evaluate('window.drawn')) as number
  await context.close()
  return took
}

/** A call is made, and its row appears in a tab that is open. */
async function liveChanges(from: Browser, started: Program, served: Served): Promise<Spread> {
  const context = await from.newContext({ viewport: { width: 1280, height: 860 } })
  const page = await enter(context, started, 'payments')
  const took: number[] = []
  for (let i = 0; i < rounds; i++) {
    await evaluate(served, `live-${i}`)
    const answered = performance.now()
    await page.locator('a.row', { hasText: `live-${i}` }).waitFor()
    took.push(performance.now() - answered)
  }
  await context.close()
  return spread(took)
}

/** The list is scrolled from end to end, a step each frame. */
async function scrolling(from: Browser, started: Program): Promise<Spread> {
  const context = await from.newContext({ viewport: { width: 1280, height: 400 } })
  const page = await enter(context, started, 'requests')
  const frames = (await page.evaluate(SCROLL)) as number[]
  await context.close()
  return spread(frames)
}
