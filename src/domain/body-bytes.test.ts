import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unicodeText } from '../../test/kit/unicode-text.ts'
import { BodyBytes, deliveryText } from './body-bytes.ts'

const gathered = (pieces: Iterable<Uint8Array>) => {
  const body = new BodyBytes()
  for (const piece of pieces) body.add(piece)
  return body
}

test('the pieces of a body are joined in their order, whatever their sizes are', () => {
  const text = Buffer.from(Array.from({ length: 5000 }, (_, i) => i % 251))
  for (const size of [1, 2, 7, 511, 512, 513, 4999, 5000]) {
    const pieces: Buffer[] = []
    for (let at = 0; at < text.length; at += size) pieces.push(text.subarray(at, at + size))
    const body = gathered(pieces)
    expect([size, body.size, body.bytes().equals(text)]).toEqual([size, text.length, true])
  }
  expect(gathered([]).bytes()).toHaveLength(0)
  expect(
    gathered([Buffer.alloc(0), Buffer.from('a'), Buffer.alloc(0), Buffer.from('b')])
      .bytes()
      .toString(),
  ).toBe('ab')
})

test('a body of a million small pieces is held in a buffer of at most twice its size', () => {
  const piece = Buffer.from('12345678')
  const body = new BodyBytes()
  for (let i = 0; i < 1_000_000; i++) body.add(piece)
  expect([body.size, body.bytes().buffer.byteLength <= 16_000_000, body.isShredded]).toEqual([8_000_000, true, false])
})

test.each([
  [4096, 1, false],
  [4097, 1, true],
  [4097, 7, true],
  [4097, 8, false],
  [100_000, 7, true],
  [100_000, 8, false],
])('a body of %i pieces of %i bytes is absurdly cut: %j', (pieces, size, expected) => {
  const body = new BodyBytes()
  for (let i = 0; i < pieces; i++) body.add(Buffer.alloc(size))
  expect(body.isShredded).toBe(expected)
})

test('a body that is dropped keeps only its count, and skipped pieces are counted too', () => {
  const body = gathered([Buffer.from('abc')])
  body.drop()
  body.skip(Buffer.from('de'))
  expect([body.size, body.bytes().length]).toEqual([5, 0])
  for (let i = 0; i < 255; i++) body.skip(Buffer.from('x'))
  expect([body.isWaste, body.isShredded]).toEqual([true, false])
})

test('spaces are added around braces and after commas and colons, but not inside strings', () => {
  expect(deliveryText('{"eventId":"a,b:{}\\"","data":{"a":[1,2],"b":{}}}')).toBe(
    '{ "eventId": "a,b:{}\\"", "data": { "a": [1, 2], "b": {} } }',
  )
})

test('slashes and non-ASCII letters are escaped, and fractions get a trailing zero', () => {
  expect(deliveryText('{"url":"https://x/ñ","rate":0.0189,"n":3}')).toBe(
    '{ "url": "https:\\/\\/x\\/\\u00f1", "rate": 0.01890, "n": 3 }',
  )
})

test('property: the rewritten JSON text parses to the same value', () => {
  fc.assert(
    fc.property(fc.dictionary(unicodeText(), fc.jsonValue()), (value) => {
      const compact = JSON.stringify(value)
      expect(JSON.parse(deliveryText(compact))).toEqual(JSON.parse(compact))
    }),
  )
})
