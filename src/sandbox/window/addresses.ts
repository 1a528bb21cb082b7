/** Where the window is: the page itself, and everything the page loads and asks. */
export const WINDOW_PATH = '/'
export const WINDOW_PREFIX = '/_window'

/** The parameter of an address that a browser loads by itself: what `Entrance.seal` gave for the address without it, as its last. */
export const SEAL = 'seal'

/** Where a page of a report is as a picture. @param page from 1 @param print of its data, so that a changed report is another address */
export const reportPicture = (preApproveId: string, page: number, print: string) =>
  `${WINDOW_PREFIX}/report/${encodeURIComponent(preApproveId)}/${page}?v=${print.slice(0, 12)}`

/** True for everything the window answers. */
export function isWindowAddress(pathname: string): boolean {
  return pathname === WINDOW_PATH || pathname === WINDOW_PREFIX || pathname.startsWith(`${WINDOW_PREFIX}/`)
}
