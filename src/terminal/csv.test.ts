import { expect, test } from 'vitest'
import { cell, toCsv } from './csv.ts'

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
  expect(await toCsv([{ id: 'a\u001b[2Jb\r\nc\u009bd', '\u001b[1m': 1 }])).toBe(
    'id,\\u001b[1m\n"a\\u001b[2Jb\r\nc\\u009bd",1\n',
  )
  // A field that nobody documented is called what the service calls it.
  expect(await toCsv([{ '=1+1': 1 }])).toBe("'=1+1\n1\n")
})
