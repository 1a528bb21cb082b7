import { expect, test } from 'vitest'
import type { Call, StatusMeaning } from './calls/call.ts'
import { CALLS } from './calls/calls.ts'
import { reportFileStep, reportLinkStep } from './calls/reports.ts'
import { ENDPOINT_NAMES } from './endpoints.ts'
import { GAPS } from './gaps.ts'
import { callIn, generalIn, LANGUAGES, languageOf, WORDS } from './languages.ts'
import { toOpenApi } from './openapi.ts'
import { GENERAL, statusMeaning } from './statuses.ts'

/** Returns every text inside a value, at any depth. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}

test('no text of the contract names a command or an option of the command line', () => {
  const document = toOpenApi({ version: '1.0.0', summary: '', description: '' })
  const all = texts([CALLS, GENERAL, GAPS, WORDS, reportLinkStep, reportFileStep, document])
  expect(all.length).toBeGreaterThan(500)
  expect(all.filter((text) => /(?<![/\w])bnpl [a-z]|(?<!\S)--\w/.test(text))).toEqual([])
})

test.each(Object.entries<Call>(CALLS))(
  '%s: the parameters are those of the path, in the same order',
  (_, { path, params }) => {
    expect(path.match(/(?<=\{)\w+(?=\})/g) ?? []).toEqual(params.map(({ name }) => name))
  },
)

test.each(LANGUAGES.filter((language) => language !== 'en'))(
  'in %s every text is translated, and the facts are the same as in English',
  (language) => {
    const facts = ({ outcome, advice, codes, codeNames }: StatusMeaning) => [
      outcome,
      advice,
      Object.keys(codes ?? {}),
      codeNames,
    ]
    for (const name of ENDPOINT_NAMES) {
      const { summary, statuses }: Call = CALLS[name]
      const said = callIn(language, name)
      expect(said.summary).not.toBe(summary)
      expect(Object.keys(said.statuses)).toEqual(Object.keys(statuses))
      for (const [status, meaning] of Object.entries(statuses)) {
        const other = said.statuses[Number(status)] as StatusMeaning
        expect(facts(other)).toEqual(facts(meaning))
        const english = new Set(texts([meaning.meaning, meaning.hint, meaning.codes]))
        expect(texts([other.meaning, other.hint, other.codes]).filter((text) => english.has(text))).toEqual([])
      }
    }
    const unknown = statusMeaning(undefined, 418, undefined, generalIn(language))
    expect(unknown.outcome).toBe('refused')
    expect(unknown.meaning).not.toBe(GENERAL.otherRefusal.meaning)
  },
)

test('English is used for an unknown language', () => {
  expect([languageOf('es'), languageOf('en'), languageOf('xx'), languageOf(undefined)]).toEqual([
    'es',
    'en',
    'en',
    'en',
  ])
})
