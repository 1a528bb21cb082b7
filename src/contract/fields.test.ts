import { expect, test } from 'vitest'
import { parseKeepingDigits } from '../text/json-text.ts'
import { ENDPOINTS } from './endpoints.ts'
import { CONTRACT_FIELDS, redactEvent } from './fields.ts'

test('the contract’s own fields are all classified', () => {
  const named = new Set<string>()
  const walk = (schema: unknown): void => {
    const { shape, element, innerType } = Object((schema as any)?._zod?.def)
    for (const [name, inner] of Object.entries(shape ?? {})) {
      named.add(name)
      walk(inner)
    }
    if (element) walk(element)
    if (innerType) walk(innerType)
  }
  for (const endpoint of Object.values(ENDPOINTS)) {
    walk(endpoint.request)
    walk(endpoint.data)
    for (const { name } of endpoint.params) named.add(name)
  }
  expect(named.size).toBeGreaterThan(20)
  expect([...named].filter((name) => !Object.hasOwn(CONTRACT_FIELDS, name))).toEqual([])
})

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

test('the value of each field of a loan is shown', () => {
  const { shape } = Object((ENDPOINTS.verifyLoan.data as any)._zod.def)
  const names = [...Object.keys(shape), ...Object.keys(shape.installments._zod.def.element._zod.def.shape)]
  expect(names).toContain('expirationDate')
  const loan = Object.fromEntries(names.map((name) => [name, 1]))
  expect(redactEvent(loan)).toEqual(loan)
})

test('the value of any other field is masked, at any depth', () => {
  expect(
    redactEvent({
      rut: '12345678-5',
      id: '12345678-5',
      urlInforme: 'https://a.example/?sig=1',
      toString: 'Ana',
      age: 40,
      married: true,
      renta: { amount: 1_500_000, total: 2 },
      step: 'Ana Rojas',
      outcome: 'Ana',
      entityId: '12345678-5',
      externalEntityId: 'ana@example.cl',
      filters: ['Ana'],
      validUntil: '1980-05-17',
      code: '1234',
      none: null,
      person: { name: 'Ana', leadId: 'L1' },
    }),
  ).toEqual({
    rut: '••••',
    id: '••••',
    urlInforme: '••••',
    toString: '••••',
    age: '••••',
    married: '••••',
    renta: { amount: '••••', total: '••••' },
    step: '••••',
    outcome: '••••',
    entityId: '••••',
    externalEntityId: '••••',
    filters: ['••••'],
    validUntil: '••••',
    code: '••••',
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

test('a RUT or an e-mail address is masked in the name of a field, and in a value that is shown', () => {
  expect(
    redactEvent({
      externalTrxId: 'order of 11222333-9',
      state: 'ana@example.com',
      '11.222.333-9': 1,
      interestRate: ['b@example.com'],
    }),
  ).toEqual({
    externalTrxId: 'order of •••••••3-9',
    state: 'a•••@example.com',
    '••.•••.••3-9': '••••',
    interestRate: ['b•••@example.com'],
  })
})

test('a number with more digits than a double holds is masked or shown like any other value', () => {
  const redacted = redactEvent(parseKeepingDigits('{"rut":90071992547409931,"loanAmount":90071992547409931}'))
  expect(JSON.stringify(redacted)).toBe('{"rut":"••••","loanAmount":90071992547409931}')
})
