/**
 * Opens an address in the person's browser. Nothing but http and https is ever handed over: other schemes start other programs.
 * @returns false when there is none to open, or the address is no web page's
 */
export async function openUrl(url: string): Promise<boolean> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return false
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
