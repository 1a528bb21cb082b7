import type { Language } from '../contract/languages.ts'
import type { Catalogue, Words } from './patterns.ts'

/** The texts of the languages other than English, which is in the code. Each is loaded when it is first used. */
const CATALOGUES: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Catalogue>>> = {
  es: async () => (await import('./es/es.ts')).es,
}

export const ENGLISH: Words = Object.assign((text: string) => text, { keep: (text: string) => text })

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns the language of the texts for people: from BNPL_LANG, otherwise from the setting `language`, otherwise from the locale. A value
 * that names no language of bnpl is skipped.
 * @param setting returns the setting. Called only if BNPL_LANG names no language
 */
export async function languageFor(env: Env, setting: () => Promise<string | undefined>): Promise<Language> {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG
  return languageNamed(env.BNPL_LANG) ?? languageNamed(await setting()) ?? languageNamed(locale) ?? 'en'
}

/** Returns the language of a locale such as `es_CL.UTF-8` or `es`; undefined if bnpl has no texts in it. */
function languageNamed(locale = ''): Language | undefined {
  const tag = /^[a-z]{2,3}(?=$|[-_.@])/i.exec(locale)?.[0].toLowerCase()
  if (tag === 'en') return tag
  return tag !== undefined && Object.hasOwn(CATALOGUES, tag) ? (tag as keyof typeof CATALOGUES) : undefined
}

/** Loads a language, and returns the function that returns our texts in it. */
export async function wordsIn(language: Language): Promise<Words> {
  if (language === 'en') return ENGLISH
  const [catalogue, { inCatalogue }] = await Promise.all([CATALOGUES[language](), import('./patterns.ts')])
  return inCatalogue(catalogue, language)
}
