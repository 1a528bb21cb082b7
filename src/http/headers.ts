import type { IncomingHttpHeaders } from 'node:http'

/** The one value of a header; undefined when it was not sent. Node joins most headers that came twice into one text, which is returned as it is. */
export function singleHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Every `Host` of a request. It does not use `headersDistinct`, which sorts all headers of every delivery.
 * @param rawHeaders names and values in turn, as Node gives them
 */
export function hostsOf(rawHeaders: readonly string[]): string[] {
  const hosts: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[i + 1] ?? '')
  }
  return hosts
}
