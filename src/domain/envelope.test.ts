import fc from 'fast-check'
import { expect, test } from 'vitest'
import { duplicateField } from '../text/json-text.ts'
import { differencesOf, isConfirmed, readEnvelope } from './envelope.ts'

const read = (text: string) => readEnvelope(Buffer.from(text))

test('an envelope has an eventId and data; other fields are ignored', () => {
  expect(read('{"eventId":"e1","data":{"a":1},"more":true}')).toEqual({
    ok: true,
    envelope: { eventId: 'e1', data: { a: 1 } },
  })
  expect(read('\ufeff{\r\n "eventId": "e\\u0031", "data": null }')).toMatchObject({ envelope: { eventId: 'e1' } })
  expect(read('{"eventId":7,"data":[]}')).toMatchObject({ envelope: { eventId: '7' } })
  expect(read('{"eventId":90071992547409931,"data":1}')).toMatchObject({ envelope: { eventId: '90071992547409931' } })
})

test.each([
  ['', 'it is empty'],
  ['nope', 'it is not JSON'],
  ['[]', 'it is not an object'],
  ['null', 'it is not an object'],
  ['{"data":{}}', 'it has no eventId'],
  ['{"eventId":"","data":{}}', 'it has no eventId'],
  ['{"eventId":{},"data":{}}', 'it has no eventId'],
  ['{"eventId":7.5,"data":{}}', 'it has no eventId'],
  ['{"eventId":1e400,"data":{}}', 'it has no eventId'],
  ['{"eventId":"e1"}', 'it has no data'],
  ['{"eventId":"\\ud800","data":1}', 'its eventId is not valid Unicode'],
  [`{"eventId":"${'e'.repeat(600)}","data":1}`, 'its eventId is longer than 512 characters'],
  ['['.repeat(100_000), 'it is nested deeper than 64 levels'],
])('a body that is not an envelope is refused with the reason: case %#', (text, reason) => {
  expect(read(text)).toEqual({ ok: false, reason })
})

test('an eventId may have 512 characters', () => {
  expect(read(`{"eventId":"${'e'.repeat(512)}","data":1}`)).toMatchObject({ ok: true })
  expect(read(`{"eventId":"${'e'.repeat(513)}","data":1}`)).toMatchObject({ ok: false })
})

test('bytes that are not UTF-8 are not an envelope', () => {
  expect(readEnvelope(Buffer.from([0x7b, 0xff, 0x7d]))).toEqual({ ok: false, reason: 'it is not UTF-8 text' })
})

test('reading an envelope never throws, whatever the bytes', () => {
  fc.assert(fc.property(fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)), (bytes) => 'ok' in readEnvelope(bytes)))
})

test('the original text of data is kept only if the envelope is compact, plain ASCII, and has no other field', () => {
  const textOf = (text: string) => {
    const result = read(text)
    return result.ok ? result.envelope.dataText : 'no envelope'
  }
  expect(textOf('{"eventId":"e1","data":{"a":[1,2.50]}}')).toBe('{"a":[1,2.50]}')
  expect(textOf('{"eventId":7,"data":90071992547409931}')).toBe('90071992547409931')
  for (const text of [
    '{"eventId":"e1","data":1,"confirmed":true}',
    '{"data":1,"eventId":"e1"}',
    '{"eventId":"e1","data":1} ',
    '{"eventId": "e1","data":1}',
    '{"eventId":"e1","data":{\n}}',
    '{"eventId":"e1","data":"\u007f"}',
    '{"eventId":"e1","data":"ñ"}',
    '{"eventId":"e\\u0031","data":1}',
  ])
    expect(textOf(text)).toBeUndefined()
  const whole = fc.property(fc.string(), fc.json(), (eventId, data) => {
    const text = textOf(`{"eventId":${JSON.stringify(eventId)},"data":${data}}`)
    return text === undefined || text === 'no envelope' || text === data
  })
  fc.assert(whole)
})

test.each([
  ['{"eventId":"a","data":1,"eventId":"b"}', 'eventId'],
  ['{"eventId":"a","data":{"x":1},"data":{"x":2}}', 'data'],
  ['{"eventId":"a","data":1,"\\u0065ventId":"b"}', 'eventId'],
  ['{ "data" : [1] , "eventId" : "a" , "d\\u0061ta" : 2 }', 'data'],
])('an envelope with a duplicate field is refused: %s [row 60]', (text, field) => {
  expect(readEnvelope(Buffer.from(text))).toEqual({
    ok: false,
    reason: expect.stringContaining(`it has the field ${field} twice`),
  })
})

