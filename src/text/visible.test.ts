import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cell, toCsv } from '../terminal/csv.ts'
import { toJson } from '../terminal/json.ts'
import { visible } from './visible.ts'

test('characters that would control a terminal are made visible [row 82]', () => {
  expect(visible('a\u001b[31mred\u0007')).toBe('a\\u001b[31mred\\u0007')
  expect(visible('x\r\ny\tz')).toBe('x\\r\\ny\\tz')
  expect(visible('x\ny', true)).toBe('x\ny')
  expect(visible('\u009b31m \u202egnp.exe \u2066 \u007f')).toBe('\\u009b31m \\u202egnp.exe \\u2066 \\u007f')
  expect(visible('año 😀 👩‍👧')).toBe('año 😀 👩‍👧')
})

test('property: cleaned text has nothing below a space, and JSON of it is the same document [row 82]', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visible(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      const json = toJson({ text })
      expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect(JSON.parse(json)).toEqual({ text })
    }),
  )
})

test('cells that a spreadsheet would run are made harmless; numbers stay numbers [row 83]', async () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\u00a0=1', '\r=1', '|cmd', '%x'])
    expect(cell(text)).toBe(`'${text}`)
  expect([cell(-5), cell(1.5), cell('order-1'), cell(''), cell(null), cell(true)]).toEqual([
    -5,
    1.5,
    'order-1',
    '',
    '',
    true,
  ])
  expect(
    await toCsv([
      { a: -1, b: 'x,"y"\nz' },
      { a: 2, c: { d: 1 } },
    ]),
  ).toBe('a,b,c\n-1,"x,""y""\nz",\n2,,"{""d"":1}"\n')
  expect(await toCsv([])).toBe('')
  // A field that nobody documented is called what the service calls it.
  expect(await toCsv([{ '=1+1': 1 }])).toBe("'=1+1\n1\n")
})
