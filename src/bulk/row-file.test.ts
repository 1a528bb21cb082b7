import { expect, test } from 'vitest'
import type { Input } from './input.ts'
import { openRows } from './row-file.ts'

const inputOf = (...pieces: string[]): Input => ({
  name: 'rows',
  path: undefined,
  async *bytes() {
    for (const piece of pieces) yield Buffer.from(piece)
  },
  version: async () => '',
  close: async () => {},
})
const open = (...pieces: string[]) => openRows(inputOf(...pieces), { columns: [{ name: 'id', required: true }] })

test.each([
  [['id\n1\n'], 'csv'],
  [[' ', '\n', ' i', 'd\n', '1\n'], 'csv'],
  [['{"id":1}\n'], 'ndjson'],
  [['\n\n  ', ' {"id":1}'], 'ndjson'],
])('the first character that is not blank decides the format: %j', async (pieces, form) => {
  expect((await open(...pieces)).form).toBe(form)
})

test('a header is read whole however small the pieces are', async () => {
  const file = await open(...'id;name, first;b\n1;2;3\n')
  expect(file.otherColumns).toEqual(['name, first', 'b'])
  const quoted = await open(...'"name\nfirst, ""last""";id;b\n1;2;3\n')
  expect(quoted.otherColumns).toEqual(['name\nfirst, "last"', 'b'])
})

test.each([[[]], [['']], [[' \n', '\t\r\n']]])(
  'a file that is empty or blank is refused: %j [row 95]',
  async (pieces) => {
    await expect(open(...pieces)).rejects.toMatchObject({
      kind: 'usage',
      code: 'NO_ROWS',
      message: 'rows has no rows',
      hint: 'Write a header line and rows into the file.',
    })
  },
)

test('a JSON array is refused with the command that converts it to rows [row 95]', async () => {
  await expect(open(' \n[', '{"id":1}]')).rejects.toMatchObject({
    kind: 'usage',
    code: 'NOT_NDJSON',
    message: 'rows is a JSON array, but NDJSON needs one object on each line',
    hint: "Convert it to NDJSON in a pipe: jq -c '.[]' FILE | bnpl … --from -",
  })
})

test('the format of a first line without a line end is decided after a million characters', async () => {
  let pieces = 0
  const input = {
    ...inputOf(),
    async *bytes() {
      for (;;) {
        pieces++
        yield Buffer.alloc(250_000, '{')
      }
    },
  }
  expect((await openRows(input, { columns: [{ name: 'id', required: true }] })).form).toBe('ndjson')
  expect(pieces).toBe(4)
})
