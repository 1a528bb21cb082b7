import { expect, test } from 'vitest'
import { BnplError, ClosedPipe } from '../errors.ts'
import { bugChannel, guarded, isBug } from './bug-channel.ts'

const FAULT = new TypeError('a fault of the test')
const FULL = new BnplError('output', 'no room')

test('a rejected background promise ends the receiver only if the error is a fault', async () => {
  const channel = bugChannel()
  channel.mind(Promise.resolve())
  channel.mind(Promise.reject(FULL))
  await new Promise(setImmediate)
  channel.rethrow()
  channel.mind(Promise.reject(FAULT))
  await expect(channel.raised).rejects.toBe(FAULT)
  expect(() => channel.rethrow()).toThrow(FAULT)
})

test('the first of two faults is thrown', () => {
  const channel = bugChannel()
  channel.report(FAULT)
  channel.report(new RangeError('later'))
  expect(() => channel.rethrow()).toThrow(FAULT)
})

test('a BnplError and a closed pipe are not faults', () => {
  expect([FAULT, 'a text', FULL, new ClosedPipe()].map(isBug)).toEqual([true, true, false, false])
})

test('a guarded callback gets what it is called with, and its errors are reported', () => {
  const reported: unknown[] = []
  const calls: unknown[][] = []
  const callback = guarded(
    (...args: number[]) => {
      calls.push(args)
      if (args.length > 1) throw FAULT
    },
    (error) => reported.push(error),
  )
  callback(1)
  callback(1, 2)
  expect([calls, reported]).toEqual([[[1], [1, 2]], [FAULT]])
})
