import { expect, test } from 'vitest'
import { EVENTS, eventOf, questionOf } from './events.ts'

test('the kind of event follows from the scheme and the fields of data', () => {
  expect(eventOf('hmac', { idPreAprobacion: 'p1' })).toBe('loan_approved')
  expect(eventOf('token', { name: 'Ana' })).toBe('new_lead')
  expect(eventOf('token', { idPreAprobacion: 'p1' })).toBe('pre_approve')
  expect(eventOf('token', { urlInforme: 'https://x' })).toBe('pre_approve')
  expect(eventOf('token', { idPreAprobacion: null })).toBe('new_lead')
  expect(eventOf('token', null)).toBe('new_lead')
})

test('under the token scheme, data that is not an object means the event new_lead', () => {
  for (const data of ['idPreAprobacion', 7, [1], true, undefined]) expect(eventOf('token', data)).toBe('new_lead')
  expect(
    eventOf(
      'token',
      Object.assign(() => {}, { idPreAprobacion: 'p1' }),
    ),
  ).toBe('new_lead')
})

const all = { externalTrxId: 'T1', leadId: 'L1', rut: '12345678-5' }

test('each event is confirmed by reading its loan, lead or evaluation', () => {
  expect(questionOf('loan_approved', all)).toEqual({ read: 'verifyLoan', params: { externalTrxId: 'T1' } })
  expect(questionOf('new_lead', all)).toEqual({ read: 'getLead', params: { leadId: 'L1' } })
  expect(questionOf('pre_approve', all)).toEqual({ read: 'evaluationByLead', params: { leadId: 'L1' } })
  expect(questionOf('pre_approve', { rut: '12345678-5' })).toEqual({
    read: 'evaluationByRut',
    params: { rut: '12345678-5' },
  })
})

test('a numeric id is sent to the service with all its digits', () => {
  expect(questionOf('loan_approved', { externalTrxId: 1001 })).toMatchObject({ params: { externalTrxId: '1001' } })
  const leadId = JSON.rawJSON('12345678901234567890')
  expect(questionOf('new_lead', { leadId })).toMatchObject({ params: { leadId: '12345678901234567890' } })
})

test('an event without a usable id, or of an unknown type, is not checked with the service', () => {
  for (const event of Object.keys(EVENTS))
    for (const data of [
      {},
      { externalTrxId: '', leadId: '', rut: '' },
      { externalTrxId: 1.5, leadId: true, rut: {} },
      [],
      null,
      'T1',
      undefined,
    ])
      expect(questionOf(event, data)).toBeUndefined()
  for (const event of [null, 'other']) expect(questionOf(event, all)).toBeUndefined()
  expect(questionOf('loan_approved', Object.assign([], all))).toBeUndefined()
})
