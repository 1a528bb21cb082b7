import { expect, test } from 'vitest'
import { fakeClock } from '../../../test/kit/harness.ts'
import { BnplError } from '../../errors.ts'
import type { Inbox, StoredEvent } from '../inbox.ts'
import { CHUNK, FORWARD_PAUSES, type ForwarderOptions, startForwarder } from './forwarder.ts'

const event = (seq: number, destination = '/webhooks', attempts = 0): StoredEvent => ({
  seq,
  place: seq,
  fate: 'new',
  variantOf: null,
  confirmation: null,
  destination,
  scheme: 'hmac',
  eventId: `e${seq}`,
  event: 'loan_approved',
  odd: null,
  body: Buffer.from('{}'),
  contentType: null,
  signature: null,
  receivedAt: 0,
  forwarding: { state: 'waiting', attempts, status: null, error: null, answer: null, ms: null },
})

/** An inbox in memory, and a handler that answers when the test says so. */
function scene(events: StoredEvent[] = [], more: Partial<ForwarderOptions['inbox']> = {}) {
  const clock = fakeClock()
  const log: string[] = []
  const failures: unknown[] = []
  const answers = new Map<string, PromiseWithResolvers<number>>()
  const answerOf = (id: string) => {
    const found = answers.get(id) ?? Promise.withResolvers<number>()
    answers.set(id, found)
    return found
  }
  const inbox: ForwarderOptions['inbox'] = {
    shared: false,
    take: async () => true,
    release: async (destination) => void log.push(`release ${destination}`),
    holds: () => true,
    waitingDestinations: async () => [...new Set(events.map(({ destination }) => destination))],
    find: async ({ seq }) => events.filter((each) => each.seq === seq),
    waiting: async (destination, after, limit) =>
      events.filter((each) => each.destination === destination && each.seq > after).slice(0, limit),
    ...more,
  }
  const options: ForwarderOptions = {
    inbox,
    commit: {
      forwarded: ({ seq, state, attempts }) => void log.push(`${seq} ${state} ${attempts}`),
      flush: async () => void log.push('flush'),
    },
    target: {
      url: 'http://127.0.0.1:1/hook',
      clock,
      timeoutMs: 1000,
      userAgent: 'test',
      async transport({ headers, signal }) {
        const id = String(headers['bnpl-event-id'])
        log.push(`send ${id}`)
        const cut = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
        const status = await Promise.race([answerOf(id).promise, cut]).catch(() => 500)
        answers.delete(id)
        return { status, headers: {}, body: new Uint8Array() }
      },
    },
    retry: { ...FORWARD_PAUSES, attempts: 8 },
    random: () => 0.5,
    onResult: (_, { seq, state }, next) => void log.push(`result ${seq} ${state} ${next?.waitMs}`),
    onFailure: (error) => void failures.push(error),
  }
  const saw = (entry: string) => expect.poll(() => log).toContain(entry)
  return {
    options,
    log,
    failures,
    clock,
    events,
    answer: (id: string, status = 200) => answerOf(id).resolve(status),
    saw,
    sends: () => log.filter((each) => each.startsWith('send')),
  }
}

const never = () => new AbortController().signal

test('one event after the other is sent, each after the answer to the one before', async () => {
  const s = scene([event(1), event(2)])
  const forwarder = await startForwarder(s.options)
  await s.saw('send e1')
  expect(s.log).toEqual(['send e1'])
  s.answer('e1')
  await s.saw('send e2')
  s.answer('e2')
  await s.saw('2 delivered 1')
  await forwarder.stop(never())
  expect(s.log).toEqual([
    'send e1',
    '1 delivered 1',
    'result 1 delivered undefined',
    'send e2',
    '2 delivered 1',
    'result 2 delivered undefined',
  ])
})

test('destinations do not delay each other, and no event is sent twice', async () => {
  const s = scene([event(1, '/a'), event(2, '/b'), event(3, '/b')])
  const forwarder = await startForwarder(s.options)
  await s.saw('send e2')
  s.answer('e2')
  await s.saw('send e3')
  s.answer('e3')
  await s.saw('3 delivered 1')
  forwarder.wake('/b')
  forwarder.look()
  s.answer('e1')
  await s.saw('1 delivered 1')
  await forwarder.stop(never())
  expect(s.sends().sort()).toEqual(['send e1', 'send e2', 'send e3'])
})

