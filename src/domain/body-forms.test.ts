import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unicodeText } from '../../test/unicode-text.ts'
import { deliveryText } from './body-forms.ts'

test('braces, commas and colons get a space, but not those inside of texts', () => {
  expect(deliveryText('{"eventId":"a,b:{}\\"","data":{"a":[1,2],"b":{}}}')).toBe(
    '{ "eventId": "a,b:{}\\"", "data": { "a": [1, 2], "b": {} } }',
  )
})

test('escapes and fractions are written as no library does', () => {
  expect(deliveryText('{"url":"https://x/ñ","rate":0.0189,"n":3}')).toBe(
    '{ "url": "https:\\/\\/x\\/\\u00f1", "rate": 0.01890, "n": 3 }',
  )
})

test('property: every value is read back as it was', () => {
  fc.assert(
    fc.property(fc.dictionary(unicodeText(), fc.jsonValue()), (value) => {
      const compact = JSON.stringify(value)
      expect(JSON.parse(deliveryText(compact))).toEqual(JSON.parse(compact))
    }),
  )
})
