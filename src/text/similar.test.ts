import { expect, test } from 'vitest'
import { didYouMean } from './similar.ts'

const WORDS = ['sandbox', 'sandbox:inactive', 'shop', 'shop-beta', 'a']

test.each([
  ['sanbox', '. Did you mean sandbox?'],
  ['sandobx', '. Did you mean sandbox?'],
  ['SANDBOX', '. Did you mean sandbox?'],
  ['shop_beta', '. Did you mean shop-beta?'],
  ['shpo', '. Did you mean shop?'],
  ['sandbox:inactiv', '. Did you mean sandbox:inactive?'],
  // Nothing is like these: too many letters differ, or too many of a short word.
  ['acme', ''],
  ['sx', ''],
  ['b', ''],
  ['', ''],
  ['x'.repeat(100_000), ''],
])('the suggestion for the word “%s” is “%s”', (word, meant) => {
  expect(didYouMean(word, WORDS)).toBe(meant)
})

test('words that are equally similar are all named, each once', () => {
  expect(didYouMean('shop-c', ['shop-a', 'shop-b', 'shop-a', 'shop'])).toBe('. Did you mean one of shop-a, shop-b?')
  expect(didYouMean('shop', [])).toBe('')
})
