import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unicodeText } from '../../test/unicode-text.ts'
import { toJson, visible } from './visible.ts'

test('characters that would control a terminal are made visible [row 82]', () => {
  expect(visible('a\u001b[31mred\u0007')).toBe('a\\u001b[31mred\\u0007')
  expect(visible('x\r\ny\tz')).toBe('x\\r\\ny\\tz')
  expect(visible('x\ny', true)).toBe('x\ny')
  expect(visible('\u009b31m \u202egnp.exe \u2066 \u007f')).toBe('\\u009b31m \\u202egnp.exe \\u2066 \\u007f')
  expect(visible('año 😀 👩‍👧')).toBe('año 😀 👩‍👧')
})

test('property: cleaned text has nothing below a space, and JSON of it is the same document [row 82]', () => {
  fc.assert(
    fc.property(unicodeText(), (text) => {
      expect(visible(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      const json = toJson({ text })
      expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect(JSON.parse(json)).toEqual({ text })
    }),
  )
})
