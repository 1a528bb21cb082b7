import { LANGUAGES, type Language } from '../../contract/languages.ts'
import { groupDigits } from '../../domain/amount.ts'
import { en, type PageTexts, type Texts } from './en.ts'
import type { WindowTexts } from './en-window.ts'
import { es } from './es.ts'
import { kindWords } from './fault-kinds.ts'
import { refusalWords } from './refusals.ts'

/** The words of the pages in each language. A language of the contract without them does not compile. */
export const TEXTS: Readonly<Record<Language, Texts>> = { en, es }

/** The other languages that a page offers. */
export function otherLanguages(language: Language): Language[] {
  return LANGUAGES.filter((other) => other !== language)
}

/** The facts about languages for the window's scripts, which read them from the page. */
export interface WindowWords {
  language: Language
  locale: string
  texts: WindowTexts
  /** What each kind of fault does. */
  kinds: Readonly<Record<string, string>>
  /** Why something was refused, by the service's code. */
  refusals: Readonly<Record<string, string>>
  others: readonly { language: Language; name: string }[]
}

/** The words of the window's scripts. */
export function windowWords(language: Language): WindowWords {
  const { locale, window: texts } = TEXTS[language]
  const others = otherLanguages(language).map((other) => ({ language: other, name: TEXTS[other].name }))
  return { language, locale, texts, kinds: kindWords(language), refusals: refusalWords(language), others }
}

/** The visitor's choice, otherwise the first of the browser's languages that the pages have, otherwise Spanish. */
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

/** An amount on the sandbox's pages: pesos, digits grouped in the language's way. The specification names no currency (gap 19); the sandbox's accounts sell in pesos. */
export function amountIn(texts: PageTexts, amount: number): string {
  return `$${groupDigits(amount, texts.thousands)}`
}

/** A share in figures: `0.0587` → `5,9 %`. */
export function percentIn(texts: PageTexts, share: number): string {
  return `${(share * 100).toFixed(1).replace('.', texts.decimal)}${texts.percent}`
}
