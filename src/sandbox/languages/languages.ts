import { LANGUAGES, type Language } from '../../contract/languages.ts'
import { groupDigits } from '../../domain/amount.ts'
import { en, type PageTexts, type Texts } from './en.ts'
import type { WindowTexts } from './en-window.ts'
import { es } from './es.ts'
import { kindWords } from './fault-kinds.ts'
import { refusalWords } from './refusals.ts'

export const TEXTS: Readonly<Record<Language, Texts>> = { en, es }

/** Returns every language except the given one. */
export function otherLanguages(language: Language): Language[] {
  return LANGUAGES.filter((other) => other !== language)
}

export interface WindowWords {
  language: Language
  locale: string
  texts: WindowTexts
  kinds: Readonly<Record<string, string>>
  /** The texts of refusals, by error code. Empty in English. */
  refusals: Readonly<Record<string, string>>
  others: readonly { language: Language; name: string }[]
}

/** Returns the texts and the language for the window's scripts. */
export function windowWords(language: Language): WindowWords {
  const { locale, window: texts } = TEXTS[language]
  const others = otherLanguages(language).map((other) => ({ language: other, name: TEXTS[other].name }))
  return { language, locale, texts, kinds: kindWords(language), refusals: refusalWords(language), others }
}

/** Returns the chosen language, or else the supported language that the browser prefers, or else Spanish. */
export function readLanguage(chosen: string, acceptLanguage: string): Language {
  const known = LANGUAGES.find((language) => language === chosen)
  if (known) return known
  const wanted = acceptLanguage
    .split(',')
    .flatMap((entry) => {
      const [tag = '', ...parameters] = entry
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      const language = LANGUAGES.find((each) => each === tag.split('-')[0])
      return language ? [{ language, quality: quality === undefined ? 1 : Number(quality.slice(2)) }] : []
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return wanted[0]?.language ?? 'es'
}

/** Returns an amount in pesos, with digits grouped as in the language. The specification names no currency (gap 19). */
export function amountIn(texts: PageTexts, amount: number): string {
  return `$${groupDigits(amount, texts.thousands)}`
}

/** Returns a date (YYYY-MM-DD) in words, with spaces that do not break: `22 de diciembre de 2026`. */
export function dateIn(language: Language, date: string): string {
  const words = new Intl.DateTimeFormat(TEXTS[language].locale, { dateStyle: 'long', timeZone: 'UTC' })
  return words.format(new Date(date)).replaceAll(' ', '\u00a0')
}

/** Returns a share as a percentage: `0.0587` → `5,9 %`. */
export function percentIn(texts: PageTexts, share: number): string {
  return `${(share * 100).toFixed(1).replace('.', texts.decimal)}${texts.percent}`
}
