import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unicodeText } from '../../test/unicode-text.ts'
import { deliveryText } from './body-forms.ts'

test('spaces are added around braces and after commas and colons, but not inside strings', () => {
  expect(deliveryText('{"eventId":"a,b:{}\\"","data":{"a":[1,2],"b":{}}}')).toBe(
    '{ "eventId": "a,b:{}\\"", "data": { "a": [1, 2], "b": {} } }',
  )
})

test('slashes and non-ASCII letters are escaped, and fractions get a trailing zero', () => {
  expect(deliveryText('{"url":"https://x/ñ","rate":0.0189,"n":3}')).toBe(
    '{ "url": "https:\\/\\/x\\/\\u00f1", "rate": 0.01890, "n": 3 }',
  )
})

test('property: the rewritten JSON text parses to the same value', () => {
  fc.assert(
    fc.property(fc.dictionary(unicodeText(), fc.jsonValue()), (value) => {
      const compact = JSON.stringify(value)
      expect(JSON.parse(deliveryText(compact))).toEqual(JSON.parse(compact))
    }),
  )
})
