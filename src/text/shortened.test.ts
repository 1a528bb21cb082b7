import { expect, test } from 'vitest'
import { firstOf, shortened } from './shortened.ts'

test('a text that is cut ends with a mark, and never with half of a character', () => {
  expect(shortened('abcdef', 6)).toBe('abcdef')
  expect(shortened('abcdefg', 6)).toBe('abcde…')
  expect(shortened('abcd😀fg', 6)).toBe('abcd…')
})

test('a list that is cut says how many words are left out', () => {
  expect(firstOf(['a', 'b'], 2)).toBe('a, b')
  expect(firstOf(['a', 'b', 'c', 'd'], 2, ' or ')).toBe('a or b and 2 more')
})
