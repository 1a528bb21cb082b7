import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { BnplError, codeOf, usage } from '../errors.ts'
import { whyUnreadable } from '../text/file-text.ts'
import { parseJsonText } from '../text/json-text.ts'
import { ENTRY, type Entry } from './entries.ts'

/** The maximum length of a line that is read, in bytes. Recorded entries are shorter. */
const MAX_LINE_BYTES = 32 * 1024 * 1024

const LINE_FEED = 0x0a

/** Returns the line for an entry, with its line feed. */
export const lineOf = (entry: Entry): string => `${JSON.stringify(entry)}\n`

/** Whether `readRecording` accepts a line. */
export function isReadable(line: string): boolean {
  const bytes = Buffer.from(line)
  if (bytes.length > MAX_LINE_BYTES) return false
  const json = parseJsonText(bytes)
  return json.ok && ENTRY.safeParse(json.value).success
}

export interface RecordedLine {
  file: string
  line: number
  entry: Entry
}

/** A line of a recording that shows something. */
export type Evidence = Pick<RecordedLine, 'file' | 'line'>

/**
 * Reads a recording entry by entry, in constant memory. A last line without a line feed is left out, because a crash cut it. Throws `usage`
 * for an unreadable file, and for a line that is not an entry.
 */
export async function* readRecording(path: string): AsyncGenerator<Omit<RecordedLine, 'file'>> {
  let line = 0
  for await (const bytes of wholeLines(path)) {
    line++
    yield { line, entry: entryOf(bytes, `line ${line} of ${basename(path)}`) }
  }
}

function entryOf(bytes: Uint8Array, where: string): Entry {
  const json = parseJsonText(bytes)
  if (!json.ok) throw notAnEntry(where, json.reason)
  const read = ENTRY.safeParse(json.value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = issue?.path.join('.')
  throw notAnEntry(where, field ? `the field “${field}” is missing or has a wrong value` : 'it is not a JSON object')
}

const HINT = 'Name a file that was written by --record.'

const notAnEntry = (where: string, why: string) =>
  usage(`${where} is not an entry of a recording: ${why}`, HINT, 'NOT_A_RECORDING')

async function* wholeLines(path: string): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, end)])
        rest = []
        length = 0
        start = end + 1
      }
      rest.push(chunk.subarray(start))
      length += chunk.length - start
      if (length > MAX_LINE_BYTES) throw usage(`${path} has a line of more than 32 MiB`, HINT, 'NOT_A_RECORDING')
    }
  } catch (error) {
    if (error instanceof BnplError) throw error
    throw usage(`${path} cannot be read: ${whyUnreadable(codeOf(error))}`, undefined, 'FILE_UNREADABLE')
  }
}
