/** Where the window is: the page itself, and everything the page loads and asks. */
export const WINDOW_PATH = '/'
export const WINDOW_PREFIX = '/_window'

/** True for everything the window answers. */
export function isWindowAddress(pathname: string): boolean {
  return pathname === WINDOW_PATH || pathname === WINDOW_PREFIX || pathname.startsWith(`${WINDOW_PREFIX}/`)
}
