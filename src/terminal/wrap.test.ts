import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { shellQuoted } from '../text/shell-word.ts'
import { continuedCommand, measureFor } from './wrap.ts'

test('property: the width of a text is the width that the library string-width gives', async () => {
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

test('text in Latin and in other scripts is measured in terminal columns', async () => {
  expect((await measureFor(['año 2026 – “a” → b…']))('año')).toBe(3)
  expect((await measureFor(['a', '日本']))('日本')).toBe(4)
  expect((await measureFor(['e\u0301']))('e\u0301')).toBe(1)
})

test('property: a long command that is continued on further lines is the same command for a shell', () => {
  const word = fc.oneof(fc.constantFrom('-p', '--trx', 'bnpl', "it's", 'a -b', '$x\n'), fc.string())
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
      const command = words.map(shellQuoted).join(' ')
      const lines = continuedCommand(command, 20)
      expect(lines.map((line) => line.replace(/ \\$/, '').replace(/^ {4}/, '')).join(' ')).toBe(command)
      for (const line of lines.slice(0, -1)) expect(line.endsWith(' \\')).toBe(true)
      for (const line of lines.slice(1)) expect(line).toMatch(/^ {4}-/)
    }),
  )
})

test('a text that is not a command is not continued', () => {
  const comment = `# the customer's choice${' and more words'.repeat(5)}`
  expect(continuedCommand(comment, 20)).toEqual([comment])
})