test.each([
  '{"eventId":"a","data":{"data":1,"eventId":"b","list":[{"data":2},{"data":3}]}}',
  '{"eventId":"data","data":"eventId"}',
  '{"eventId":"a","data":"\\"data\\":1,\\"data\\":2, \\u0022"}',
  '{"eventId":"a","data":[["eventId"],{"eventId":1}],"more":1,"more":2}',
])('an envelope whose data contains the field names eventId and data again is accepted: %s', (text) => {
  expect(readEnvelope(Buffer.from(text))).toMatchObject({ ok: true, envelope: { eventId: expect.any(String) } })
})

test('property: a duplicate field is found exactly when the text has one', () => {
  const name = fc.constantFrom('eventId', 'data', 'other', 'da', '"data"', '\\', 'é')
  const fields = fc.array(fc.tuple(name, fc.jsonValue()), { maxLength: 6 })
  const property = fc.property(fields, fc.constantFrom('', ' ', '\n'), (given, space) => {
    const text = `{${given.map(([key, value]) => `${space}${JSON.stringify(key)}${space}:${JSON.stringify(value, null, space)}`).join(',')}}`
    const twice = ['eventId', 'data'].filter((one) => given.filter(([key]) => key === one).length > 1)
    const found = duplicateField(text, ['eventId', 'data'])
    expect(found === undefined ? [] : [found]).toEqual(twice.length === 0 ? [] : [expect.toBeOneOf(twice)])
  })
  fc.assert(property)
})

test('property: an envelope with further fields is refused exactly when one of them is eventId or data', () => {
  const name = fc.constantFrom('"eventId"', '"data"', '"d\\u0061ta"', '"other"', '"da\\"data"', '"é"')
  const fields = fc.array(fc.tuple(name, fc.jsonValue()), { maxLength: 4 })
  const property = fc.property(fields, fc.constantFrom('', ' '), (given, space) => {
    const more = given.map(([key, value]) => `,${key}${space}:${key === '"eventId"' ? '"b"' : JSON.stringify(value)}`)
    const isTwice = given.some(([key]) => ['eventId', 'data'].includes(JSON.parse(key)))
    expect(read(`{"eventId":"a","data":"data"${more.join('')}}`).ok).toBe(!isTwice)
  })
  fc.assert(property)
})

test('an event is confirmed when the event is signed, or when the service returned the same data', () => {
  const confirmation = (agrees: boolean) => ({ agrees, differences: [], at: 0 })
  expect(isConfirmed({ scheme: 'hmac', confirmation: null })).toBe(true)
  expect(isConfirmed({ scheme: 'hmac', confirmation: confirmation(false) })).toBe(true)
  expect(isConfirmed({ scheme: 'token', confirmation: null })).toBe(false)
  expect(isConfirmed({ scheme: 'token', confirmation: confirmation(false) })).toBe(false)
  expect(isConfirmed({ scheme: 'token', confirmation: confirmation(true) })).toBe(true)
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

test.each([
  ['transferDate', '2026-03-01', '2026-03-01T22:30:00Z', []],
  ['transferDate', '2026-03-01T15:10:33Z', '2026-03-01T00:00:00Z', []],
  ['transferDate', '2026-03-01T23:30:00-03:00', '2026-03-02', []],
  ['transferDate', '2026-03-01', '2026-03-02T00:00:00Z', ['transferDate']],
  ['fechaCreacion', '2026-03-01', '2026-03-01T22:30:00Z', []],
  ['fechaCreacion', '2026-03-01T22:30:00Z', '2026-03-01T22:30:00.000Z', []],
  ['fechaCreacion', '2026-03-01T22:30:00Z', '2026-03-01T10:00:00Z', ['fechaCreacion']],
  ['estadoCivil', '2026-03-01', '2026-03-01T', ['estadoCivil']],
])('%s: %s and %s are compared by their day if one of them is only a day', (name, event, read, differences) => {
  expect(differencesOf({ [name]: event }, { [name]: read })).toEqual(differences)
})
