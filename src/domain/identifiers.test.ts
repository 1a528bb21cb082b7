import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  damagedId,
  formatRut,
  identifierProblem,
  isTotalWord,
  isUsualId,
  looksLikeEmail,
  looksUnset,
  newTransactionId,
  parseRut,
  parseTypedRut,
  presentPreApproveId,
  rutCheckCharacter,
} from './identifiers.ts'

test.each([
  ['', 'it is empty'],
  ['.', '"." would change the address of the call'],
  ['..', '".." would change the address of the call'],
  ['a\u0000b', 'it contains a control character'],
  ['a\u001fb', 'it contains a control character'],
  ['a\u007fb', 'it contains a control character'],
  ['a\u009fb', 'it contains a control character'],
  ['a\ud800', 'it is not valid Unicode'],
  ['x'.repeat(10_241), 'it is longer than 10 kB'],
  ['漢'.repeat(3_414), 'it is longer than 10 kB'],
])('%# an id that cannot be sent is refused with the reason', (id, problem) => {
  expect(identifierProblem(id)).toBe(problem)
})

test('anything else may be an id, up to 10,240 bytes', () => {
  for (const id of ['...', 'a/b', ' ', 'ñ', '漢', '\u00a0', 'order 1', 'x'.repeat(10_240), '漢'.repeat(3_413)])
    expect(identifierProblem(id)).toBeUndefined()
})

test('a new transaction id contains the day and ten characters from an alphabet of 32', () => {
  const day = Date.parse('2026-03-01T23:59:59Z')
  const drawn = Array.from({ length: 32 }, (_, i) => newTransactionId(day, () => (i + 0.5) / 32))
  expect(drawn[0]).toBe('trx-20260301-0000000000')
  expect(drawn[31]).toBe('trx-20260301-zzzzzzzzzz')
  expect(new Set(drawn).size).toBe(32)
  let n = 0
  expect(newTransactionId(day, () => n++ / 32)).toBe('trx-20260301-0123456789')
})

test('the words null, Undefined and 0, and a blank, are accepted as pre-approval ids', () => {
  expect(['null', 'Undefined', ' ', '0'].map(presentPreApproveId)).toEqual(['null', 'Undefined', ' ', '0'])
})

test('an e-mail address has one @, a dot after it, and no separator of several addresses', () => {
  for (const address of ['a@b.c', 'ana.perez+tag@mail.example.com', 'ñandú@correo.cl', `${'a'.repeat(248)}@bb.cc`])
    expect([address, looksLikeEmail(address)]).toEqual([address, true])
  const wrong = [
    '',
    'a',
    'a@b',
    '@b.c',
    'a@.c',
    'a@b.',
    'a@@b.c',
    'a@b@c.d',
    'a b@c.d',
    'a@b c.d',
    'a@b.c d',
    ' a@b.c',
    'a@b.c ',
  ]
  const several = [
    'a,b@c.d',
    'a;b@c.d',
    'a@b.c,d@e.f',
    'a@b,c.d',
    'a@b.c;',
    'Ana <a@b.c>',
    '"a"@b.c',
    'a@[b].c',
    'a@b.c\\',
    '(a)@b.c',
  ]
  for (const address of [...wrong, ...several, `${'a'.repeat(249)}@bb.cc`])
    expect([address, looksLikeEmail(address)]).toEqual([address, false])
})

test('a placeholder of an unset script variable is recognised, and a real id is not taken for a placeholder', () => {
  for (const id of ['undefined', 'null', 'None', 'NaN', '[object Object]', '$ID', `\${ID}`, '{id}', '{{id}}', ':id'])
    expect(looksUnset(id), id).toBe(true)
  for (const id of ['trx-20260301-0000000000', 'undefined-1', 'NULL7', '$', '{}', 'a:id', '$1 off'])
    expect(looksUnset(id), id).toBe(false)
})

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

test('property: the RUT that a table shows is read as the same RUT', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), (number) => {
      const rut = `${number}-${rutCheckCharacter(String(number))}`
      expect(parseRut(formatRut(rut))).toEqual({ ok: true, rut })
    }),
  )
})

test.each([
  ['2026-07-01T03:59:59Z', '20260630'],
  ['2026-07-01T04:00:00Z', '20260701'],
  ['2026-01-01T02:59:59Z', '20251231'],
  ['2026-01-01T03:00:00Z', '20260101'],
  // Summer time ends on 5 April at midnight, when the clocks go back to 23:00 of 4 April, and begins on 6 September at midnight.
  ['2026-04-05T03:30:00Z', '20260404'],
  ['2026-04-05T04:00:00Z', '20260405'],
  ['2026-09-06T03:59:59Z', '20260905'],
  ['2026-09-06T04:00:00Z', '20260906'],
  ['2028-02-29T02:00:00Z', '20280228'],
])('at %s, a transaction id consists of trx, the day in Chile (%s) and ten characters', (time, day) => {
  expect(newTransactionId(Date.parse(time), () => 0.5)).toMatch(new RegExp(`^trx-${day}-[0-9a-z]{10}$`))
})

test('a usual id has no problem, is not damaged and is no word for a total', () => {
  for (const id of ['order-1001', 'A_1', 'trx-20260301-0000000000', '123456', 'null-1', 'total-1', 'Total_2'])
    expect([id, isUsualId(id), identifierProblem(id), damagedId(id), isTotalWord(id)]).toEqual([
      id,
      true,
      undefined,
      undefined,
      false,
    ])
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\w.,+#$=n-]{1,12}$/)), (id) => {
      if (isUsualId(id))
        expect([identifierProblem(id), damagedId(id), isTotalWord(id)]).toEqual([undefined, undefined, false])
    }),
  )
  for (const id of ['', 'order', '12e-5', '1.0', 'null', 'total', '-', 'a-1\n', `a-${'1'.repeat(300)}`])
    expect([id, isUsualId(id)]).toEqual([id, false])
})
