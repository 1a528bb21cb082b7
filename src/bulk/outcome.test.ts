import { expect, test } from 'vitest'
import { BnplError, type ErrorKind, EXIT_CODES, Interrupted } from '../errors.ts'
import { CUT_OFF, createHalt, isFinal, rowFateOf } from './outcome.ts'

const fate = (error: unknown, repeatable = false, ...reasons: unknown[]) => rowFateOf(error, { repeatable }, reasons)

/** The fate and the outcome of a row for each kind of error of its call. */
const FATES: Record<ErrorKind, string> = {
  refused: 'done failed',
  'not-found': 'done failed',
  'check-failed': 'done failed',
  auth: 'failed failed',
  'rate-limited': 'failed failed',
  network: 'failed failed',
  service: 'failed failed',
  'outcome-unknown': 'unknown unknown',
  usage: 'fatal unsent',
  config: 'fatal unsent',
  output: 'fatal sent',
  partial: 'fatal sent',
  bug: 'fatal sent',
}

test.each(Object.keys(EXIT_CODES) as ErrorKind[])(
  'an error of the kind %s determines the state and the outcome of its row [row 94]',
  (kind) => {
    const error = new BnplError(kind, 'why', { code: 'CODE', hint: 'Do.' })
    for (const repeatable of [false, true]) {
      const found = fate(error, repeatable)
      const words = 'result' in found ? found.result.outcome : found.fate === 'fatal' && found.sent ? 'sent' : 'unsent'
      expect(`${found.fate} ${words}`).toBe(FATES[kind])
      expect('error' in found && found.error).toBe(error)
      if ('result' in found)
        expect(found.result.error).toMatchObject({ kind, code: 'CODE', message: 'why', hint: 'Do.' })
    }
  },
)

test('a fault in bnpl ends the run, and its row counts as sent', () => {
  for (const error of [new TypeError('x'), 'text', null, undefined])
    expect(fate(error)).toEqual({ fate: 'fatal', error, sent: true })
})

test('a call that a signal stopped before it was sent had no effect [row 100]', () => {
  const signal = new Interrupted()
  expect(fate(signal, false, signal, undefined)).toEqual({ fate: 'untouched' })
  expect(fate(signal, true, undefined, signal)).toEqual({ fate: 'untouched' })
  expect(fate(undefined, false, undefined)).toMatchObject({ fate: 'fatal' })
})

test('a call that a signal interrupted may have been carried out, unless it may be repeated [row 100]', () => {
  const cut = new Interrupted(130, 'cut off', { hint: 'Find out.' })
  expect(fate(cut, true, new Interrupted())).toEqual({ fate: 'untouched' })
  expect(fate(cut, false, new Interrupted())).toEqual({
    fate: 'unknown',
    error: cut,
    result: {
      outcome: 'unknown',
      error: { kind: 'outcome-unknown', code: 'ABORTED', status: null, message: 'cut off', hint: 'Find out.' },
    },
  })
})

test.each<[string, boolean]>([
  ['refused', true],
  ['not-found', true],
  ['check-failed', true],
  ['auth', false],
  ['rate-limited', false],
  ['network', false],
  ['service', false],
  ['outcome-unknown', false],
])('whether a row that failed with %s would fail again without a change: %s', (kind, final) => {
  expect(isFinal({ outcome: 'failed', error: { kind, code: null, message: 'no' } })).toBe(final)
})

test('a row without an error is not final', () => {
  expect(isFinal({ outcome: 'ok' })).toBe(false)
})

test('a row whose call was cut off in an earlier run is unknown, in the usual form of an error [row 94]', () => {
  expect(CUT_OFF).toEqual({
    outcome: 'unknown',
    error: {
      kind: 'outcome-unknown',
      code: 'CUT_OFF',
      status: null,
      message: 'an earlier run was cut off while it sent this row, so the call may have been carried out',
      hint: expect.stringContaining('Find out whether the service carried out this row'),
    },
  })
})

const LIMITS: Partial<Record<ErrorKind, number>> = {
  auth: 5,
  'rate-limited': 5,
  network: 20,
  service: 20,
  'outcome-unknown': 20,
}

/** Returns after how many consecutive failures the run ends, or undefined if it does not end. */
function endsAfter(errors: readonly (Error | undefined)[]): number | undefined {
  const halt = createHalt()
  const at = errors.findIndex((error) => halt(error) !== undefined)
  return at === -1 ? undefined : at + 1
}

test.each(Object.keys(EXIT_CODES) as ErrorKind[])(
  'consecutive failures of the kind %s end the run after a fixed number, or never [row 96]',
  (kind) => {
    const failures = Array.from({ length: 200 }, () => new BnplError(kind, 'no'))
    expect(endsAfter(failures)).toBe(LIMITS[kind])
  },
)

test('a run that repeated failures end reports the last of these failures', () => {
  const halt = createHalt()
  const errors = Array.from({ length: 5 }, (_, i) => new BnplError('auth', `no ${i}`))
  expect(errors.map((error) => halt(error))).toEqual([undefined, undefined, undefined, undefined, errors[4]])
})

test.each([
  ['a success', undefined],
  ['another kind of failure', new BnplError('network', 'no')],
  ['an error of the program', new Error('ours')],
])('%s between failures restarts the count of failures [row 96]', (_, between) => {
  const auth = new BnplError('auth', 'no')
  const four = [auth, auth, auth, auth]
  expect(endsAfter([...four, between, ...four])).toBeUndefined()
  expect(endsAfter([...four, between, ...four, auth])).toBe(10)
})

test('successes and faults in bnpl do not count towards the limit of failures', () => {
  expect(endsAfter(new Array(100).fill(undefined))).toBeUndefined()
  expect(endsAfter(new Array(100).fill(new Error('ours')))).toBeUndefined()
})
