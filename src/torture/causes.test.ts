import { describe, expect, test } from 'vitest'
import { causesOf, RULES } from './causes.ts'
import { acceptedName, type Finding, readAccepted } from './findings.ts'
import { INVARIANTS, type InvariantName } from './invariants.ts'

const finding = (id: string, invariant: InvariantName): Finding => {
  const [fault = '', at = ''] = id.split('@')
  return { id, fault, at, invariant, expected: '', seen: '', reproduce: '' }
}
/** Returns the invariants of each cause, in order, with the number of its findings. */
const grouped = (...findings: (readonly [string, InvariantName])[]) =>
  causesOf(findings.map(([id, invariant]) => finding(id, invariant))).map(
    ({ findings: its }) => `${its[0]?.invariant} ${its.length}`,
  )

test('every invariant has a rule', () => {
  expect(new Set(Object.keys(RULES))).toEqual(new Set(Object.keys(INVARIANTS)))
})

describe('findings that the same missing behaviour explains are one cause', () => {
  const CALLS = ['refused', 'server-error', 'cut-before', 'cut-after', 'cut-within']
  test.each<[string, (readonly [string, InvariantName])[], string[]]>([
    [
      'a verification is not repeated',
      CALLS.flatMap((fault) => [
        [`${fault}@verifyLoan.1`, 'ends-otherwise'] as const,
        [`${fault}@verifyLoan.1`, 'loan-without-order'] as const,
      ]),
      ['loan-without-order 10'],
    ],
    [
      'the test fails after each kind of failed verification',
      [...CALLS, 'rate-limited', 'done-500', 'broken-body', 'empty-body'].map(
        (fault) => [`${fault}@verifyLoan.1`, 'ends-otherwise'] as const,
      ),
      ['ends-otherwise 9'],
    ],
    [
      'the loan is not compared',
      [
        ['other-amount@verifyLoan.1', 'amount-not-compared'],
        ['settle-amount@page.1', 'amount-not-compared'],
        ['other-state@verifyLoan.1', 'state-not-compared'],
        ['settle-transaction@page.1', 'transaction-not-compared'],
      ],
      ['transaction-not-compared 4'],
    ],
    [
      'only one field of the loan is not compared',
      [
        ['other-amount@verifyLoan.1', 'amount-not-compared'],
        ['settle-amount@page.1', 'amount-not-compared'],
      ],
      ['amount-not-compared 2'],
    ],
    [
      'the signature is not checked',
      [
        ['forged@page.1', 'paid-without-loan'],
        ['forged-empty-key@page.1', 'accepted-forgery'],
        ['wrong-signature@delivery.1', 'accepted-forgery'],
      ],
      ['paid-without-loan 3'],
    ],
    [
      'the shop ships before it reads the answer, so it compares nothing',
      [
        ['orders-read@verifyLoan.1', 'fulfilled-before-loan'],
        ['other-amount@verifyLoan.1', 'amount-not-compared'],
        ['other-state@verifyLoan.1', 'state-not-compared'],
      ],
      ['fulfilled-before-loan 3'],
    ],
    [
      'the reconciliation believes failures',
      ['settle-outage', 'settle-error', 'settle-unreadable'].map(
        (fault) => [`${fault}@page.1`, 'loan-without-order'] as const,
      ),
      ['loan-without-order 3'],
    ],
    [
      'the return page is believed, so nothing is verified before the shipment',
      [
        ['opened-unpaid@page.1', 'paid-without-loan'],
        ['never@delivery.1', 'fulfilled-before-loan'],
        ['late@delivery.1', 'fulfilled-before-loan'],
        ['other-amount@verifyLoan.1', 'amount-not-compared'],
      ],
      ['paid-without-loan 4'],
    ],
    [
      'the return page and the reconciliation are believed',
      [
        ['opened-unpaid@page.1', 'paid-without-loan'],
        ['settle-error@page.1', 'fulfilled-before-loan'],
      ],
      ['paid-without-loan 1', 'fulfilled-before-loan 1'],
    ],
    [
      'the shop learns of payments by event alone',
      ['orders-read@verifyLoan.1', 'late@delivery.1', 'out-of-order@delivery.1', 'never@delivery.1'].map(
        (id) => [id, 'ends-otherwise'] as const,
      ),
      ['ends-otherwise 4'],
    ],
    [
      'the server ends because of a delivery that it does not expect',
      ['redirected@delivery.1', 'of-another@delivery.1', 'wrong-signature@delivery.1', 'event-of-another@page.1'].map(
        (id) => [id, 'ends-otherwise'] as const,
      ),
      ['ends-otherwise 4'],
    ],
    [
      'the return page is believed',
      ['cancelled', 'rejected', 'expired', 'opened-unpaid'].map(
        (fault) => [`${fault}@page.1`, 'paid-without-loan'] as const,
      ),
      ['paid-without-loan 4'],
    ],
  ])('%s', (_, findings, causes) => {
    expect(grouped(...findings)).toEqual(causes)
  })

  test('different causes stay apart, and the worst is first', () => {
    expect(
      grouped(
        ['unknown-fields@evaluate.1', 'ends-otherwise'],
        ['none', 'leak'],
        ['never@delivery.1', 'loan-without-order'],
        ['settle-outage@page.1', 'loan-without-order'],
        ['event-of-another@page.1', 'paid-without-loan'],
        ['forged@page.1', 'paid-without-loan'],
      ),
    ).toEqual([
      'paid-without-loan 1',
      'paid-without-loan 1',
      'loan-without-order 1',
      'loan-without-order 1',
      'leak 1',
      'ends-otherwise 1',
    ])
  })
})

test('a file of known findings has comments and empty lines, and a line that is no finding is named', () => {
  const line = acceptedName(finding('cut-after@evaluate.1', 'second-evaluation'))
  expect(readAccepted(`# known\n\n${line} # until spring\nnone  leak\r\n`)).toEqual(new Set([line, 'none leak']))
  for (const wrong of ['cut-after@evaluate.1', 'x@evaluate.1 leak', 'none banana', `${line} more`])
    expect([wrong, readAccepted(`# first\n${wrong}\n`)]).toEqual([wrong, 2])
})
