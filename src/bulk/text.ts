import type { Input } from './input.ts'
import { MAX_ROW_LENGTH, UnreadableRow } from './row.ts'

/** A row of `MAX_ROW_LENGTH` characters takes no more. */
const MAX_ROW_BYTES = MAX_ROW_LENGTH * 4

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
      if (first && isUtf16(bytes))
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

/** By its byte order mark; without one, by the zero that is one of its first two bytes. */
function isUtf16([one, two]: Uint8Array): boolean {
  return (one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff) || (one === 0) !== (two === 0)
}

/** The first line that is not UTF-8, found by reading once more: only a file that cannot be used pays for it. */
async function badLine(input: Input): Promise<number> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  /** Stands where `decoder` stood before the piece with the fault, so that the piece can be taken line by line. */
  const behind = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for await (const bytes of input.bytes()) {
    const wrong = !decodes(decoder, bytes)
    for (const [start, end] of linesOf(bytes)) {
      if (!decodes(behind, bytes.subarray(start, end)) && wrong) return line
      if (bytes[end - 1] === NEWLINE) line++
    }
  }
  return line
}

const NEWLINE = 10

function decodes(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

function* linesOf(bytes: Uint8Array): Generator<[start: number, end: number]> {
  let start = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
    yield [start, at + 1]
    start = at + 1
  }
  if (start < bytes.length) yield [start, bytes.length]
}

/**
 * Watches bytes on their way into a file of ours. @returns tells of each piece whether reading on makes sense: not after what is no
 * UTF-8, nor after a line longer than any row, because the check refuses such a file, whatever else is in it
 */
export function usableWatch(): (bytes: Uint8Array) => boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let sinceNewline = 0
  return (bytes) => {
    const last = bytes.lastIndexOf(NEWLINE)
    sinceNewline = last === -1 ? sinceNewline + bytes.length : bytes.length - last - 1
    return sinceNewline <= MAX_ROW_BYTES && decodes(decoder, bytes)
  }
}
