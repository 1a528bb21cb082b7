import type { Words } from './patterns.ts'

/**
 * The languages of the command line besides English, which is in the code: each with its texts, which are loaded when they are first used.
 * This is the only list. The setting `language`, the help and the build read it, and the launcher knows the files that the build made.
 */
const OTHERS: Readonly<Record<string, () => Promise<Words>>> = {
  es: async () => (await import('./es/words.ts')).words(),
}

/** The tags of all languages of the command line. */
export const LANGUAGES: readonly string[] = ['en', ...Object.keys(OTHERS)]

export const ENGLISH: Words = Object.assign((text: string) => text, { keep: (text: string) => text })

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns the language of the texts for people: from BNPL_LANG, otherwise from the setting `language`, otherwise from the locale, which is
 * the first of LC_ALL, LC_MESSAGES and LANG that is not empty. A value that names no language of bnpl is skipped.
 * @param setting returns the setting. Called only if BNPL_LANG names no language
 */
export async function languageFor(env: Env, setting: () => Promise<string | undefined>): Promise<string> {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG
  return languageNamed(env.BNPL_LANG) ?? languageNamed(await setting()) ?? languageNamed(locale) ?? 'en'
}

/** Returns the language of a locale such as `es_CL.UTF-8`, `es` or `C`; undefined if bnpl has no texts in it. */
export function languageNamed(locale = ''): string | undefined {
  if (/^(C|POSIX)(?=$|\.)/.test(locale)) return 'en'
  const tag = /^[a-z]{2,3}(?=$|[-_.@])/i.exec(locale)?.[0].toLowerCase()
  return LANGUAGES.find((language) => language === tag)
}

/**
 * Loads a language, and returns the function that returns our texts in it. The texts stay in English if the files of the language cannot be
 * read, for example because somebody copied only the code of the package.
 */
export async function wordsIn(language: string): Promise<Words> {
  return (await OTHERS[language]?.().catch(() => undefined)) ?? ENGLISH
}
