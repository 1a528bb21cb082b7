import { release } from 'node:os'
import { parseServiceAddress } from '../domain/addresses.ts'

interface Desktop {
  platform: string
  env: Record<string, string | undefined>
}

/** How long to wait for the program that opens the browser, in ms. If it still runs then, it is the browser itself. */
const OPENING_MS = 3000

/**
 * Opens an address in the user's browser, and returns whether that worked. Only https, and http to this machine, are accepted, because
 * other schemes start other programs, and anybody in the network could change a page that is sent over http.
 */
export async function openUrl(url: string, desktop: Desktop): Promise<boolean> {
  if (!parseServiceAddress(url).ok || !hasScreen(desktop)) return false
  const { default: open } = await import('open')
  try {
    const child = await open(url)
    // A failure arrives as an event later. The `timer` keeps this process alive until then.
    const { promise, resolve } = Promise.withResolvers<boolean>()
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
    const timer = setTimeout(() => resolve(true), OPENING_MS)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  } catch {
    return false
  }
}

/**
 * Whether a browser can be seen. On Linux without a display, such as on a server, the opener would try one program after the other, also
 * browsers for the terminal, which cannot be used from here. `BROWSER` is set by editors that open the page on another machine.
 */
function hasScreen({ platform, env }: Desktop): boolean {
  if (platform !== 'linux' || /microsoft/i.test(release())) return true
  return ['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER'].some((name) => (env[name] ?? '') !== '')
}
