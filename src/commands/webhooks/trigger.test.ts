import { expect, test } from 'vitest'
import { machine } from '../../../test/kit/harness.ts'
import { parseKeepingDigits } from '../../text/json-text.ts'
import { setField } from './trigger.ts'

async function set(data: string, ...assignments: string[]): Promise<string> {
  let value: unknown = parseKeepingDigits(data)
  for (const each of assignments) value = await setField(value, each, () => {})
  return JSON.stringify(value)
}

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
])('%s', async (_, data, assignments, result) => {
  expect(await set(data, ...assignments)).toBe(result)
})

test('an unknown field is refused; the hint lists similar fields first, and one element of each list', async () => {
  using m = machine()
  const { code, stderr } = await m.run([...TRIGGER, 'expirationDat=1'])
  expect([code, stderr.split('\n')]).toEqual([
    2,
    [
      'error: --set: this event has no field “expirationDat”',
      expect.stringMatching(
        /^ {2}Use a field such as installments\.0\.expirationDate, .*\. --dry-run shows the whole event\.$/,
      ),
      '',
    ],
  ])
  expect(stderr).not.toContain('installments.1')
  await expect(set('{"a":9007199254740993,"c":{"d":1}}', 'a.rawJSON=1')).rejects.toMatchObject({
    kind: 'usage',
    hint: expect.stringMatching(/^Use a field such as (a|c|c\.d), (a|c|c\.d), (a|c|c\.d)\.$/),
  })
  await expect(set('{}', 'a=1')).rejects.toMatchObject({ hint: expect.stringContaining('has no fields') })
})

const TRIGGER = 'webhooks trigger loan_approved --to http://127.0.0.1:9/hook -p sandbox --dry-run --set'.split(' ')

test.each([
  ['loanAmount=abc', 'The field loanAmount is normally a number, but this event contains text.'],
  ['loanAmount=null', 'The field loanAmount is normally a number, but this event contains null.'],
  ['installments.0={}', ''],
  ['installments.0=x', 'The field installments.0 is normally an object, but this event contains text.'],
  ['loanAmount=7', ''],
  ['state=7', ''],
])(
  '--set %s is accepted, with a note if the new value has another type than the old value',
  async (assignment, note) => {
    using m = machine()
    const { code, stderr } = await m.run([...TRIGGER, assignment])
    const notes = stderr.split('\n').filter((line) => line.includes('this event contains'))
    expect([code, notes.join('')]).toEqual([0, note])
  },
)
