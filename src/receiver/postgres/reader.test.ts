import { expect, test } from 'vitest'
import { keepableId, toEvent } from './reader.ts'

/** A row as the driver returns it. */
const ROW: Parameters<typeof toEvent>[0] = {
  seq: '7',
  place: '9',
  fate: 'new',
  destination: '/webhooks',
  scheme: 'hmac',
  event_id: 'e1',
  event: 'loan_approved',
  odd: null,
  variant_of: null,
  body: Buffer.from('{"eventId":"nul\\u0000","data":{}}'),
  content_type: null,
  signature: null,
  received_at: '1000',
  state: null,
  attempts: 0,
  status: null,
  error: null,
  answer: null,
  ms: null,
  agrees: null,
  differences: '',
  confirmed_at: '',
}

test('an id that a database cannot store is read from the body, except from an odd body', () => {
  expect([keepableId('e1'), keepableId('nul\0'), keepableId(null)]).toEqual(['e1', null, null])
  expect(toEvent(ROW).eventId).toBe('e1')
  expect(toEvent({ ...ROW, event_id: null }).eventId).toBe('nul\0')
  expect(toEvent({ ...ROW, event_id: null, odd: 'it was read by an earlier version' }).eventId).toBeNull()
  expect(toEvent({ ...ROW, event_id: null, body: Buffer.from('[1]') }).eventId).toBeNull()
})

test.each([
  ['["rut","amount"]', ['rut', 'amount']],
  ['[3]', ['3']],
  ['{"rut":1}', []],
  ['no JSON', []],
])('the differences of a confirmation are a list of names, even if another program wrote %s', (differences, names) => {
  const { confirmation } = toEvent({ ...ROW, agrees: false, differences, confirmed_at: '50' })
  expect(confirmation).toEqual({ agrees: false, differences: names, at: 50 })
})
