import { expect, test } from 'vitest'
import { BnplError, type ErrorKind, EXIT_CODES } from '../errors.ts'
import { createHalt } from './halt.ts'

const LIMITS: Partial<Record<ErrorKind, number>> = {
  auth: 5,
  'rate-limited': 5,
  network: 20,
  service: 20,
  'outcome-unknown': 20,
}

/** After how many failures in a row the run ends; undefined when never. */
function endsAfter(errors: readonly (Error | undefined)[]): number | undefined {
  const halt = createHalt()
  const at = errors.findIndex((error) => halt(error) !== undefined)
  return at === -1 ? undefined : at + 1
}

test.each(Object.keys(EXIT_CODES) as ErrorKind[])(
  'failures of the kind %s end the run after as many as are useful, or never [row 96]',
  (kind) => {
    const failures = Array.from({ length: 200 }, () => new BnplError(kind, 'no'))
    expect(endsAfter(failures)).toBe(LIMITS[kind])
  },
)

test('the run ends with the last of the failures', () => {
  const halt = createHalt()
  const errors = Array.from({ length: 5 }, (_, i) => new BnplError('auth', `no ${i}`))
  expect(errors.map((error) => halt(error))).toEqual([undefined, undefined, undefined, undefined, errors[4]])
})

test.each([
  ['a success', undefined],
  ['another kind of failure', new BnplError('network', 'no')],
  ['a fault of ours', new Error('ours')],
])('%s between them begins the count anew [row 96]', (_, between) => {
  const auth = new BnplError('auth', 'no')
  const four = [auth, auth, auth, auth]
  expect(endsAfter([...four, between, ...four])).toBeUndefined()
  expect(endsAfter([...four, between, ...four, auth])).toBe(10)
})

test('successes and faults of ours never end a run', () => {
  expect(endsAfter(new Array(100).fill(undefined))).toBeUndefined()
  expect(endsAfter(new Array(100).fill(new Error('ours')))).toBeUndefined()
})
