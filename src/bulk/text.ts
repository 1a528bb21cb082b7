import { isUtf8 } from 'node:buffer'
import type { Input } from './input.ts'
import { UnreadableRow } from './row.ts'

/**
 * A file's text in pieces, without its byte order mark. Throws `UnreadableRow` with the line where it stops being UTF-8.
 * @param onBytes sees every byte on the way, for a digest
 */
export async function* textOf(input: Input, onBytes?: (bytes: Uint8Array) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let first = true
  try {
    for await (const bytes of input.bytes()) {
      onBytes?.(bytes)
      if (first && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)))
        throw new UnreadableRow(1, 'the file is UTF-16; save it as UTF-8 (in Excel: “CSV UTF-8”)')
      first = false
      const text = decoder.decode(bytes, { stream: true })
      if (text !== '') yield text
    }
    decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UnreadableRow(
      await badLine(input),
      'this is not UTF-8 text; save the file as UTF-8 (in Excel: “CSV UTF-8”)',
    )
  }
}

/** The first line that is not UTF-8, found by reading once more: only a file that cannot be used pays for it. */
async function badLine(input: Input): Promise<number> {
  let line = 1
  let rest = Buffer.alloc(0)
  for await (const bytes of input.bytes()) {
    const all = Buffer.concat([rest, bytes])
    let start = 0
    for (let end = all.indexOf(10); end !== -1; end = all.indexOf(10, start)) {
      if (!isUtf8(all.subarray(start, end))) return line
      line++
      start = end + 1
    }
    rest = Buffer.from(all.subarray(start))
  }
  return line
}
