import type { IncomingHttpHeaders } from 'node:http'

/** Returns the value of a header; undefined when it was not sent. The values of a repeated header are joined with commas. */
export function singleHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Returns every `Host` header of a request. Node's `headersDistinct` is too slow for this.
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
