import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unicodeText } from '../../test/kit/unicode-text.ts'
import { firstOf, shortened, toJson, visible } from './visible.ts'

test('characters that would control a terminal are made visible [row 82]', () => {
  expect(visible('a\u001b[31mred\u0007')).toBe('a\\u001b[31mred\\u0007')
  expect(visible('x\r\ny\tz')).toBe('x\\r\\ny\\tz')
  expect(visible('x\ny', true)).toBe('x\ny')
  expect(visible('\u009b31m \u202egnp.exe \u2066 \u007f')).toBe('\\u009b31m \\u202egnp.exe \\u2066 \\u007f')
  expect(visible('año 😀 👩‍👧')).toBe('año 😀 👩‍👧')
})

test('property: cleaned text has no control character, and JSON of the text is read back unchanged [row 82]', () => {
  fc.assert(
    fc.property(unicodeText(), (text) => {
      expect(visible(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      const json = toJson({ text })
      expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect(JSON.parse(json)).toEqual({ text })
    }),
  )
})

test('a text that is cut ends with a mark, and never with half of a character', () => {
  expect(shortened('abcdef', 6)).toBe('abcdef')
  expect(shortened('abcdefg', 6)).toBe('abcde…')
  expect(shortened('abcd😀fg', 6)).toBe('abcd…')
})

test('a list that is cut says how many words are left out', () => {
  expect(firstOf(['a', 'b'], 2)).toBe('a, b')
  expect(firstOf(['a', 'b', 'c', 'd'], 2, ' or ')).toBe('a or b and 2 more')
})
