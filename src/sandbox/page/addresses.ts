import { PAYMENT_PATH } from '../conventions.ts'

/** Where the two pages are: the one a customer is redirected to, and the one `widget.js` puts into a frame. */
export const PAGE_PATHS = { hosted: `${PAYMENT_PATH}/`, embedded: `${PAYMENT_PATH}/embed` } as const
export type PagePath = (typeof PAGE_PATHS)[keyof typeof PAGE_PATHS]

/** The script a merchant's page loads (gap 5). */
export const WIDGET_PATH = '/widget.js'

/** True for everything the payment page answers. */
export function isPageAddress(pathname: string): boolean {
  return pathname === WIDGET_PATH || pathname === PAYMENT_PATH || pathname.startsWith(PAGE_PATHS.hosted)
}
