import type { BrowserContextOptions, Page } from 'playwright-core'

/** The widths at which every view is looked at, in px: a desk, a tablet, a phone, and a desk at 400 %. */
export const WIDTHS: readonly number[] = [1440, 768, 390, 320]

/** The schemes of colours in which every view is looked at. */
export const SCHEMES = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>

export type Scheme = keyof typeof SCHEMES

export const SCHEME_NAMES: readonly Scheme[] = ['light', 'dark', 'forced']

/** Looks at a page that shows a view completely. */
export type Look = (page: Page, view: string) => Promise<void>

/** Shows a page at a width and in a scheme, from its top, with the pointer on nothing. */
export async function dress(page: Page, width: number, scheme: Scheme): Promise<void> {
  // Chromium paints the ground white for ever if the page is resized in forced colours, so they are switched off first.
  await page.emulateMedia(SCHEMES[scheme === 'light' ? 'dark' : 'light'])
  await page.setViewportSize({ width, height: 860 })
  await page.emulateMedia(SCHEMES[scheme])
  // A button that happens to be half under the bar is no small target.
  await page.evaluate('window.scrollTo(0, 0)')
  await page.mouse.move(0, 0)
}
