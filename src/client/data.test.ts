import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpointOf } from '../contract/endpoints.ts'
import { checkData, dataAsSpecified } from './client.ts'

const list = endpointOf('listWebhooks')
const remove = endpointOf('deleteWebhook')
const verify = endpointOf('verifyLoan')

/** Returns an answer with this body to a call of an endpoint. */
const answered = (endpoint: typeof list, body: string, status = 200) => ({
  endpoint,
  path: endpoint.path,
  response: { status, headers: {}, body: Buffer.from(body) },
  exchange: () => ({
    method: endpoint.method,
    url: `https://api.example.com${endpoint.path}`,
    attempts: 1,
    sent: true,
    outcome: 'rejected' as const,
    status,
  }),
})

/** Reads this value against a schema of an answer whose shape the specification shows. */
const read = (data: z.ZodMiniType, value: unknown) => {
  const answer = answered({ ...list, data, dataShapeShown: true }, JSON.stringify({ data: value }))
  return dataAsSpecified(answer, checkData(answer))
}

const problemOf = (data: z.ZodMiniType, value: unknown) => {
  try {
    read(data, value)
    return undefined
  } catch (error) {
    return (error as Error).message.replace('could not read the answer to “list webhook destinations”: ', '')
  }
}

test('data is returned unchanged, whatever other fields the answer has', () => {
  const row = { id: 1, url: 'https://s.example' }
  const body = JSON.stringify({ data: [row], more: 2 })
  expect(checkData(answered(list, body))).toEqual({ data: [row], notes: [] })
  expect(read(z.unknown(), null)).toBeNull()
  expect(read(z.unknown(), { data: { a: [1] } })).toEqual({ data: { a: [1] } })
})

test.each([
  ['no JSON', /“list webhook destinations”: .*JSON/],
  ['', /: it is empty$/],
  ['{"more":2}', /: it has no `data`$/],
  ['[{"data":1}]', /: it has no `data`$/],
  ['null', /: it has no `data`$/],
  ['7', /: it has no `data`$/],
])('the answer %j to a call whose body is specified is not accepted', (body, message) => {
  for (const status of [200, 204])
    expect(() => checkData(answered(list, body, status))).toThrow(
      expect.objectContaining({ kind: 'service', code: 'UNEXPECTED_ANSWER', message: expect.stringMatching(message) }),
    )
})

test.each([
  ['', {}],
  ['no JSON', {}],
  ['[1]', {}],
  ['null', {}],
  ['{"a":1}', { a: 1 }],
  ['{"data":{"b":2}}', { b: 2 }],
  ['{"data":[{"webhook":{"b":2}}]}', { b: 2 }],
  ['{"data":{"c":[1,2]}}', { c: [1, 2] }],
  ['{"data":null}', { data: null }],
  ['{"data":[3]}', { data: [3] }],
])('if the specification shows no body, the answer %j is a success with the data %j', (body, data) => {
  for (const status of [200, 204]) {
    const answer = answered({ ...remove, data: z.string() }, body, status)
    expect(checkData(answer)).toEqual({ data, notes: [] })
    expect(dataAsSpecified(answer, checkData(answer))).toEqual(data)
  }
})

test('the first field that is not as specified is named by its path, even in nested lists; extra fields are kept', () => {
  const row = z.looseObject({ id: z.string(), more: z.optional(z.looseObject({ n: z.number() })) })
  expect(problemOf(row, { id: 'a', extra: 1 })).toBeUndefined()
  expect(problemOf(row, { id: 7, more: { n: 'x' } })).toBe('data.id is not as specified (it is a number, not text)')
  expect(problemOf(row, { id: 'a', more: { n: 'x' } })).toBe(
    'data.more.n is not as specified (it is text, not a number)',
  )
  expect(problemOf(row, null)).toMatch(/^data is not as specified \(it is null, not an object\)$/)
  const rows = z.array(z.array(row))
  expect(problemOf(rows, [[{ id: 'a' }], [{ id: 'b' }, { id: 8 }, 9]])).toBe(
    'data.1.1.id is not as specified (it is a number, not text)',
  )
  expect(problemOf(rows, [[], []])).toBeUndefined()
  expect(problemOf(rows, [[], { id: 'a' }])).toBe('data.1 is not as specified (it is an object, not a list)')
  const data = [[{ id: 'a', extra: 1 }]]
  expect(read(rows, data)).toEqual(data)
})

test('if the specification leaves the shape open, data in another shape is read, and a note says where', () => {
  const row = { id: 'a', url: 'https://s.example' }
  const held = (value: unknown) => checkData(answered(list, JSON.stringify({ data: value })))
  expect(held({ items: [row] })).toEqual({ data: [row], notes: ['the list was read from data.items'] })
  expect(held([{ items: [row] }])).toEqual({ data: [row], notes: ['the data was read from data.0.items'] })
  expect(held([row, row])).toEqual({ data: [row, row], notes: [] })
  expect(held({ count: 2 })).toEqual({
    data: { count: 2 },
    notes: [],
    wrong: 'data is not as specified (it is an object, not a list)',
  })
})

test('if the shape is open, wrapped data is found even when the schema accepts any fields', () => {
  const held = (name: 'getLead' | 'listLeads', data: unknown) =>
    checkData(answered(endpointOf(name), JSON.stringify({ data })))
  expect(held('getLead', { data: { x: 1 } })).toEqual({ data: { x: 1 }, notes: ['the data was read from data.data'] })
  expect(held('listLeads', [{ leads: [{ x: 1 }] }])).toEqual({
    data: [{ x: 1 }],
    notes: ['the data was read from data.0.leads'],
  })
})

test('a success with empty data is an EMPTY_DATA error that names the status', () => {
  const empty = [{}, [], null, '', false, [{}], { loan: null }, { data: [] }, { data: { loan: {} } }]
  for (const answer of [...empty.map((data) => answered(verify, JSON.stringify({ data }))), answered(verify, '', 204)])
    expect(() => checkData(answer)).toThrow(
      expect.objectContaining({ code: 'EMPTY_DATA', message: expect.stringContaining(`(${answer.response.status},`) }),
    )
})

test('data that contains any value is not empty, and an answer without data has another error than empty data', () => {
  for (const data of [
    0,
    true,
    'x',
    { state: '' },
    [''],
    [{}, {}],
    { loan: null, state: null },
    { loan: { state: 'x' } },
  ])
    expect([data, checkData(answered(verify, JSON.stringify({ data })))]).toEqual([
      data,
      { data, notes: [], wrong: expect.stringContaining('is not as specified') },
    ])
  expect(() => checkData(answered(verify, ''))).toThrow(/: it is empty$/)
  expect(() => checkData(answered(verify, '{"more":2}', 204))).toThrow(/: it has no `data`$/)
  expect(() => checkData(answered(list, '{"data":""}'))).not.toThrow()
})
