import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { workedMs } from '../../../test/kit/limits.ts'
import { LOAN } from '../../../test/kit/loan.ts'
import { parseKeepingDigits } from '../../text/json-text.ts'
import { endpointOf } from '../endpoints.ts'
import { readingOf, recordIn } from './data.ts'

const webhooks = endpointOf('listWebhooks')
const leads = endpointOf('listLeads')
const loans = endpointOf('verifyLoan')
const row = (id: unknown) => ({ id, url: `https://s.example/${id}` })
const [a, b] = [row('a'), row('b')]
const PAGED = 'the list was read from data.0.items; these fields next to the list were not read: data.0.page'

describe('a list of destinations', () => {
  test.each([
    ['as the contract has it', [a, b], [a, b], []],
    ['under a usual name', { items: [a, b] }, [a, b], ['the list was read from data.items']],
    ['under any name', { mios: [a] }, [a], ['the list was read from data.mios']],
    [
      'beside fields',
      { results: [a], total: 9, next: '/2' },
      [a],
      ['the list was read from data.results; these fields next to the list were not read: data.total, data.next'],
    ],
    ['three objects deep', { x: { y: { z: [a] } } }, [a], ['the list was read from data.x.y.z']],
    ['by kind', { hmac: [a], token: [b] }, [a, b], ['the list was read from data.hmac and data.token']],
    [
      'beside another list',
      { items: [a], old: [b] },
      [a],
      ['the list was read from data.items; these fields next to the list were not read: data.old'],
    ],
    ['one object', a, [a], ['data is one object, and was read as a list of one']],
    ['nothing', null, [], ['data is empty, and was read as an empty list']],
    ['an empty object', {}, [], ['data is empty, and was read as an empty list']],
    [
      'empty under a name',
      { items: [], links: [] },
      [],
      ['the list was read from data.items; these fields next to the list were not read: data.links'],
    ],
    ['a list in a list of one', [{ items: [a] }], [a], ['the data was read from data.0.items']],
    ['a list in a list of one, beside a page', [{ items: [a], page: 1 }], [a], [PAGED]],
    ['numbers as ids', [row(7)], [row(7)], []],
  ])('is read: %s', (_, sent, data, notes) => {
    expect(readingOf(webhooks, sent)).toEqual({ data, notes })
  })

  test.each([
    ['text', 'none'],
    ['a number', 3],
    ['an object without a list', { count: 2 }],
    ['a list of texts', ['https://s.example']],
    ['a row without an address', [{ id: 1 }]],
    ['a row too deep', { a: { b: { c: { d: { e: [a] } } } } }],
    ['a list with one row that does not fit', { items: [a, { id: 2 }] }],
  ])('is not guessed from %s', (_, sent) => {
    expect(readingOf(webhooks, sent)).toBeUndefined()
  })

  test('keeps an id of any length, as its digits', () => {
    const sent = parseKeepingDigits('[{"id":12345678901234567890,"url":"https://s.example"}]')
    expect(readingOf(webhooks, sent)).toEqual({
      data: [{ id: '12345678901234567890', url: 'https://s.example' }],
      notes: ['data.0.id is a number, and was read as text'],
    })
  })
})

test('a single object is a lead only if it has idPreAprobacion; a row of a list may have any fields', () => {
  expect(readingOf(leads, { idPreAprobacion: null, x: 1 })?.data).toEqual([{ idPreAprobacion: null, x: 1 }])
  expect(readingOf(leads, { leads: [{ x: 1 }] })?.data).toEqual([{ x: 1 }])
  expect(readingOf(leads, { total: 0, page: 1 })).toBeUndefined()
  const nested = [{ lead: { id: 1, products: [{ x: 1 }] } }]
  expect(readingOf(leads, nested)).toEqual({ data: nested, notes: [] })
  expect(readingOf(leads, [{ idPreAprobacion: 7 }])?.data).toEqual([{ idPreAprobacion: '7' }])
})

const loan = { ...LOAN, installments: [] }

test('an object is found only in wrappers that contain nothing else', () => {
  for (const sent of [loan, { data: loan }, [loan], { loan }, { data: [{ loan }] }])
    expect(readingOf(loans, sent)?.data).toEqual(loan)
  expect(readingOf(loans, { data: { loan } })?.notes).toEqual(['the data was read from data.data.loan'])
  for (const sent of [{ loan, status: 'PENDING' }, [loan, loan], [[[[loan]]]], 'T1', null, { loan: null }])
    expect(readingOf(loans, sent)).toBeUndefined()
  expect(readingOf(loans, { ...loan, externalTrxId: 1001 })?.data).toEqual({ ...loan, externalTrxId: '1001' })
  // A value that is not an id is never changed.
  expect(readingOf(loans, { ...loan, state: 1 })).toBeUndefined()
  expect(readingOf(loans, { ...loan, loanAmount: '1' })).toBeUndefined()
})

test('an evaluation with one field is not taken for a wrapper; a lead in a field “data” is found', () => {
  const evaluation = { installmentOptions: [{ installments: 3, amount: 1, total: 3 }] }
  for (const sent of [evaluation, { data: evaluation }, [evaluation]])
    expect(readingOf(endpointOf('evaluate'), sent)?.data).toEqual(evaluation)
  expect(readingOf(endpointOf('getLead'), { data: { x: 1 } })).toEqual({
    data: { x: 1 },
    notes: ['the data was read from data.data'],
  })
})

