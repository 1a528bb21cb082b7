import { expect, test } from 'vitest'
import type { Call } from '../src/contract/calls/call.ts'
import { CALLS } from '../src/contract/calls/calls.ts'
import { GAPS } from '../src/contract/gaps.ts'
import { machine } from './kit/harness.ts'

/** The statuses that the specification states, by call. The specification gives no other answer a status. */
const SHOWN: Record<string, string[]> = {
  registerWebhook: ['201'],
  subscribeWebhook: ['403', '422'],
  getInforme: ['200', '400', '401', '403', '404', '429', '503'],
  openInforme: ['302'],
}

/** The gaps about subjects that the document leaves out, by subject. */
const ELSEWHERE: Record<string, number[]> = {
  'values of fields, which the document leaves open': [2, 3, 18, 19, 22, 24, 25, 32, 33],
  'the page, its library and its key': [4, 5],
  'deliveries and the storage, which are no calls': [12, 42],
  'codes and limits of refusals, which the document leaves open': [17, 26, 28, 29, 34, 35, 36, 37, 38, 40, 41],
  'when a call is possible, and under which other id': [30, 39, 43],
  'no header of a version is described': [23],
  'calls that the document does not have': [50, 51],
}

type Json = Record<string, any>

async function readDocument(): Promise<Json> {
  using m = machine()
  return (await m.run('contract openapi --json')).json()
}

/** Returns the operations with their names. */
const operations = ({ paths }: Json): [name: string, operation: Json][] =>
  Object.values<Json>(paths).flatMap((path) =>
    Object.values<Json>(path).map((operation): [string, Json] => [operation.operationId, operation]),
  )

/** Returns every object inside a value, with its place. */
function nodes(value: unknown, place = ''): [place: string, node: Json][] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([name, each]) => nodes(each, `${place}/${name}`))
  return [[place, value as Json], ...inside]
}

const marked = (node: Json | undefined) => typeof node?.['x-not-shown'] === 'string'

test('every status of an answer is stated by the specification, or is marked as not shown', async () => {
  const found = operations(await readDocument())
  expect(found).toHaveLength(14)
  const unmarked = Object.fromEntries(
    found.map(([name, { responses }]) => [
      name,
      Object.keys(responses).filter((status) => status !== 'default' && !marked(responses[status])),
    ]),
  )
  const stated = Object.fromEntries(found.map(([name]) => [name, SHOWN[name] ?? []]))
  expect(unmarked).toEqual(stated)
})

test('every error body, and every value of any shape, is marked as not shown', async () => {
  const document = await readDocument()
  const answers = [...operations(document).map(([, { responses }]) => responses), document.components.responses]
  for (const each of answers)
    for (const [status, response] of Object.entries<Json>(each)) {
      const schema = response.content?.['application/json'].schema
      if (/^[23]/.test(status) || schema === undefined) continue
      expect([status, marked(schema)]).toEqual([status, true])
    }
  // Schemas without a type.
  const open = nodes(document).filter(([, { description }]) => description === 'any shape is accepted')
  expect(open.length).toBeGreaterThan(10)
  expect(open.filter(([, node]) => !marked(node))).toEqual([])
})

test('every list that is an answer, every id of a destination, and every nullable value is marked as not shown', async () => {
  const document = await readDocument()
  const claims = nodes(document).filter(
    ([place, { type, anyOf }]) =>
      (place.endsWith('/schema/properties/data') && type === 'array') ||
      place.endsWith('/properties/data/items/properties/id') ||
      [type, ...(anyOf ?? []).map((each: Json) => each.type)].flat().includes('null'),
  )
  expect(claims.length).toBeGreaterThanOrEqual(4)
  // A type that may also be null has one mark, on the outside.
  expect(claims.filter(([place, node]) => !marked(node) && !place.includes('/anyOf/'))).toEqual([])
})

test('a request body allows JSON only if its encoding is not specified, and is then marked as not shown', async () => {
  const bodies = operations(await readDocument()).flatMap(([name, { requestBody }]) =>
    requestBody === undefined ? [] : [[name, Object.keys(requestBody.content), marked(requestBody)]],
  )
  const form = 'application/x-www-form-urlencoded'
  const both = ['application/json', form]
  expect(bodies).toEqual([
    ['evaluate', [form], false],
    ['select', [form], false],
    ['startWidget', [form], false],
    ['verifyLoan', both, true],
    ['registerWebhook', both, true],
    ['subscribeWebhook', both, true],
  ])
})

test('the contract says “not shown” for each part that a setting changes, and for each answer of any shape', () => {
  for (const [name, { notShown, bodySetting, pathSetting, dataShapeShown, describedBy }] of Object.entries<Call>(
    CALLS,
  )) {
    if (describedBy !== undefined) continue
    expect([name, notShown.request !== undefined]).toEqual([name, bodySetting !== undefined])
    if (pathSetting !== undefined) expect([name, notShown.path]).toEqual([name, 14])
    if (!dataShapeShown) expect([name, notShown.answer]).toEqual([name, expect.any(Number)])
  }
})

test('every field of a subscription request, except the url, is marked as not shown', async () => {
  const { subscribeWebhook } = Object.fromEntries(operations(await readDocument()))
  for (const { schema } of Object.values<Json>(subscribeWebhook?.requestBody.content))
    for (const [name, property] of Object.entries<Json>(schema.properties))
      expect([name, marked(property)]).toEqual([name, name !== 'url'])
})

test('every mark names a known gap, and every gap has a mark or is listed with a reason', async () => {
  const document = await readDocument()
  const marks = nodes(document).flatMap(([, node]) => (marked(node) ? [node['x-not-shown']] : []))
  const known = GAPS.map(({ number, notShown }) => `gap ${number}: ${notShown}`)
  expect(marks.filter((mark) => !known.includes(mark))).toEqual([])
  const others = Object.values(ELSEWHERE).flat()
  const unmarked = GAPS.filter((_, i) => !marks.includes(known[i])).map(({ number }) => number)
  expect(unmarked).toEqual(others.sort((a, b) => a - b))
})
