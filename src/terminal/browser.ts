import { parseServiceAddress } from '../domain/origin.ts'

/**
 * Opens an address in the person's browser. Only https is handed over, and http to this machine: other schemes start other programs, and
 * anybody on the way can change what comes over http.
 * @returns false when there is no browser, or the address is another one
 */
export async function openUrl(url: string): Promise<boolean> {
  if (!parseServiceAddress(url).ok) return false
  const { default: open } = await import('open')
  try {
    const child = await open(url)
    // The opener's own failure (no xdg-open, no display) arrives as an event, a moment later. The child does not keep this
    // process alive, so the timer must: without it the program would end here, its result unwritten.
    const { promise, resolve } = Promise.withResolvers<boolean>()
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
    const timer = setTimeout(() => resolve(true), 500)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  } catch {
    return false
  }
}
