/** The addresses of the window: the page, and everything that it loads and requests. */
export const WINDOW_PATH = '/'
export const WINDOW_PREFIX = '/_window'

/** The last parameter of an address that a browser loads without the key: the seal (`Entrance.seal`) of the address without it. */
export const SEAL = 'seal'

/** The address of a report's page as a picture. @param page from 1 @param print of its data, so that a changed report has another address */
export const reportPicture = (preApproveId: string, page: number, print: string) =>
  `${WINDOW_PREFIX}/report/${encodeURIComponent(preApproveId)}/${page}?v=${print.slice(0, 12)}`

/** True for every address that the window answers. */
export function isWindowAddress(pathname: string): boolean {
  return pathname === WINDOW_PATH || pathname === WINDOW_PREFIX || pathname.startsWith(`${WINDOW_PREFIX}/`)
}