test('an event that was stored while another is sent is sent after it', async () => {
  const s = scene([event(1)])
  const forwarder = await startForwarder(s.options)
  await s.saw('send e1')
  s.events.push(event(2))
  forwarder.wake('/webhooks')
  s.answer('e1')
  await s.saw('send e2')
  s.answer('e2')
  await s.saw('2 delivered 1')
  s.events.push(event(3, '/other'))
  forwarder.look()
  await s.saw('send e3')
  s.answer('e3')
  await forwarder.stop(never())
  expect(s.log).toContain('3 delivered 1')
})

test('attempts of an earlier run count, and an event is set aside after the last one', async () => {
  const s = scene([event(1, '/webhooks', 7)])
  const forwarder = await startForwarder(s.options)
  s.answer('e1', 500)
  await s.saw('1 dead 8')
  expect(s.log).toContain('result 1 dead undefined')
  await forwarder.stop(never())
})

test('the wait after a refusal doubles with each attempt, up to the longest wait', async () => {
  const s = scene([event(1)])
  s.options.retry = { attempts: 10, baseMs: 500, capMs: 30_000 }
  const { transport: _, ...rest } = s.options.target
  s.options.target = { ...rest, transport: async () => ({ status: 500, headers: {}, body: new Uint8Array() }) }
  const forwarder = await startForwarder(s.options)
  await s.saw('1 dead 10')
  expect(s.clock.slept).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  await forwarder.stop(never())
})

test.each([
  [0, 400],
  [0.999, 600],
])(
  'each wait varies at random by up to a fifth, so that receivers do not all try at once (%d)',
  async (random, waitMs) => {
    const s = scene([event(1)])
    s.options.random = () => random
    s.options.retry = { attempts: 2, baseMs: 500, capMs: 30_000 }
    const { transport: _, ...rest } = s.options.target
    s.options.target = { ...rest, transport: async () => ({ status: 500, headers: {}, body: new Uint8Array() }) }
    const forwarder = await startForwarder(s.options)
    await s.saw('1 dead 2')
    expect(s.clock.slept).toEqual([waitMs])
    await forwarder.stop(never())
  },
)

test('a stop lets the attempt under way end, and sends nothing more', async () => {
  const s = scene([event(1), event(2)])
  const forwarder = await startForwarder(s.options)
  await s.saw('send e1')
  let isStopped = false
  const stopped = forwarder.stop(never()).then(() => {
    isStopped = true
  })
  await new Promise(setImmediate)
  expect(isStopped).toBe(false)
  s.answer('e1')
  await stopped
  forwarder.wake('/webhooks')
  forwarder.look()
  await new Promise(setImmediate)
  expect(s.log).toEqual(['send e1', '1 delivered 1', 'result 1 delivered undefined'])
})

test.each([
  ['at once', (cut: AbortController) => cut.abort(), undefined],
  ['later', undefined, (cut: AbortController) => cut.abort()],
])('a stop that is aborted %s ends the attempt under way without a result', async (_, before, after) => {
  const s = scene([event(1), event(2)])
  const forwarder = await startForwarder(s.options)
  await s.saw('send e1')
  const cut = new AbortController()
  before?.(cut)
  const stopped = forwarder.stop(cut.signal)
  after?.(cut)
  await stopped
  expect(s.log).toEqual(['send e1'])
})

test('a stop ends the wait for the next attempt', async () => {
  const s = scene([event(1)])
  s.options.target.clock = {
    ...s.clock,
    sleep: (_, signal) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  }
  const forwarder = await startForwarder(s.options)
  s.answer('e1', 500)
  await s.saw('1 retrying 1')
  await forwarder.stop(never())
  expect(s.log).toEqual(['send e1', '1 retrying 1', 'result 1 retrying 500'])
})

test('a forwarder sends nothing for a destination while another receiver holds that destination', async () => {
  let mine = false
  const s = scene([event(1)], { shared: true, take: async () => mine })
  const forwarder = await startForwarder(s.options)
  await new Promise(setImmediate)
  expect(s.log).toEqual([])
  mine = true
  forwarder.look()
  await s.saw('send e1')
  // The result is stored first, because only the database knows which events are left.
  expect(s.log).toEqual(['flush', 'send e1'])
  s.answer('e1')
  await forwarder.stop(never())
})

