import { expect, test } from 'vitest'
import { parseKeepingDigits } from '../text/json-text.ts'
import { redactEvent } from './event-redaction.ts'

/** Every field that the specification names and that contains no personal data. */
const SHOWN = {
  eventId: 'e1',
  externalTrxId: 'T1',
  preApproveId: 'P1',
  idPreAprobacion: 'P1',
  preLoanRequestId: 'R1',
  leadId: 'L1',
  loanAmount: 250_000,
  interestRate: 0.02,
  periods: 3,
  installmentAmount: 86_000,
  lastInstallmentAmount: 86_001,
  state: 'ACTIVE',
  transferDate: '2026-03-01',
  installments: [{ period: 1, state: 'PENDING', expirationDate: '2026-04-01' }],
}

test('the value of each field that the specification names is shown', () => {
  expect(redactEvent(SHOWN)).toEqual(SHOWN)
  expect(redactEvent({ installments: [3, 6] })).toEqual({ installments: [3, 6] })
})

test('the value of any other field is masked, at any depth', () => {
  expect(
    redactEvent({ rut: '12345678-5', age: 40, married: true, none: null, person: { name: 'Ana', leadId: 'L1' } }),
  ).toEqual({
    rut: '••••',
    age: '••••',
    married: '••••',
    none: null,
    person: { name: '••••', leadId: 'L1' },
  })
  expect(redactEvent([{ name: 'Ana' }, 'Ana'])).toEqual([{ name: '••••' }, '••••'])
  expect(redactEvent({ names: ['Ana', ['Luz']], leadId: ['L1', ['L2']] })).toEqual({
    names: ['••••', ['••••']],
    leadId: ['L1', ['L2']],
  })
  for (const bare of ['Ana', 40, false]) expect(redactEvent(bare)).toBe('••••')
})

test('a number with more digits than a double holds is masked or shown like any other value', () => {
  const redacted = redactEvent(parseKeepingDigits('{"rut":90071992547409931,"loanAmount":90071992547409931}'))
  expect(JSON.stringify(redacted)).toBe('{"rut":"••••","loanAmount":90071992547409931}')
})
