import { expect, test } from 'vitest'
import { identifierProblem, looksLikeEmail, looksUnset, newTransactionId, presentPreApproveId } from './identifiers.ts'

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