test('a destination that was lost is not forwarded for any more', async () => {
  let mine = true
  const s = scene([event(1), event(2)], { shared: true, holds: () => mine })
  const forwarder = await startForwarder(s.options)
  await s.saw('send e1')
  mine = false
  s.answer('e1')
  await s.saw('1 delivered 1')
  await new Promise(setImmediate)
  await forwarder.stop(never())
  expect(s.log).not.toContain('send e2')
})

test('events are sent in order after their destination was lost and taken again', async () => {
  const answers = [false, true]
  const s = scene([event(1), event(2)], { shared: true, holds: () => answers.shift() ?? true })
  const forwarder = await startForwarder(s.options)
  await new Promise(setImmediate)
  expect(s.log).toEqual(['flush'])
  forwarder.wake('/webhooks')
  await s.saw('send e1')
  s.answer('e1')
  await s.saw('send e2')
  s.answer('e2')
  await s.saw('2 delivered 1')
  await forwarder.stop(never())
  expect(s.sends()).toEqual(['send e1', 'send e2'])
})

test('with its own inbox, a forwarder waits for a handler that is away and keeps the destination', async () => {
  const s = scene([event(1)])
  let sent = 0
  const { transport: _, ...rest } = s.options.target
  s.options.target = {
    ...rest,
    transport: async () => ({ status: sent++ < 6 ? 503 : 200, headers: {}, body: new Uint8Array() }),
  }
  const forwarder = await startForwarder(s.options)
  await s.saw('1 delivered 1')
  expect(s.clock.slept).toEqual([500, 1000, 2000, 3000, 3000, 3000])
  expect(s.log.filter((each) => each.startsWith('release'))).toEqual([])
  await forwarder.stop(never())
})

test('with a shared inbox, a forwarder releases a destination for a second after three attempts at an away handler', async () => {
  const s = scene([event(1)], { shared: true })
  let sent = 0
  const { transport: _, ...rest } = s.options.target
  s.options.target = {
    ...rest,
    transport: async () => ({ status: sent++ < 3 ? 503 : 200, headers: {}, body: new Uint8Array() }),
  }
  const forwarder = await startForwarder(s.options)
  await s.saw('1 delivered 1')
  expect(s.log.filter((each) => each !== 'flush')).toEqual([
    '1 retrying 0',
    'result 1 retrying 500',
    '1 retrying 0',
    'result 1 retrying 1000',
    '1 retrying 0',
    'result 1 retrying 1000',
    'release /webhooks',
    '1 delivered 1',
    'result 1 delivered undefined',
  ])
  expect(s.clock.slept).toEqual([500, 1000, 1000])
  await forwarder.stop(never())
})

test('a failure is reported, and the work is tried again after a second', async () => {
  const failure = new BnplError('output', 'no room')
  let fails = true
  const s = scene([event(1)])
  s.options.inbox.take = async () => {
    if (fails) throw failure
    return true
  }
  const forwarder = await startForwarder({
    ...s.options,
    onFailure: (error) => {
      s.failures.push(error)
      fails = false
    },
  })
  await s.saw('send e1')
  expect([s.failures, s.clock.slept]).toEqual([[failure], [1000]])
  s.answer('e1')
  await forwarder.stop(never())
})

test('a failed look for destinations is reported if the error is a fault, but not if the inbox is away', async () => {
  const s = scene()
  let error: unknown
  s.options.inbox.waitingDestinations = async () => {
    if (error !== undefined) throw error
    return []
  }
  const forwarder = await startForwarder(s.options)
  error = new BnplError('network', 'away')
  forwarder.look()
  await new Promise(setImmediate)
  expect(s.failures).toEqual([])
  error = new TypeError('a fault of the test')
  forwarder.look()
  await expect.poll(() => s.failures).toEqual([error])
  await forwarder.stop(never())
})

