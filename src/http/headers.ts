import type { IncomingHttpHeaders } from 'node:http'

/**
 * Returns the value of a header; undefined when the header was not sent. If it was sent twice, the values are joined into one text, which
 * Node itself does for most headers.
 */
export function singleHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Returns every `Host` header of a request. `headersDistinct` is not used, because it groups all headers of every delivery by name, which
 * is slow.
 * @param rawHeaders Node's `rawHeaders`, in which each name is followed by its value
 */
export function hostsOf(rawHeaders: readonly string[]): string[] {
  const hosts: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[i + 1] ?? '')
  }
  return hosts
}
