import { expect, test } from 'vitest'
import type { Call } from '../../src/contract/calls/call.ts'
import { CALLS } from '../../src/contract/calls/calls.ts'
import { GAPS } from '../../src/contract/gaps.ts'
import { DEVIATIONS } from './deviations.ts'
import { SECTIONS } from './sections.ts'
import type { Sentence } from './sentence.ts'
import { named, titlesIn } from './titles.ts'

/**
 * How many sentences of each section contain a requirement. The numbers are written here because the specification is not in this
 * repository.
 */
const COUNTS: Readonly<Record<string, number>> = {
  'What the service does': 7,
  'Resources and their fields': 2,
  'Installment option': 3,
  'Pre-approval': 3,
  'Loan request': 3,
  'Widget token': 2,
  Loan: 9,
  'Webhook destination': 2,
  'Lead, evaluation and evaluation report': 6,
  'Merchant identifiers used in requests': 6,
  'States and transitions': 7,
  Endpoints: 2,
  'POST /partner/pre-loan-request/bnpl : evaluate customer': 2,
  'POST /partner/pre-loan-request/loan-request : report the selected option (optional step)': 3,
  'POST /partner/widget/start : create widget token': 4,
  'Hosted payment page (redirect, not an API call)': 5,
  'POST /partner/pre-approve/{externalTrxId}/loan : verify transaction': 2,
  'POST /partner/webhook : register a BNPL webhook destination': 3,
  'POST /partner/webhook/subscription : register a real-estate webhook destination': 4,
  'GET /partner/webhook : list destinations': 1,
  'DELETE /partner/webhook/{id} : delete a destination': 1,
  'GET /partner/pre-approve/{preApproveId}/informe : get the evaluation report link': 12,
  'Open the report from its link': 3,
  'Evaluation reads': 2,
  Authentication: 9,
  'Widget callbacks': 1,
  'Webhook events': 10,
  Errors: 8,
  Limits: 6,
  Versioning: 1,
}

const sentences = Object.values(SECTIONS).flat()
const references = ({ client, sandbox }: Sentence) =>
  [client, sandbox].flatMap((side) => (typeof side === 'string' ? [] : side))

test('every section has its full number of sentences, without duplicates', () => {
  const counts = Object.entries(SECTIONS).map(([section, rows]) => [section, rows.length])
  expect(Object.fromEntries(counts)).toEqual(COUNTS)
  for (const rows of Object.values(SECTIONS)) expect(new Set(rows.map(({ says }) => says)).size).toBe(rows.length)
})

test('every call names a section that exists', () => {
  const specified = Object.values<Call>(CALLS).filter(({ describedBy }) => describedBy === undefined)
  const sections = specified.map(({ section }) => section)
  expect(sections.filter((section) => SECTIONS[section] === undefined)).toEqual([])
})

test('each sentence names tests of the client and the sandbox, or the reason why a side needs no test', () => {
  const empty = sentences.filter(({ client, sandbox }) => client.length === 0 || sandbox.length === 0)
  expect(empty).toEqual([])
  expect(sentences.filter((each) => references(each).length === 0)).toEqual([])
})

test('each test that is named exists: its file has one title with these words', () => {
  const all = [...sentences.flatMap(references), ...Object.values(DEVIATIONS).flat()]
  const missing = [...new Set(all)].filter((reference) => {
    const { path, words } = named(reference)
    return titlesIn(path).filter((title) => title.includes(words)).length !== 1
  })
  expect(missing).toEqual([])
})

test('each of the 15 sentences that did not hold, and of the 3 that could not be tried, names its tests', () => {
  const [notTried, deviations] = [true, false].map((isNotTried) =>
    Object.entries(DEVIATIONS).filter(([what]) => what.startsWith('not tried: ') === isNotTried),
  )
  expect([deviations?.length, notTried?.length]).toEqual([15, 3])
  expect(Object.values(DEVIATIONS).filter((tests) => tests.length === 0)).toEqual([])
})

/** The gaps about calls that the specification does not have at all, so that no sentence names them. */
const OF_OTHER_CALLS: readonly number[] = [50, 51]

test('the listed gaps are exactly the gaps that the sentences name', () => {
  const open = new Set(sentences.flatMap(({ gaps }) => gaps))
  const listed = GAPS.map(({ number }) => number).filter((number) => !OF_OTHER_CALLS.includes(number))
  expect([...open].sort((a, b) => a - b)).toEqual(listed)
})

test('the titles of a file are found however they are written', () => {
  const own = titlesIn('test/specification/specification.test.ts')
  expect(own).toContain('the titles of a file are found however they are written')
  expect(own).toHaveLength(7)
  expect(titlesIn('test/other-shapes.test.ts')).toContain(
    'every command of the payment, the destinations and the reports works on a service with %s',
  )
  expect(titlesIn('src/sandbox/service/payments.test.ts').length).toBeGreaterThan(5)
  expect(titlesIn('test/no-such.test.ts')).toEqual([])
})