test('an inbox that is closed after the stop is not looked into, and a look of before that fails then is not reported', async () => {
  const s = scene()
  const looks: PromiseWithResolvers<string[]>[] = []
  const forwarder = await startForwarder(s.options)
  s.options.inbox.waitingDestinations = () => {
    const look = Promise.withResolvers<string[]>()
    looks.push(look)
    return look.promise
  }
  forwarder.look()
  await forwarder.stop(never())
  forwarder.look()
  looks[0]?.reject(new Error('the inbox is closed'))
  await new Promise(setImmediate)
  expect([looks.length, s.failures]).toEqual([1, []])
})

test('a forwarder does not start if its inbox cannot be read', async () => {
  const s = scene([], { waitingDestinations: () => Promise.reject(new BnplError('network', 'away')) })
  await expect(startForwarder(s.options)).rejects.toThrow('away')
})

test('after a full chunk of events, the results are stored before more events are read', async () => {
  const s = scene(Array.from({ length: CHUNK + 1 }, (_, i) => event(i + 1)) as Awaited<ReturnType<Inbox['waiting']>>)
  const { transport: _, ...rest } = s.options.target
  s.options.target = { ...rest, transport: async () => ({ status: 200, headers: {}, body: new Uint8Array() }) }
  const forwarder = await startForwarder(s.options)
  await s.saw(`${CHUNK + 1} delivered 1`)
  await forwarder.stop(never())
  expect(s.log.filter((each) => each === 'flush')).toHaveLength(1)
  expect(s.log.indexOf('flush')).toBe(s.log.indexOf(`result ${CHUNK} delivered undefined`) + 1)
})

/** Changes the state of an event in the inbox of a scene, as `events replay` in another process does. */
function finish({ events }: Pick<ReturnType<typeof scene>, 'events'>, seq: number, state: 'delivered' | 'dead'): void {
  for (const [i, each] of events.entries())
    if (each.seq === seq && each.forwarding) events[i] = { ...each, forwarding: { ...each.forwarding, state } }
}

/** An inbox that returns only the events that still wait, as the real ones do. */
function sceneOfWaiting(...seqs: number[]) {
  const s = scene(seqs.map((seq) => event(seq)))
  s.options.inbox.waiting = async (_, after, limit) => {
    const waits = s.events.filter(({ seq, forwarding }) => seq > after && forwarding?.state === 'waiting')
    return waits.slice(0, limit)
  }
  return s
}

test.each(['delivered', 'dead', 'pruned'] as const)(
  'an event that another process finished (%s) during the wait is not sent again, and the next event is sent',
  async (how) => {
    const s = sceneOfWaiting(1, 2)
    const { sleep } = s.clock
    s.clock.sleep = async (...args) => {
      if (how === 'pruned') s.events.shift()
      else finish(s, 1, how)
      await sleep(...args)
    }
    const forwarder = await startForwarder(s.options)
    s.answer('e1', 500)
    await s.saw('send e2')
    s.answer('e2')
    await s.saw('2 delivered 1')
    await forwarder.stop(never())
    expect(s.sends()).toEqual(['send e1', 'send e2'])
  },
)

test('events that were read long ago are read again, so that those delivered by another process are not sent', async () => {
  const s = sceneOfWaiting(1, 2, 3, 4)
  const forwarder = await startForwarder(s.options)
  await s.saw('send e1')
  // The handler is slow, and meanwhile another process delivers an event that this forwarder has already read.
  s.clock.advance(1000)
  finish(s, 2, 'delivered')
  s.answer('e1')
  await s.saw('send e3')
  s.answer('e3')
  await s.saw('send e4')
  s.answer('e4')
  await s.saw('4 delivered 1')
  await forwarder.stop(never())
  expect(s.sends()).toEqual(['send e1', 'send e3', 'send e4'])
  expect(s.log.indexOf('flush')).toBe(s.log.indexOf('result 1 delivered undefined') + 1)
})

test('an event is sent again if the inbox cannot say whether it still waits', async () => {
  const s = scene([event(1)])
  s.options.inbox.find = () => Promise.reject(new BnplError('network', 'away'))
  const forwarder = await startForwarder(s.options)
  s.answer('e1', 500)
  await s.saw('1 retrying 1')
  s.answer('e1')
  await s.saw('1 delivered 2')
  await forwarder.stop(never())
  expect(s.failures).toEqual([])
})
