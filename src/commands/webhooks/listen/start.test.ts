import { expect, test } from 'vitest'
import { realClock } from '../../../../test/kit/harness.ts'
import { BnplError, Failures, Interrupted } from '../../../errors.ts'
import { untilEnded } from './start.ts'

/** A listener whose ends are noted, and fail where the test says so. */
function listening(failing: Record<string, Error> = {}) {
  const ran: string[] = []
  const step = (name: string) => async () => {
    ran.push(name)
    const error = failing[name]
    if (error) throw error
  }
  const open = () => ({
    clock: realClock,
    stop: { atOnce: new AbortController().signal },
    health: { ending: () => void ran.push('health') },
    view: { ending: () => void ran.push('ending'), end: step('view') },
    destination: { remove: step('destination') },
    receiver: { close: step('receiver') },
    readyFile: { remove: step('ready file') },
  })
  return { ran, open }
}

const ORDER = ['health', 'ending', 'destination', 'receiver', 'view', 'ready file']
const full = new BnplError('output', 'no room')

test('a stopped listener ends its parts in order, then throws the signal', async () => {
  const { ran, open } = listening()
  const signal = new Interrupted(130)
  await expect(untilEnded(async () => signal, open)).rejects.toBe(signal)
  expect(ran).toEqual(ORDER)
  await untilEnded(async () => undefined, open)
})

test('a failure at the end does not stop the other steps, and is thrown instead of the signal', async () => {
  const { ran, open } = listening({ receiver: full })
  await expect(untilEnded(async () => new Interrupted(130), open)).rejects.toBe(full)
  expect(ran).toEqual(ORDER)
})

test('a failure at the end does not hide the error that ended the listening', async () => {
  const { ran, open } = listening({ receiver: full, view: new Error('the screen') })
  const own = new BnplError('config', 'the test delivery was not acknowledged')
  const thrown = await untilEnded(() => Promise.reject(own), open).catch((error: unknown) => error)
  expect(ran).toEqual(ORDER)
  expect(thrown).toBeInstanceOf(Failures)
  expect(thrown).toMatchObject({ first: own, others: [full, new Error('the screen')] })
})
