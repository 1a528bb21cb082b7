import type { Call, StatusMeaning } from './calls/call.ts'
import { CALLS } from './calls/calls.ts'
import type { EndpointName } from './endpoints.ts'
import { type Language, WORDS } from './languages.ts'
import { GENERAL, type GeneralMeanings } from './statuses.ts'

export function callIn(language: Language, name: EndpointName): Pick<Call, 'summary' | 'statuses'> {
  const { summary, statuses }: Call = CALLS[name]
  if (language === 'en') return { summary, statuses }
  const words = WORDS[language].calls[name]
  return { summary: words.summary, statuses: withWords(statuses, words.statuses) }
}

/** Returns the general texts about statuses, in a language. */
export function generalIn(language: Language): GeneralMeanings {
  return language === 'en' ? GENERAL : withWords(GENERAL, WORDS[language].general)
}

type Words = Pick<StatusMeaning, 'meaning' | 'hint' | 'codes'>

function withWords<Key extends string | number>(
  meanings: Readonly<Record<Key, StatusMeaning>>,
  words: Readonly<Partial<Record<Key, Words>>>,
): Record<Key, StatusMeaning> {
  const said = Object.entries<StatusMeaning>(meanings).map(([key, meaning]) => [
    key,
    { ...meaning, ...words[key as Key] },
  ])
  return Object.fromEntries(said) as Record<Key, StatusMeaning>
}
