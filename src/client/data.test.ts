import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpointOf } from '../contract/endpoints.ts'
import { checkData, readData } from './data.ts'

const list = endpointOf('listWebhooks')
const remove = endpointOf('deleteWebhook')

/** An answer with this body to a call of an endpoint. */
const answered = (endpoint: typeof list, body: string) => ({
  endpoint,
  path: endpoint.path,
  response: { status: 200, headers: {}, body: Buffer.from(body) },
  exchange: {
    method: endpoint.method,
    url: `https://api.example.com${endpoint.path}`,
    attempts: 1,
    sent: true,
    outcome: 'rejected' as const,
  },
})

const problemOf = (data: z.ZodMiniType, value: unknown) => {
  try {
    checkData(answered({ ...list, data }, ''), value)
    return undefined
  } catch (error) {
    return (error as Error).message.replace('could not read the answer to “list webhook destinations”: ', '')
  }
}

test('data is given as it came, whatever is beside it', () => {
  expect(readData(answered(list, '{"data":[{"id":1}],"more":2}'))).toEqual([{ id: 1 }])
  expect(readData(answered(list, '{"data":null}'))).toBeNull()
})

test.each([
  ['no JSON', /“list webhook destinations”: .*JSON/],
  ['', /: it is empty$/],
  ['{"more":2}', /: it has no `data`$/],
  ['[{"data":1}]', /: it has no `data`$/],
  ['null', /: it has no `data`$/],
  ['7', /: it has no `data`$/],
])('the answer %j to a call whose body is specified is not accepted', (body, message) => {
  expect(() => readData(answered(list, body))).toThrow(
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
  ['{"data":null}', { data: null }],
  ['{"data":[3]}', { data: [3] }],
])('where the specification shows no body, %j is a success with %j', (body, data) => {
  expect(readData(answered(remove, body))).toEqual(data)
  expect(checkData(answered(remove, body), 7)).toBe(7)
})

test('the first field that is not as specified is named by its path, also in lists of lists; nothing is dropped', () => {
  const row = z.looseObject({ id: z.string(), more: z.optional(z.looseObject({ n: z.number() })) })
  expect(problemOf(row, { id: 'a', extra: 1 })).toBeUndefined()
  expect(problemOf(row, { id: 7, more: { n: 'x' } })).toBe('data.id is not as specified (a number, not text)')
  expect(problemOf(row, { id: 'a', more: { n: 'x' } })).toBe('data.more.n is not as specified (text, not a number)')
  expect(problemOf(row, null)).toMatch(/^data is not as specified \(null, not an object\)$/)
  const rows = z.array(z.array(row))
  expect(problemOf(rows, [[{ id: 'a' }], [{ id: 'b' }, { id: 8 }, 9]])).toBe(
    'data.1.1.id is not as specified (a number, not text)',
  )
  expect(problemOf(rows, [[], []])).toBeUndefined()
  expect(problemOf(rows, [[], { id: 'a' }])).toBe('data.1 is not as specified (an object, not a list)')
  const data = [[{ id: 'a', extra: 1 }]]
  expect(checkData(answered({ ...list, data: rows }, ''), data)).toBe(data)
})
