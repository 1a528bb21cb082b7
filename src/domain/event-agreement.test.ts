import { expect, test } from 'vitest'
import { differencesOf, isConfirmed, questionOf } from './event-agreement.ts'

test('an event is confirmed when the event is signed, or when the service returned the same data', () => {
  const confirmation = (agrees: boolean) => ({ agrees, differences: [], at: 0 })
  expect(isConfirmed({ scheme: 'hmac', confirmation: null })).toBe(true)
  expect(isConfirmed({ scheme: 'hmac', confirmation: confirmation(false) })).toBe(true)
  expect(isConfirmed({ scheme: 'token', confirmation: null })).toBe(false)
  expect(isConfirmed({ scheme: 'token', confirmation: confirmation(false) })).toBe(false)
  expect(isConfirmed({ scheme: 'token', confirmation: confirmation(true) })).toBe(true)
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
  for (const event of ['loan_approved', 'new_lead', 'pre_approve'])
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

test('simple fields that both sides have are compared by value, even if the JSON types differ', () => {
  expect(differencesOf({ a: 1, b: 'x', c: true }, { a: '1', b: 'x', c: true })).toEqual([])
  expect(differencesOf({ a: 1, b: 'x', c: true, d: 4 }, { a: 2, b: 'y', c: false, e: 5 })).toEqual(['a', 'b', 'c'])
})

test('links, states, lists and objects are not compared', () => {
  expect(
    differencesOf({ urlInforme: 'x', state: 'ACTIVE', estado: 'a' }, { urlInforme: 'y', state: 'PAID', estado: 'b' }),
  ).toEqual([])
  expect(differencesOf({ a: [1], b: { c: 1 }, d: 1, e: null }, { a: [2], b: { c: 2 }, d: [1], e: 1 })).toEqual([])
  for (const nothing of [null, 'text', 1, [1]]) {
    expect(differencesOf(nothing, { 0: 2 })).toEqual([])
    expect(differencesOf({ 0: 2 }, nothing)).toEqual([])
  }
})
