import { expect, test, vi } from 'vitest'
import { LANGUAGES } from '../../contract/languages.ts'
import { dateIn, otherLanguages, readLanguage, TEXTS, windowWords } from './languages.ts'

/** Every text of a value with its path. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, `${path}.${name}`))
}

const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

test.each(LANGUAGES)(
  '%s: the window texts have the keys and placeholders of the English texts, and no text is empty',
  (language) => {
    const english = textsOf(TEXTS.en.window)
    const own = new Map(textsOf(TEXTS[language].window))
    expect([...own.keys()].sort()).toEqual(english.map(([path]) => path).sort())
    for (const [path, text] of english) {
      const said = own.get(path) ?? ''
      expect(namesIn(said), path).toEqual(namesIn(text))
      if (text !== '') expect(said, path).not.toBe('')
    }
  },
)

test('a page offers every language but its own, by the name that its speakers use', () => {
  for (const language of LANGUAGES) {
    const others = otherLanguages(language)
    expect([...others, language].sort()).toEqual([...LANGUAGES].sort())
    expect(windowWords(language).others).toEqual(others.map((other) => ({ language: other, name: TEXTS[other].name })))
  }
})

test.each(LANGUAGES)(
  '%s: a date is written as Intl writes it, in every month, without the tables of Intl',
  (language) => {
    const intl = new Intl.DateTimeFormat(TEXTS[language].locale, { dateStyle: 'long', timeZone: 'UTC' })
    const dates = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].flatMap((month) =>
      [1, 28].map((day) => new Date(Date.UTC(2024 + month, month - 1, day))),
    )
    const expected = dates.map((date) => intl.format(date).replaceAll(' ', '\u00a0'))
    using loaded = vi.spyOn(Intl, 'DateTimeFormat')
    expect(dates.map((date) => dateIn(language, date.toISOString().slice(0, 10)))).toEqual(expected)
    expect(loaded).not.toHaveBeenCalled()
  },
)

test('a visitor gets the chosen language, otherwise the best of the browser’s, otherwise Spanish', () => {
  expect(readLanguage('en', 'es')).toBe('en')
  expect(readLanguage('xx', 'fr, en-GB;q=0.8, es;q=0.9')).toBe('es')
  expect(readLanguage('', 'es;q=0, en;q=0.1')).toBe('en')
  expect(readLanguage('', 'fr')).toBe('es')
})
