import { expect, test } from 'vitest'
import { BnplError, type ErrorKind, Interrupted } from '../errors.ts'
import { createHalt, isFinal, rowFateOf } from './outcome.ts'

test('five refused keys in a row end a run, not four, and not with a success in between', () => {
  const auth = new BnplError('auth', 'no')
  const halt = createHalt()
  const seen = [auth, auth, auth, auth, undefined, auth, auth, auth, auth, auth].map((error) => halt(error))
  expect(seen.map(Boolean)).toEqual([...Array(9).fill(false), true])
  const refused = new BnplError('refused', 'no')
  expect(Array.from({ length: 100 }, () => halt(refused)).some(Boolean)).toBe(false)
})

const kinds = (...list: ErrorKind[]) => list.map((kind) => [kind, new BnplError(kind, 'why', { code: 'C' })] as const)

test.each(kinds('refused', 'not-found', 'check-failed'))('%s: the row is done, and would fail again', (kind, error) => {
  const fate = rowFateOf(error, { repeatable: false }, [])
  expect(fate).toMatchObject({ fate: 'done', result: { outcome: 'failed', error: { kind, code: 'C' } } })
  expect('result' in fate && isFinal(fate.result)).toBe(true)
})

test.each(kinds('auth', 'rate-limited', 'network', 'service'))('%s: the row may be sent again', (kind, error) => {
  const fate = rowFateOf(error, { repeatable: false }, [])
  expect(fate).toMatchObject({ fate: 'failed', result: { outcome: 'failed', error: { kind } } })
  expect('result' in fate && isFinal(fate.result)).toBe(false)
})

test.each(kinds('usage', 'config'))('%s: the run ends, and the row was not sent', (_, error) => {
  expect(rowFateOf(error, { repeatable: false }, [])).toEqual({ fate: 'fatal', error, sent: false })
})

test('an error of another kind, or a bug, ends the run, and the row may have been sent', () => {
  for (const error of [new BnplError('output', 'full'), new TypeError('a bug')])
    expect(rowFateOf(error, { repeatable: false }, [])).toEqual({ fate: 'fatal', error, sent: true })
})

test('an interrupted call is unknown if it may not be repeated, and unsent if it may or never left', () => {
  const error = new Interrupted()
  expect(rowFateOf(error, { repeatable: false }, [])).toMatchObject({ fate: 'unknown', result: { outcome: 'unknown' } })
  expect(rowFateOf(error, { repeatable: true }, [])).toEqual({ fate: 'untouched' })
  expect(rowFateOf(error, { repeatable: false }, [undefined, error])).toEqual({ fate: 'untouched' })
  // A signal without a reason is not the reason of an error without a value.
  expect(rowFateOf(undefined, { repeatable: false }, [undefined])).toMatchObject({ fate: 'fatal' })
})
