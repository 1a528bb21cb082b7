import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BnplError, config, tellable } from '../../errors.ts'
import { createInboxGuard } from './receiving-inbox.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const DIR = '/state'
const PATH = join(DIR, 'inbox.db')

/** A guard with a simulated inbox and simulated files, and everything that it reports. */
function scene() {
  const notices: string[] = []
  const failures: BnplError[] = []
  let looks = 0
  const played = {
    look: () => {},
    keepClaim: async () => {},
    save: async () => '/state/saved.db',
  }
  const inbox = { keepClaim: () => played.keepClaim(), save: () => played.save() }
  const guard = createInboxGuard(DIR, inbox, (text) => notices.push(text))
  const commits = {
    look() {
      looks++
      played.look()
    },
    fail: (error: BnplError) => void failures.push(error),
  }
  return { guard, commits, played, notices, failures, looks: () => looks }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('the guard checks the files every second until the guard is stopped', async () => {
  const { guard, commits, looks } = scene()
  await pass(3000)
  expect(looks()).toBe(0)
  guard.watch(commits)
  await pass(999)
  expect(looks()).toBe(0)
  await pass(1)
  expect(looks()).toBe(1)
  await pass(3000)
  expect(looks()).toBe(4)
  guard.stop()
  await pass(5000)
  expect(looks()).toBe(4)
})

test('the guard checks the lock every second, and starts a check only after the previous check has ended', async () => {
  const { guard, commits, played } = scene()
  const asked: PromiseWithResolvers<void>[] = []
  played.keepClaim = () => {
    const one = Promise.withResolvers<void>()
    asked.push(one)
    return one.promise
  }
  guard.watch(commits)
  await pass(5000)
  expect(asked).toHaveLength(1)
  asked[0]?.resolve()
  await pass(1000)
  expect(asked).toHaveLength(2)
  guard.stop()
})

test('when another receiver has taken the inbox, receiving ends, with one notice', async () => {
  const { guard, commits, played, notices, failures, looks } = scene()
  const taken = config('another listener already receives into this inbox: pid 7')
  played.keepClaim = () => Promise.reject(taken)
  guard.watch(commits)
  await pass(5000)
  expect(failures).toEqual([taken])
  expect(looks()).toBe(1)
  expect(notices).toEqual([
    'inbox.lock was removed or renamed while this receiver ran: NO DELIVERY IS ACKNOWLEDGED ANY MORE (503). The inbox could not be claimed again: another listener already receives into this inbox: pid 7. Stop this receiver.',
  ])
})

test('a fault while keeping the lock does not end receiving, and the guard does not report the fault', async () => {
  const { guard, commits, played, notices, failures } = scene()
  let asked = 0
  played.keepClaim = () => {
    asked++
    return Promise.reject(new TypeError('a fault of the test'))
  }
  guard.watch(commits)
  await pass(3000)
  expect([asked, failures, notices]).toEqual([3, [], []])
  guard.stop()
})

test('after the files were found changed, the guard checks neither the files nor the lock again', async () => {
  const { guard, commits, played, notices, looks } = scene()
  let kept = 0
  played.keepClaim = async () => void kept++
  played.look = () => {
    throw new BnplError('output', 'inbox.db was removed')
  }
  guard.watch(commits)
  await pass(5000)
  expect([looks(), kept, notices]).toEqual([1, 0, []])
})

test('the content of a removed file is saved, and a notice names the saved file and the commands to restore', async () => {
  const { guard, commits, notices, looks } = scene()
  guard.watch(commits)
  guard.lost('inbox.db was removed')
  await pass(5000)
  expect(looks()).toBe(0)
  expect(notices).toEqual([
    `inbox.db was removed while this receiver ran: NO DELIVERY IS ACKNOWLEDGED ANY MORE (503). All acknowledged events are saved in /state/saved.db. Stop the receiver, put this file back, and start the receiver again. To put it back, run: rm -f ${PATH}-wal ${PATH}-shm; mv /state/saved.db ${PATH}`,
  ])
})

test('if a damaged inbox cannot be saved, a notice gives the reason and the advice to restart the receiver', async () => {
  const { guard, played, notices } = scene()
  let tries = 0
  played.save = () => {
    tries++
    return Promise.reject(config('inbox.db is damaged', 'Move it away.', 'STATE_DAMAGED'))
  }
  guard.lost('inbox.db-wal was cut short')
  await pass(60_000)
  expect(tries).toBe(1)
  expect(notices).toEqual([
    'inbox.db-wal was cut short while this receiver ran: NO DELIVERY IS ACKNOWLEDGED ANY MORE (503). The acknowledged events could not be saved: inbox.db is damaged. Stop the receiver and start it again.',
  ])
})

test.each([
  ['there is no room', new BnplError('output', 'no room is left')],
  ['bnpl itself has a fault', new TypeError('no room is left')],
])(
  'while %s, saving is retried, and a notice says that only the running receiver still has the events',
  async (_, fault) => {
    const { guard, played, notices } = scene()
    played.save = () => Promise.reject(fault)
    guard.lost('inbox.db was removed')
    await pass(35_000)
    expect(notices).toEqual([
      `inbox.db was removed while this receiver ran: NO DELIVERY IS ACKNOWLEDGED ANY MORE (503). The acknowledged events could not be saved: ${tellable(fault)}. Do not stop this receiver, because only its open files still contain these events. It tries again every 10 s, and reports when the events are saved.`,
    ])
    played.save = async () => '/state/saved.db'
    await pass(10_000)
    expect(notices[1]).toBe(
      `All acknowledged events are now saved in /state/saved.db. Stop the receiver, put this file back, and start the receiver again. To put it back, run: rm -f ${PATH}-wal ${PATH}-shm; mv /state/saved.db ${PATH}`,
    )
    await pass(60_000)
    expect(notices).toHaveLength(2)
  },
)

test('the timer of the guard does not keep the process running', () => {
  const { guard, commits } = scene()
  vi.useRealTimers()
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length
  const before = timers()
  guard.watch(commits)
  expect(timers()).toBe(before)
  guard.stop()
})
