import { PAYMENT_PATH } from '../conventions.ts'

/** The addresses of the two pages: the one to which a customer is redirected, and the one that `widget.js` shows in a frame. */
export const PAGE_PATHS = { hosted: `${PAYMENT_PATH}/`, embedded: `${PAYMENT_PATH}/embed` } as const
export type PagePath = (typeof PAGE_PATHS)[keyof typeof PAGE_PATHS]

/** The script a merchant's page loads (gap 5). */
export const WIDGET_PATH = '/widget.js'

/** True for every address that the payment page answers. */
export function isPageAddress(pathname: string): boolean {
  return pathname === WIDGET_PATH || pathname === PAYMENT_PATH || pathname.startsWith(PAGE_PATHS.hosted)
}
