import { parseServiceAddress } from '../domain/origin.ts'

/**
 * Opens an address in the user's browser, and returns whether that worked. Only https, and http to this machine, are accepted, because
 * other schemes start other programs, and anybody in the network could change a page that is sent over http.
 */
export async function openUrl(url: string): Promise<boolean> {
  if (!parseServiceAddress(url).ok) return false
  const { default: open } = await import('open')
  try {
    const child = await open(url)
    // A failure arrives as an event a moment later. The `timer` keeps this process alive until then.
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
