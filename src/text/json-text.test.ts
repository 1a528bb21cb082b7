import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longNumbersQuoted, parseAsWritten, parseJsonText, parseKeepingDigits, rawNumbersAsText } from './json-text.ts'

const read = (text: string) => parseJsonText(Buffer.from(text))
const reason = (text: string) => {
  const result = read(text)
  return result.ok ? undefined : result.reason
}

test('JSON is read without its byte order mark, and only from the given part of a buffer', () => {
  expect(read('\ufeff {"a":1}')).toEqual({ ok: true, value: { a: 1 }, text: ' {"a":1}' })
  const within = Buffer.from('xx{"a":"\ufeff"}xx')
  expect(parseJsonText(new Uint8Array(within.buffer, within.byteOffset + 2, within.length - 4))).toEqual({
    ok: true,
    value: { a: '\ufeff' },
    text: '{"a":"\ufeff"}',
  })
})

test.each([
  ['', 'it is empty'],
  [' \n\t', 'it is empty'],
  ['\ufeff', 'it is empty'],
  ['<html>', 'it is a web page, not JSON'],
  ['\n <html>', 'it is a web page, not JSON'],
  ['{"a":<}', 'it is not JSON'],
  ['{', 'it is not JSON'],
])('the text %j is refused with the reason', (text, why) => {
  expect(read(text)).toEqual({ ok: false, reason: why })
})

test('bytes that are not UTF-8 are not read', () => {
  expect(parseJsonText(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ ok: false, reason: 'it is not UTF-8 text' })
})

const TOO_DEEP = 'it is nested deeper than 64 levels'
const nested = (levels: number, [open, close]: readonly [string, string] = ['[', ']'], inner = '') =>
  open.repeat(levels) + inner + close.repeat(levels)

test('64 levels of lists and objects are read, one more is not', () => {
  expect(reason(nested(64))).toBeUndefined()
  expect(reason(nested(65))).toBe(TOO_DEEP)
  expect(reason(nested(64, ['{"a":', '}'], '1'))).toBeUndefined()
  expect(reason(nested(65, ['{"a":', '}'], '1'))).toBe(TOO_DEEP)
  expect(reason(nested(32, ['[{"a":', '}]'], '1'))).toBeUndefined()
  expect(reason(nested(32, ['[{"a":', '}]'], '[]'))).toBe(TOO_DEEP)
  expect(reason('['.repeat(65))).toBe(TOO_DEEP)
})

test('brackets side by side, and those in texts, do not count as levels', () => {
  expect(reason(`[${'[],'.repeat(200)}{}]`)).toBeUndefined()
  expect(reason(`[${'{},'.repeat(200)}[]]`)).toBeUndefined()
  expect(reason(JSON.stringify('['.repeat(200)))).toBeUndefined()
  expect(reason(JSON.stringify([`\\"${'{'.repeat(200)}"`, `"${'['.repeat(200)}\\`, '\\']))).toBeUndefined()
  expect(reason(`["${'\\\\'.repeat(3)}",${nested(64)}]`)).toBe(TOO_DEEP)
  expect(reason(`["\\"",${nested(64)}]`)).toBe(TOO_DEEP)
  expect(reason(`["]]]]",${nested(64)}]`)).toBe(TOO_DEEP)
  expect(reason(`[${'[[]],'.repeat(100)}${nested(63)}]`)).toBeUndefined()
  expect(reason(`[${'{"a":{}},'.repeat(100)}${nested(64)}]`)).toBe(TOO_DEEP)
})

test('250,000 values are read, and 250,002 values are refused', () => {
  expect(reason(`[${'1,'.repeat(249_999)}1]`)).toBeUndefined()
  expect(reason(`[${'1,'.repeat(250_000)}1]`)).toBeUndefined()
  expect(reason(`[${'1,'.repeat(250_001)}1]`)).toBe('it has more than 250000 values')
})

test('whole numbers that a double cannot hold keep their digits, in lists and objects at any depth', () => {
  for (const text of [
    '90071992547409931',
    '-90071992547409931',
    '[9007199254740993]',
    '{"a":{"b":[1,{"c":9007199254740993}]}}',
    '[[[-9007199254740993]],"text",null,true]',
  ])
    expect(JSON.stringify(parseKeepingDigits(text))).toBe(text)
})

test('the digits of a long number are kept at every position in the text', () => {
  for (let before = 0; before <= 64; before++)
    for (const number of ['9007199254740993', '-9007199254740993', '123456789012345678901'])
      for (const after of ['', '1', 'x'.repeat(20)]) {
        const text = `["${'x'.repeat(before)}",${number},"${after}"]`
        expect(JSON.stringify(parseKeepingDigits(text))).toBe(text)
      }
})

test('every other number is the one that JSON.parse gives', () => {
  for (const text of [
    '9007199254740991',
    '-9007199254740991',
    '0.1',
    '1e400',
    '[1e20,1.5,-0.5,3]',
    '[12345678901234567890.5]',
  ]) {
    expect(parseKeepingDigits(text)).toEqual(JSON.parse(text))
  }
  expect(parseKeepingDigits('[9007199254740993,7,1.5,"9007199254740993"]')).toMatchObject({
    1: 7,
    2: 1.5,
    3: '9007199254740993',
  })
  expect(() => parseKeepingDigits('{')).toThrow(SyntaxError)
})

test.each([
  '999.99999999999999999999',
  '0.99999999999999999999',
  '4503599627370497.4',
  '9007199254740993.0',
  '9007199254740993',
  '12345678901234567.5',
  '1e21',
  '1E3',
  '-1.5e-7',
  '250.000',
])('a number that JavaScript would write in another way keeps its text: %s', (number) => {
  const text = `{"a":[${number},1],"b":${number}}`
  expect(JSON.stringify(parseAsWritten(text))).toBe(text)
})

test('any other number stays a number, also with zeros at the end of its fraction', () => {
  const text = '{"a":1000.0,"b":0.50,"c":-12.2500,"d":100,"e":"1e3 and 0.99999999999999999999","f":0.0}'
  expect(parseAsWritten(text)).toEqual(JSON.parse(text))
  expect(() => parseAsWritten('{1.5')).toThrow(SyntaxError)
})

test('property: a number that was read is written again with the same value', () => {
  const number = fc.tuple(
    fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
    fc.option(fc.stringMatching(/^\.\d{1,25}$/), { nil: '' }),
    fc.option(fc.stringMatching(/^[eE][+-]?\d{1,2}$/), { nil: '' }),
  )
  fc.assert(
    fc.property(number, ([whole, fraction, exponent]) => {
      const source = `${whole}${fraction}${exponent}`
      const written = JSON.stringify(parseAsWritten(source))
      const zeros = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
      expect(zeros(written)).toBe(zeros(source))
    }),
  )
})

test('a Node without raw JSON numbers reads a long number as the text that the library gives', () => {
  const number = fc.oneof(
    fc.stringMatching(/^-?[1-9]\d{0,25}$/),
    fc.stringMatching(/^[1-9]\.\d{1,17}e\+?[1-9]\d?$/),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  )
  const text = fc.string().map((value) => JSON.stringify(value))
  fc.assert(
    fc.property(fc.array(fc.oneof(number, text)), (values) => {
      const list =
        `{"a\\"1":[9007199254740993,${values.map((each) => ` ${each}`).join(',')}],"12345678901234567890":null}`.replace(
          ',]',
          ']',
        )
      expect(JSON.parse(longNumbersQuoted(list))).toEqual(rawNumbersAsText(parseKeepingDigits(list)))
    }),
  )
})
