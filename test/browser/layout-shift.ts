import type { BrowserContext, Page } from 'playwright-core'

/** The sum of layout shifts that no view may reach. A shift is the share of the page that moved, times how far it moved. */
export const LARGEST_SHIFT = 0.05

/**
 * In the page: every layout shift that follows no input of the reader, with the elements that moved, and the time of the first paint. In a
 * frame that waits for its style sheet, Chromium counts the step from the layout without styles, although it never painted that layout.
 */
const WATCH = `window.shifts = []
window.firstPaint = Infinity
new PerformanceObserver((list) => {
  for (const { startTime, value, hadRecentInput, sources } of list.getEntries()) {
    if (!hadRecentInput) shifts.push({ startTime, value, moved: sources.map(({ node }) => node === null ? '' : node.nodeName + '.' + (node.className ?? '')) })
  }
}).observe({ type: 'layout-shift', buffered: true })
new PerformanceObserver((list) => {
  for (const { startTime, paintTime = startTime } of list.getEntries()) firstPaint = Math.min(firstPaint, paintTime)
}).observe({ type: 'paint', buffered: true })`

/** A script for the page. It returns the shifts that a reader saw so far, after a wait because each is reported after its frame. */
const REPORTED = `new Promise((resolve) => requestAnimationFrame(() => setTimeout(() =>
  resolve(shifts.splice(0).filter(({ startTime }) => startTime > firstPaint)), 50)))`

interface Shift {
  value: number
  moved: readonly string[]
}

/** Watches the layout shifts of every page that this browser opens. */
export const watchShifts = (context: BrowserContext): Promise<unknown> => context.addInitScript(WATCH)

/** Returns the sum of the layout shifts since the page was opened or since the last call, and the elements that moved. */
export async function shiftsOf(page: Page): Promise<{ sum: number; moved: string[] }> {
  const shifts: Shift[] = []
  for (const frame of page.frames()) shifts.push(...((await frame.evaluate(REPORTED)) as Shift[]))
  return {
    sum: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: [...new Set(shifts.flatMap(({ moved }) => moved))],
  }
}
