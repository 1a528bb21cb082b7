import { expect, test } from 'vitest'
import { parseKeepingDigits } from '../../text/json-text.ts'
import { setField } from './event-fields.ts'

const set = (data: string, ...assignments: string[]) =>
  JSON.stringify(assignments.reduce(setField, parseKeepingDigits(data)))

test.each([
  ['a text stays a text, and anything else is JSON', '{"a":"x","b":1}', ['a=2', 'b=3'], '{"a":"2","b":3}'],
  [
    'in a list and a record',
    '{"a":[{"b":1},{"b":2}]}',
    ['a.1.b=null', 'data.a.0={"c":4}'],
    '{"a":[{"c":4},{"b":null}]}',
  ],
  [
    'digits that no double holds',
    '{"a":9007199254740993,"b":1}',
    ['b=9007199254740995'],
    '{"a":9007199254740993,"b":9007199254740995}',
  ],
  ['a number that no double holds', '{"a":9007199254740993}', ['a=1'], '{"a":1}'],
  ['a name with a dot in it', '{"a.b":1,"c":{"d.e":2}}', ['a.b=3', 'c.d.e=4'], '{"a.b":3,"c":{"d.e":4}}'],
])('%s', (_, data, assignments, result) => {
  expect(set(data, ...assignments)).toBe(result)
})

test('an unknown field is refused, with the list of fields', () => {
  expect(() => set('{"a":9007199254740993,"c":{"d":1}}', 'a.rawJSON=1')).toThrow(
    expect.objectContaining({ kind: 'usage', hint: 'Use one of these fields: a, c, c.d' }),
  )
})
