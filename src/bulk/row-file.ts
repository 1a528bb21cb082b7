import { isTotalWord } from '../domain/identifiers.ts'
import { usage } from '../errors.ts'
import { openCsv } from './csv-file.ts'
import type { Input } from './input.ts'
import { openNdjson } from './ndjson-file.ts'
import { type RawRow, type RowFile, type RowPlan, UnreadableRow, type Values } from './row.ts'

/**
 * Opens a file of rows for reading. Its first character decides between NDJSON and CSV. Throws `usage` for an empty file, a JSON array, or
 * a header that lacks a required column.
 * @param onBytes called with the bytes that are read, for a digest
 */
export async function openRows(input: Input, plan: RowPlan, onBytes?: (bytes: Uint8Array) => void): Promise<RowFile> {
  const { columns } = plan
  const text = textOf(input, onBytes)
  let first = ''
  while (!hasWholeLine(first) && first.length < 1_000_000) {
    const piece = await text.next()
    if (piece.done) break
    first += piece.value
  }
  if (first.trim() === '')
    throw usage(`${input.name} has no rows`, 'Write a header line and rows into the file.', 'NO_ROWS')
  const start = first.trimStart()[0]
  if (start === '[') {
    throw usage(
      `${input.name} is a JSON array, but NDJSON needs one object on each line`,
      "Convert it to NDJSON in a pipe: jq -c '.[]' FILE | bnpl … --from -",
      'NOT_NDJSON',
    )
  }
  const file =
    start === '{' ? openNdjson(input.name, text, first, columns) : await openCsv(input.name, text, first, columns)
  return plan.skipTotal ? withoutTotals(file, plan) : file
}

/** Whether a row contains the totals of the other rows: it has the word in place of its id, or no id and the word in another cell. */
export function isTotalRow(file: RowFile, row: RawRow, values: Values | string, { id = 0 }: RowPlan): boolean {
  const own = typeof values === 'string' ? undefined : values[id]
  return own === undefined ? file.texts(row).some(isTotalWord) : isTotalWord(own)
}

function withoutTotals(file: RowFile, plan: RowPlan): RowFile {
  const skipped: number[] = []
  const isKept = (row: RawRow) => {
    if (!isTotalRow(file, row, file.values(row), plan)) return true
    skipped.push(row.line)
    return false
  }
  const batches = async function* () {
    for await (const batch of file.batches) yield batch.filter(isKept)
  }
  return Object.defineProperties(Object.create(file), {
    batches: { value: batches() },
    skipped: { value: skipped },
  })
}

/** Returns whether the text has a visible character and, after it, a line end outside quotes. A single pattern would take quadratic time. */
function hasWholeLine(text: string): boolean {
  const start = text.search(/\S/)
  if (start === -1) return false
  const parts = text.slice(start).split('"')
  return parts.some((part, i) => i % 2 === 0 && part.includes('\n'))
}

/**
 * Reads a file's text in pieces, without its byte order mark. Throws `UnreadableRow` for the first line that is not text in the encoding of
 * the input.
 */
export async function* textOf(input: Input, onBytes?: (bytes: Uint8Array) => void): AsyncGenerator<string> {
  const { encoding } = input
  const decoder = new TextDecoder(encoding ?? 'utf-8', { fatal: true })
  let first = true
  let lines = 1
  try {
    for await (const bytes of input.bytes()) {
      onBytes?.(bytes)
      const form = first ? (encoding === undefined ? otherForm(bytes) : contradictingMark(bytes, encoding)) : undefined
      if (form !== undefined) throw new UnreadableRow(1, form)
      first = false
      const text = decoder.decode(bytes, { stream: true })
      if (encoding !== undefined) lines += text.split('\n').length - 1
      if (text !== '') yield text
    }
    decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw encoding === undefined
      ? new UnreadableRow(
          await badLine(input),
          'this line is not UTF-8 text. Save the file as UTF-8 (in Excel: “CSV UTF-8”), or name its encoding, such as --encoding windows-1252',
        )
      : new UnreadableRow(lines, `the text from this line on is not ${encoding}. Correct --encoding`)
  }
}

/** Returns why a file with this beginning does not have the given encoding; undefined if it may have it. */
function contradictingMark([one, two, three]: Uint8Array, encoding: string): string | undefined {
  const marked =
    one === 0xef && two === 0xbb && three === 0xbf
      ? 'utf-8'
      : one === 0xff && two === 0xfe
        ? 'utf-16le'
        : one === 0xfe && two === 0xff
          ? 'utf-16be'
          : undefined
  if (marked === undefined || marked === new TextDecoder(encoding).encoding) return undefined
  return `the file begins with the mark of ${marked}, so it is not ${encoding}. ${marked === 'utf-8' ? 'Remove --encoding' : `Use --encoding ${marked}`}`
}

/** The first bytes of files that users often name in place of a CSV file, and what to do with such a file. None of the files is UTF-8 text. */
const OTHER_FORMS: readonly { begins: readonly number[]; form: string }[] = [
  {
    begins: [0x50, 0x4b, 0x03, 0x04],
    form: 'the file is an Excel workbook or a ZIP archive. In Excel, save the sheet as “CSV UTF-8”',
  },
  {
    begins: [0xd0, 0xcf, 0x11, 0xe0],
    form: 'the file is an old Excel workbook. In Excel, save the sheet as “CSV UTF-8”',
  },
  {
    begins: [0x1f, 0x8b],
    form: 'the file is compressed (gzip). Decompress it in a pipe: gunzip -c FILE | bnpl … --from -',
  },
  { begins: [0x28, 0xb5, 0x2f, 0xfd], form: 'the file is compressed (zstd). Decompress it first' },
  { begins: [0xfd, 0x37, 0x7a, 0x58], form: 'the file is compressed (xz). Decompress it first' },
]

/** Returns the format of a file that is not UTF-8 text, and how to convert the file; undefined for an unknown format. */
function otherForm(bytes: Uint8Array): string | undefined {
  if (isUtf16(bytes)) return 'the file is UTF-16. Add --encoding utf-16le, or save it as UTF-8 (in Excel: “CSV UTF-8”)'
  return OTHER_FORMS.find(({ begins }) => begins.every((byte, index) => bytes[index] === byte))?.form
}

function isUtf16([one, two]: Uint8Array): boolean {
  return (one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff) || (one === 0) !== (two === 0)
}

async function badLine(input: Input): Promise<number> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for await (const bytes of input.bytes()) {
    for (const [start, end] of linesOf(bytes)) {
      if (!decodes(decoder, bytes.subarray(start, end))) return line
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
