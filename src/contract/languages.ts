/** The languages in which people read the service: its pages, and what the contract says of its calls. English comes with the calls. */
export const LANGUAGES = ['en', 'es'] as const

export type Language = (typeof LANGUAGES)[number]

/** The language that is asked for; English where it is not one of them. */
export function languageOf(asked: string | undefined): Language {
  return LANGUAGES.find((language) => language === asked) ?? 'en'
}
