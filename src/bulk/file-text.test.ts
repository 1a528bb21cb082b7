import { expect, test } from 'vitest'
import { type Input, usableWatch } from './input.ts'
import { MAX_ROW_LENGTH } from './row.ts'
import { textOf } from './row-file.ts'

/** Returns an input that is read in these pieces. */
const inputOf = (...pieces: readonly Uint8Array[]): Input => ({
  name: 'test.csv',
  path: undefined,
  async *bytes() {
    yield* pieces
  },
  version: async () => '',
  close: async () => {},
})

const bytes = (...values: number[]) => Uint8Array.from(values)
const text = (words: string) => Buffer.from(words)

async function read(input: Input, onBytes?: (bytes: Uint8Array) => void): Promise<string[]> {
  const found: string[] = []
  for await (const piece of textOf(input, onBytes)) found.push(piece)
  return found
}

test('a character that two pieces share is whole in the text, and no piece of text is empty', async () => {
  const euro = text('€')
  expect(await read(inputOf(euro.subarray(0, 1), euro.subarray(1, 2), euro.subarray(2), text('a')))).toEqual(['€', 'a'])
})

test('a byte order mark is not part of the text, but every byte is passed to the counter', async () => {
  const seen: number[] = []
  const pieces = await read(inputOf(bytes(0xef, 0xbb, 0xbf), text('id\n'), text('1')), (each) => seen.push(...each))
  expect(pieces).toEqual(['id\n', '1'])
  expect(seen).toEqual([0xef, 0xbb, 0xbf, ...text('id\n1')])
})

test.each([
  ['by its mark, little end first', bytes(0xff, 0xfe, 0x69, 0)],
  ['by its mark, big end first', bytes(0xfe, 0xff, 0, 0x69)],
  ['without a mark, little end first', bytes(0x69, 0)],
  ['without a mark, big end first', bytes(0, 0x69)],
])(
  'a file in UTF-16 is refused with the advice to name its encoding; the encoding is recognised %s [row 95]',
  async (_, start) => {
    await expect(read(inputOf(start))).rejects.toMatchObject({
      name: 'UnreadableRow',
      line: 1,
      message: 'the file is UTF-16. Add --encoding utf-16le, or save it as UTF-8 (in Excel: “CSV UTF-8”)',
    })
  },
)

test.each([
  ['an Excel workbook', bytes(0x50, 0x4b, 3, 4), 'an Excel workbook or a ZIP archive. In Excel, save'],
  ['an old Excel workbook', bytes(0xd0, 0xcf, 0x11, 0xe0), 'an old Excel workbook. In Excel, save'],
  [
    'a file of gzip',
    bytes(0x1f, 0x8b, 8),
    'compressed (gzip). Decompress it in a pipe: gunzip -c FILE | bnpl … --from -',
  ],
  ['a file of zstd', bytes(0x28, 0xb5, 0x2f, 0xfd), 'compressed (zstd)'],
  ['a file of xz', bytes(0xfd, 0x37, 0x7a, 0x58), 'compressed (xz)'],
])('%s is recognised, and the error says what to do', async (_, start, words) => {
  await expect(read(inputOf(start))).rejects.toMatchObject({ line: 1, message: expect.stringContaining(words) })
})

test('a CSV file may begin with the letters PK', async () => {
  expect(await read(inputOf(text('PK,id\n')))).toEqual(['PK,id\n'])
})

test.each([
  ['two zeros', [bytes(0, 0)], ['\0\0']],
  ['a zero in a later piece', [text('id\n'), bytes(0, 0x69)], ['id\n', '\0i']],
])('%s are not taken for UTF-16', async (_, pieces, expected) => {
  expect(await read(inputOf(...pieces))).toEqual(expected)
})

test.each([
  ['half a mark', bytes(0xff, 0x69)],
  ['half of the other mark', bytes(0xfe, 0x69)],
  ['the end of a mark', bytes(0x69, 0xff)],
  ['the end of the other mark', bytes(0x69, 0xfe)],
  ['a mark twice', bytes(0xff, 0xff)],
])('a file that begins with %s is not reported as UTF-16, but as a line that is not UTF-8', async (_, start) => {
  await expect(read(inputOf(start))).rejects.toThrow('this line is not UTF-8 text')
})

const NOT_UTF8 =
  'this line is not UTF-8 text. Save the file as UTF-8 (in Excel: “CSV UTF-8”), or name its encoding, such as --encoding windows-1252'

test.each([
  ['in its first line', [bytes(0x61, 0xe9, 0x0a, 0x62)], 1],
  ['in its last line', [text('a\nb\n'), bytes(0x63, 0xe9)], 3],
  ['right behind a line end', [text('a\n'), bytes(0xe9, 0x0a)], 2],
  ['in the second piece of a line', [text('a\nb'), text('c'), bytes(0xff, 0x0a), text('d\n')], 2],
  ['in a piece with whole lines before it', [text('a\n'), Buffer.concat([text('b\nc\n'), bytes(0xff)])], 4],
  ['where a character breaks off in the next piece', [bytes(0x61, 0x0a, 0xc3), text('b\n')], 2],
  ['behind a character that two pieces share', [bytes(0x61, 0x0a, 0xc3), bytes(0xa9, 0x0a, 0xff)], 3],
  ['where the file ends within a character', [text('a\nb\n'), bytes(0xe2, 0x82)], 3],
])('the line that is not UTF-8 is named: %s [row 95]', async (_, pieces, line) => {
  await expect(read(inputOf(...pieces))).rejects.toMatchObject({ name: 'UnreadableRow', line, message: NOT_UTF8 })
})

test('a disk failure is not reported as an invalid text', async () => {
  const broken = new Error('EIO')
  const input = {
    ...inputOf(),
    // biome-ignore lint/correctness/useYield: it fails before its first piece.
    async *bytes(): AsyncGenerator<Uint8Array> {
      throw broken
    },
  }
  await expect(read(input)).rejects.toBe(broken)
})

test('reading a pipe stops when the current line is too long to be a row', () => {
  const longest = Buffer.alloc(MAX_ROW_LENGTH * 4, 'a')
  const watch = usableWatch()
  expect(watch(longest)).toBe(true)
  expect(watch(text('\n'))).toBe(true)
  expect(watch(longest)).toBe(true)
  expect(watch(text('a'))).toBe(false)
})

test('text after the last line end in a piece of a pipe counts towards the length of the next line', () => {
  const watch = usableWatch()
  const half = Buffer.alloc(MAX_ROW_LENGTH * 2, 'a')
  expect(watch(half)).toBe(true)
  expect(watch(Buffer.concat([text('\nb\n'), half]))).toBe(true)
  expect(watch(half)).toBe(true)
  expect(watch(text('a'))).toBe(false)
})

test('a pipe is not read after a piece that is not UTF-8', () => {
  const watch = usableWatch()
  expect(watch(bytes(0x61, 0xc3))).toBe(true)
  expect(watch(bytes(0xa9))).toBe(true)
  expect(watch(bytes(0xe9, 0x61))).toBe(false)
})
