import type { BrowserContext, Page } from 'playwright-core'

/** The sum of layout shifts that no view may reach. A shift is the share of the page that moved, times how far it moved. */
export const LARGEST_SHIFT = 0.05

/** In the page: every layout shift that follows no input of the reader, with the elements that moved. */
const WATCH = `window.shifts = []
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node }) => node === null ? '' : node.nodeName + '.' + (node.className ?? '')) })
  }
}).observe({ type: 'layout-shift', buffered: true })`

/** A script for the page. It returns the shifts of the frames so far, after a wait because each is reported after its frame. */
const REPORTED =
  'new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(shifts.splice(0)), 50)))'

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
