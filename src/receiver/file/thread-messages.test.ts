import { expect, test } from 'vitest'
import { BnplError } from '../../errors.ts'
import { errorFromPost, failureToPost } from './thread-messages.ts'

/** The error that arrives when an error is sent in a message between two threads. */
const posted = (error: unknown) => errorFromPost(structuredClone(failureToPost(error)))

test('a BnplError keeps its kind, code, message and hint in a message between threads', () => {
  const whole = new BnplError('output', 'no room', { code: 'DISK_FULL', hint: 'Make room.' })
  expect(posted(whole)).toBeInstanceOf(BnplError)
  expect(posted(whole)).toMatchObject({ kind: 'output', message: 'no room', code: 'DISK_FULL', hint: 'Make room.' })
  const bare = posted(new BnplError('config', 'no')) as BnplError
  expect([bare.kind, bare.message, bare.code, bare.hint]).toEqual(['config', 'no', undefined, undefined])
  expect(failureToPost(new BnplError('config', 'no'))).toStrictEqual({ kind: 'config', message: 'no' })
})

test('any other error arrives as a plain error with the same message', () => {
  for (const [error, message] of [
    [new TypeError('a fault'), 'a fault'],
    ['a text', 'a text'],
  ] as const) {
    const arrived = posted(error)
    expect(arrived).not.toBeInstanceOf(BnplError)
    expect(arrived).toMatchObject({ message })
    expect(failureToPost(error)).toStrictEqual({ message })
  }
})
