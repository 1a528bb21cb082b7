import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unicodeText } from '../../test/kit/unicode-text.ts'
import { findPreApproveId } from '../domain/identifiers.ts'
import { parseKeepingDigits } from '../text/json-text.ts'
import { decodeForm, encodeForm, formEntries } from './form.ts'
import { findProblem } from './problem.ts'

test.each([
  ['{"error":{"code":"ERR_OOPS","message":"m"}}', { code: 'ERR_OOPS', message: 'm' }],
  ['{"code":"ERR_OOPS","message":"m"}', { code: 'ERR_OOPS', message: 'm' }],
  ['{"error":"ERR_OOPS"}', { code: 'ERR_OOPS' }],
  ['{"message":"ERR_OOPS: m"}', { code: 'ERR_OOPS', message: 'ERR_OOPS: m' }],
  ['{"statusCode":400,"message":["a","b"],"error":"Bad Request"}', { message: 'Bad Request' }],
  ['{"errors":[{"code":"ERR_OOPS","detail":"d"}]}', { code: 'ERR_OOPS', message: 'd' }],
  ['ERR_OOPS happened', { code: 'ERR_OOPS', message: 'ERR_OOPS happened' }],
  ['<html>no</html>', {}],
  ['', {}],
  ['null', {}],
])('the code and the message are found in error bodies of many shapes: %s', (body, problem) => {
  expect(findProblem(body)).toEqual(problem)
})

test('property: reading the error in a body never throws', () => {
  fc.assert(fc.property(fc.oneof(fc.json(), unicodeText()), (body) => void findProblem(body)))
})

test('the pre-approval id is found under each of its names; if it is missing, the names of the fields are returned (gap 1)', () => {
  expect(findPreApproveId({ preApproveId: 'P' })).toEqual({ preApproveId: 'P' })
  expect(findPreApproveId({ idPreAprobacion: 'Q' })).toEqual({ preApproveId: 'Q' })
  expect(findPreApproveId({ uuid: 'R' }, 'uuid')).toEqual({ preApproveId: 'R' })
  expect(findPreApproveId({ preApproveId: '', x: 1 })).toEqual({
    preApproveId: null,
    seen: ['preApproveId', 'x'],
    unusable: 'preApproveId',
  })
  for (const sent of ['1234567890123456789', '7'])
    expect(findPreApproveId(parseKeepingDigits(`{"preApproveId":${sent}}`) as never)).toEqual({ preApproveId: sent })
})

test('property: a form has the same fields as for URLSearchParams, with `=` or without', () => {
  const form = fc.string({ unit: fc.constantFrom('a', 'b', '=', '&', '?', '+', '%41', '[]') })
  fc.assert(fc.property(form, (text) => void expect([...formEntries(text)]).toEqual([...new URLSearchParams(text)])))
})

test('property: decoding an encoded form returns the original fields', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((each) => each.isWellFormed())
  const name = fc.stringMatching(/^[a-z]{1,8}$/)
  fc.assert(
    fc.property(
      fc.dictionary(name, fc.oneof(text, fc.array(text, { minLength: 1 }), fc.dictionary(name, text, { minKeys: 1 }))),
      (fields) => {
        const back = decodeForm(new TextDecoder().decode(encodeForm(fields)))
        expect(JSON.parse(JSON.stringify(back))).toEqual(JSON.parse(JSON.stringify(fields)))
      },
    ),
  )
})
