import { expect, test } from 'vitest'
import { formatRut, parseRut, parseTypedRut, rutCheckCharacter } from './rut.ts'

test.each([
  ['12345678', '5'],
  ['11111111', '1'],
  ['10000013', 'K'],
  ['10000004', '0'],
  ['1', '9'],
  ['999999999', '6'],
])('the check character of %s is %s', (digits, check) => {
  // The expected check digit: the digits from the right are multiplied by 2, 3, 4, 5, 6, 7, 2, 3 … and added. The result is 11 minus the
  // remainder of the sum by 11, where 11 becomes 0 and 10 becomes K.
  const sum = [...digits].reverse().reduce((total, digit, i) => total + Number(digit) * (2 + (i % 6)), 0)
  expect(['0', 'K', '9', '8', '7', '6', '5', '4', '3', '2', '1'][sum % 11]).toBe(check)
  expect(rutCheckCharacter(digits)).toBe(check)
})

test('a RUT is read with or without dots, dash, surrounding blanks and leading zeros, in either case', () => {
  for (const text of [
    '12.345.678-5',
    '12345678-5',
    '123456785',
    ' 12345678-5\n',
    '012.345.678-5',
    '0012345678-5'.slice(1),
  ])
    expect([text, parseRut(text)]).toEqual([text, { ok: true, rut: '12345678-5' }])
  for (const text of ['10000013-K', '10.000.013-k']) expect(parseRut(text)).toEqual({ ok: true, rut: '10000013-K' })
  expect(parseRut('000000001-9')).toEqual({ ok: true, rut: '1-9' })
})

test('any other text does not have the shape of a RUT', () => {
  for (const text of [
    '',
    '-',
    '5',
    '-5',
    'x',
    '12345678-',
    '12345678--5',
    '12345678-55',
    '1234567890-1',
    '12a45678-5',
    'x12345678-5',
    '12345678-5x',
    '12345678-X',
    '0-0',
    '000-0',
    '12 345 678-5',
  ])
    expect([text, parseRut(text)]).toEqual([text, { ok: false, problem: 'shape' }])
  expect(parseRut('0-0', false)).toEqual({ ok: false, problem: 'shape' })
})

test('a wrong check character is refused with the right one, or accepted on request', () => {
  expect(parseRut('12345678-6')).toEqual({ ok: false, problem: 'check', expected: '5' })
  expect(parseRut('12345678-K')).toEqual({ ok: false, problem: 'check', expected: '5' })
  expect(parseRut('12345678-6', false)).toEqual({ ok: true, rut: '12345678-6' })
})

test('a RUT is shown with dots between the thousands', () => {
  expect(['1-9', '123-4', '1234-3', '12345678-5', '123456789-K', ''].map(formatRut)).toEqual([
    '1-9',
    '123-4',
    '1.234-3',
    '12.345.678-5',
    '123.456.789-K',
    '-',
  ])
})

test('a typed RUT may contain blanks, commas, and the dashes of chats and word processors', () => {
  for (const dash of ['-', '–', '—', '‐', '‑', '−', '－'])
    for (const text of [`12345678${dash}5`, `12.345.678 ${dash} 5`, `12 345 678${dash}5`, `12,345,678${dash}5`])
      expect([text, parseTypedRut(text)]).toEqual([text, { ok: true, rut: '12345678-5' }])
  expect(parseTypedRut('12\u00a0345\u202f678\u20115')).toEqual({ ok: true, rut: '12345678-5' })
  expect(parseTypedRut('12345678–6')).toEqual({ ok: false, problem: 'check', expected: '5' })
  expect(parseTypedRut('12345678 o 5')).toEqual({ ok: false, problem: 'shape' })
  // `parseRut` accepts only an ASCII hyphen.
  expect(parseRut('12345678–5')).toEqual({ ok: false, problem: 'shape' })
})