test('if the contract shows no body, the record is the object inside the wrappers', () => {
  for (const sent of [a, [a], { webhook: a }, { data: [a] }]) expect(recordIn(sent)).toEqual(a)
  expect(recordIn({ secret: 'x' })).toEqual({ secret: 'x' })
  for (const sent of [[a, b], 'a', null, [3], undefined]) expect(recordIn(sent)).toBeUndefined()
})

test.each([
  ['id', true],
  ['idPreAprobacion', true],
  ['leadId', true],
  ['paid', false],
  ['idle', false],
  ['voidX', false],
  ['theIdea', false],
])('whether a number in the field %s is read as text: %s', (name, isId) => {
  const data = z.looseObject({ [name]: z.string() })
  expect(readingOf({ data }, { [name]: 7, more: 1 })).toEqual(
    isId ? { data: { [name]: '7', more: 1 }, notes: [`data.${name} is a number, and was read as text`] } : undefined,
  )
})

test('a number is read as an id only if it is whole and makes the value valid; only the first is noted', () => {
  const data = z.looseObject({ id: z.string().check(z.minLength(2)), name: z.optional(z.string()) })
  for (const sent of [
    { id: 1.5, more: 1 },
    { id: true, more: 1 },
    { id: 7, more: 1 },
    { id: 77, name: 3 },
  ])
    expect([sent, readingOf({ data }, sent)]).toEqual([sent, undefined])
  expect(readingOf({ data }, { id: 77, more: 1 })?.data).toEqual({ id: '77', more: 1 })
  const lists = z.looseObject({ rows: z.array(z.looseObject({ id: z.string() })) })
  expect(readingOf({ data: lists }, { rows: [{ id: 1 }, { id: 'b' }, { id: 3 }], more: 1 })).toEqual({
    data: { rows: [{ id: '1' }, { id: 'b' }, { id: '3' }], more: 1 },
    notes: ['data.rows.0.id is a number, and was read as text'],
  })
  expect(readingOf(leads, [{ idPreAprobacion: 7 }, { idPreAprobacion: 'a' }])?.notes).toEqual([
    'data.0.idPreAprobacion is a number, and was read as text',
  ])
})

test.each([
  [{ items: [], results: [a] }, [a], 'data.results; these fields next to the list were not read: data.items'],
  [{ subitems: [b], items: [a] }, [a], 'data.items; these fields next to the list were not read: data.subitems'],
  [{ items2: [b], items: [a] }, [a], 'data.items; these fields next to the list were not read: data.items2'],
  [{ other: [b], result: [a] }, [a], 'data.result; these fields next to the list were not read: data.other'],
  [{ id: 'x', items: [a] }, [a], 'data.items; these fields next to the list were not read: data.id'],
  [{ x: { items: [a] }, n: 1 }, [a], 'data.x.items'],
  [{ x: { y: { z: { w: [a] } } } }, [a], 'data.x.y.z.w'],
  [
    { p: [a], q: [a], r: [a], s: [a], t: [a], u: [a] },
    [a, a, a, a, a, a],
    'data.p and data.q and data.r and data.s and data.t and 1 more',
  ],
  [
    { items: [a], p: 1, q: 1, r: 1, s: 1, t: 1, u: 1 },
    [a],
    'data.items; these fields next to the list were not read: data.p, data.q, data.r, data.s, data.t and 1 more',
  ],
])('the list of %j is %j, from %s', (sent, data, from) => {
  expect(readingOf(webhooks, sent)).toEqual({ data, notes: [`the list was read from ${from}`] })
})

test('a list is not searched for in a row of another list', () => {
  expect(readingOf(webhooks, { x: [{ items: [a] }, 1] })).toBeUndefined()
  expect(readingOf(webhooks, [{ items: [a], page: 1 }, {}])).toBeUndefined()
})

test('a list of texts is found in a wrapper; a list of one that contains a list is a wrapper, not a row', () => {
  expect(readingOf({ data: z.array(z.string()) }, { items: ['a'] })?.data).toEqual(['a'])
  expect(readingOf(leads, [{ leads: [{ x: 1 }] }])).toEqual({
    data: [{ x: 1 }],
    notes: ['the data was read from data.0.leads'],
  })
})

test('a value that is as the contract describes it has no note', () => {
  expect(readingOf(loans, loan)).toEqual({ data: loan, notes: [] })
  expect(readingOf(loans, { ...loan, externalTrxId: 1001 })?.notes).toEqual([
    'data.externalTrxId is a number, and was read as text',
  ])
  for (const sent of [null, 'x']) expect(readingOf(endpointOf('getLead'), sent)).toBeUndefined()
})

test('a record with a second field, or with null in its field, is no wrapper', () => {
  for (const sent of [{ a: { x: 1 }, b: 1 }, { a: null }]) expect(recordIn(sent)).toEqual(sent)
})

test('an answer with 100 000 rows or fields is read with less than 10 s of work', () => {
  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`f${i}`, [{ id: i }]]))
  const many = { items: Array.from({ length: 100_000 }, (_, i) => row(i)) }
  const lists = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`f${i}`, [row(i)]]))
  const started = workedMs()
  expect(readingOf(webhooks, wide)).toBeUndefined()
  expect(readingOf(webhooks, many)?.data).toHaveLength(100_000)
  expect(readingOf(webhooks, lists)?.data).toHaveLength(50_000)
  expect(workedMs() - started).toBeLessThan(10_000)
})
