import type { BrowserContextOptions, Page } from 'playwright-core'

/** The widths in px at which every view is examined: a desktop, a tablet, a phone, and a desktop with 400 % zoom. */
export const WIDTHS: readonly number[] = [1440, 768, 390, 320]

/** The colour schemes in which every view is examined. */
export const SCHEMES = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>

export type Scheme = keyof typeof SCHEMES

export const SCHEME_NAMES: readonly Scheme[] = ['light', 'dark', 'forced']

/** Examines a page that shows a complete view. */
export type Look = (page: Page, view: string) => Promise<void>

/** Shows a page at a width and in a scheme, scrolled to its top, with the pointer on no element. */
export async function dress(page: Page, width: number, scheme: Scheme): Promise<void> {
  // If the page is resized in forced colours, Chromium's background stays white. So forced colours are turned off first.
  await page.emulateMedia(SCHEMES[scheme === 'light' ? 'dark' : 'light'])
  await page.setViewportSize({ width, height: 860 })
  await page.emulateMedia(SCHEMES[scheme])
  // Otherwise a button half under the bar would count as a control that is too small.
  await page.evaluate('window.scrollTo(0, 0)')
  await page.mouse.move(0, 0)
}
