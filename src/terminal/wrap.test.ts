import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { measureFor } from './wrap.ts'

test('property: texts are as wide as the library of all scripts says', async () => {
  const latin = fc.string({ unit: fc.integer({ min: 0x20, max: 0x24f }).map((code) => String.fromCodePoint(code)) })
  const ours = fc.string({ unit: fc.constantFrom(...'aé–—‘’“”•…→') })
  const text = fc.oneof(latin, ours, fc.string({ unit: 'grapheme' }))
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 4 }), async (texts) => {
      const measure = await measureFor(texts)
      expect(texts.map(measure)).toEqual(texts.map((each) => stringWidth(each)))
    }),
  )
})

test('text of other scripts is measured by the library, which is loaded only for such text', async () => {
  expect((await measureFor(['año 2026 – “a” → b…']))('año')).toBe(3)
  expect((await measureFor(['a', '日本']))('日本')).toBe(4)
  expect((await measureFor(['e\u0301']))('e\u0301')).toBe(1)
})
