export interface Destination {
  host: string
  /** The path of the base address, without a slash at its end. */
  prefix: string
  /** The profile's key, which replaces the program's own key; undefined to send the program's key. */
  apiKey: string | undefined
}

/**
 * Returns the head of a request as it is sent to the service: with the service's `Host`, the path prefix, and perhaps the profile's key.
 * All other bytes are unchanged.
 * @param head a complete head, including its empty line
 * @param key whether `apiKey`, if it is defined, is set as the request's only `Authorization`
 */
export function headForService(head: Buffer, { host, prefix, apiKey }: Destination, key: boolean): Buffer {
  const lines = head.toString('latin1').split('\n')
  const start = lines.findIndex((line) => line.trim() !== '')
  lines[start] = (lines[start] ?? '').replace(/^(\S+ )/, `$1${prefix}`)
  const named = lines.findIndex((line) => /^host[ \t]*:/i.test(line))
  lines[named] = withValue(lines[named] ?? '', host)
  if (key && apiKey !== undefined) putKey(lines, named, apiKey)
  return Buffer.from(lines.join('\n'), 'latin1')
}

const withValue = (line: string, value: string) =>
  line.replace(/^([^:]*:[ \t]*)(.*?)([ \t]*\r?)$/, (_, name: string, _before, end: string) => `${name}${value}${end}`)

function putKey(lines: string[], beside: number, apiKey: string): void {
  const own = lines.flatMap((line, i) => (/^authorization[ \t]*:/i.test(line) ? [i] : []))
  const [first, ...more] = own
  for (const i of more.reverse()) lines.splice(i, 1)
  if (first !== undefined) lines[first] = withValue(lines[first] ?? '', `Bearer ${apiKey}`)
  else lines.splice(beside + 1, 0, `Authorization: Bearer ${apiKey}${/\r$/.test(lines[beside] ?? '') ? '\r' : ''}`)
}
