import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { realClock } from '../../test/kit/harness.ts'
import { lastingPort } from '../../test/kit/lasting-port.ts'
import { arrival } from '../../test/receiver/inbox-kit.ts'
import { deliver, ON_LOOPBACK } from '../../test/receiver/listener.ts'
import { BnplError } from '../errors.ts'
import type { Happening } from './delivery.ts'
import { openInbox } from './file/inbox.ts'
import { FORWARD_PAUSES } from './forwarding/forwarder.ts'
import type { Batch, Inbox, News } from './inbox.ts'
import { type ReceiverOptions, startReceiver } from './receiver.ts'

interface Given {
  /** Replaces functions of the inbox, which is a file. */
  inbox?: (inbox: Inbox) => Partial<Inbox>
  options?: Partial<ReceiverOptions>
}

/** A real receiver with an inbox in a file, everything that it stores and reports, and a function that tells it news of other receivers. */
async function start({ inbox: change, options }: Given = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-receiver-'))
  const inbox = await openInbox(dir)
  onTestFinished(async () => {
    await inbox.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const happenings: Happening[] = []
  const faults: unknown[] = []
  const written: (string | null)[] = []
  const stored: Batch[] = []
  let listener: (news: News) => void = () => {}
  const receiver = await startReceiver({
    ...ON_LOOPBACK,
    async emit(events) {
      written.push(...events.map(({ eventId }) => eventId))
      return { taken: events.length, more: true }
    },
    observe: (happening) => happenings.push(happening),
    onError: (error) => faults.push(error),
    ...options,
    inbox: {
      ...inbox,
      async commit(batch, begun) {
        stored.push(batch)
        return inbox.commit(batch, begun)
      },
      watch: (given) => {
        listener = given
      },
      ...change?.(inbox),
    },
  })
  onTestFinished(() => receiver.close(0).catch(() => {}))
  const url = `http://127.0.0.1:${receiver.port}/webhooks`
  return { receiver, url, happenings, faults, written, stored, tell: (news: News) => listener(news) }
}

/** An event of another receiver. */
const THEIRS = arrival('theirs', { forward: true })

/** A handler that answers when the test says so, and the signal of each request to it. */
function handler() {
  const gate = Promise.withResolvers<void>()
  const sent: string[] = []
  let cuts = 0
  const forward: NonNullable<ReceiverOptions['forward']> = {
    target: {
      url: 'http://127.0.0.1:1/',
      clock: realClock,
      timeoutMs: 1000,
      userAgent: 'test',
      async transport({ headers, signal }) {
        sent.push(String(headers['bnpl-event-id']))
        const cut = new Promise<void>((resolve) =>
          signal?.addEventListener('abort', () => {
            cuts++
            resolve()
          }),
        )
        await Promise.race([gate.promise, cut])
        return { status: 200, headers: {}, body: new Uint8Array() }
      },
    },
    retry: { ...FORWARD_PAUSES, attempts: 8 },
    random: () => 0.5,
    onResult: () => {},
  }
  return { forward, sent, answer: gate.resolve, cuts: () => cuts }
}

test('an acknowledged event is written out and sent to the handler', async () => {
  const { forward, sent, answer } = handler()
  const { url, written } = await start({ options: { forward } })
  expect((await deliver({ url }, { eventId: 'e1' })).status).toBe(200)
  await expect.poll(() => [written, sent]).toEqual([['e1'], ['e1']])
  answer()
})

test('without a handler no event waits to be forwarded', async () => {
  const { url, stored } = await start()
  await deliver({ url })
  expect(stored[0]?.arrivals).toMatchObject([{ forward: false }])
})

test('an event that is stored while the receiver starts is forwarded', async () => {
  const { forward, sent, answer } = handler()
  answer()
  let asked = 0
  await start({
    inbox: (inbox) => ({
      async waitingDestinations() {
        if (asked++ > 0) return inbox.waitingDestinations()
        await inbox.commit({ arrivals: [THEIRS], forwards: [], emittedUpTo: undefined })
        return []
      },
    }),
    options: { forward },
  })
  await expect.poll(() => sent).toEqual(['theirs'])
})

test('a request that is refused by its head is reported with its status and its sender', async () => {
  const { url, happenings } = await start()
  expect((await deliver({ url }, { method: 'GET' })).status).toBe(405)
  expect(happenings).toEqual([{ what: 'refused', status: 405, from: '127.0.0.1' }])
})

/** The `Connection` header of the answer to a client that would keep the connection. */
const connectionOf = (url: string) =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: 'GET', headers: { connection: 'keep-alive' } }, (response) => {
      response.resume().on('end', () => resolve(response.headers.connection))
    })
    sent.on('error', reject).end()
  })

test.each([
  [1, 'close'],
  [2, 'keep-alive'],
  [undefined, 'keep-alive'],
])('with room for %s connections, the first request is answered with connection: %s', async (connectionLimit, said) => {
  const { url } = await start({ options: { connectionLimit } })
  expect(await connectionOf(url)).toBe(said)
})

test('a close lets the attempt under way end, stores its result, and frees the port', async () => {
  const { forward, sent, answer, cuts } = handler()
  const { receiver, url, stored } = await start({ options: { forward, port: await lastingPort() } })
  await deliver({ url }, { eventId: 'e1' })
  await expect.poll(() => sent).toEqual(['e1'])
  const closed = receiver.close(60_000)
  answer()
  await closed
  expect(stored.flatMap(({ forwards }) => forwards)).toMatchObject([{ seq: 1, state: 'delivered' }])
  expect(cuts()).toBe(0)
  expect(await deliver({ url })).toMatchObject({ status: 0 })
})

test.each<[string, (receiver: Awaited<ReturnType<typeof start>>['receiver']) => Promise<void>]>([
  ['its time is over', (receiver) => receiver.close(20)],
  ['its time is over, while it could still be hurried', (receiver) => receiver.close(20, new AbortController().signal)],
  ['it is hurried', (receiver) => receiver.close(60_000, AbortSignal.timeout(20))],
])('a close cuts the attempt under way when %s', async (_, close) => {
  const { forward, sent, cuts } = handler()
  const { receiver, url, stored } = await start({ options: { forward } })
  await deliver({ url }, { eventId: 'e1' })
  await expect.poll(() => sent).toEqual(['e1'])
  await close(receiver)
  expect(cuts()).toBe(1)
  expect(stored.flatMap(({ forwards }) => forwards)).toEqual([])
})

test.each([
  ['half a second, even without any time to drain', 0, 50],
  ['longer, if there is time left to drain', 60_000, 550],
])('a close waits for a reader that is slow: %s', async (_, drainMs, readerMs) => {
  const gate = Promise.withResolvers<void>()
  const { receiver, url, stored } = await start({
    options: {
      emit: async (events) => {
        await gate.promise
        return { taken: events.length, more: true }
      },
    },
  })
  await deliver({ url }, { eventId: 'e1' })
  const closed = receiver.close(drainMs)
  setTimeout(gate.resolve, readerMs)
  await closed
  expect(stored.at(-1)?.emittedUpTo).toBe(1)
})

test('the mark of emitted events is stored at once when the inbox is lost', async () => {
  const { url, stored, tell, written } = await start()
  await deliver({ url }, { eventId: 'e1' })
  await expect.poll(() => written).toEqual(['e1'])
  await new Promise(setImmediate)
  tell('lost')
  for (let i = 0; i < 5; i++) await new Promise(setImmediate)
  expect(stored.map(({ emittedUpTo }) => emittedUpTo)).toEqual([undefined, 1])
})

test('a failure to store at the end is thrown, and not reported as deliveries that are not stored', async () => {
  let full = false
  const { receiver, url, happenings } = await start({
    inbox: (inbox) => ({
      commit: (batch, begun) =>
        full ? Promise.reject(new BnplError('output', 'the disk is full')) : inbox.commit(batch, begun),
    }),
  })
  await deliver({ url }, { eventId: 'e1' })
  full = true
  await expect(receiver.close(0)).rejects.toThrow('the disk is full')
  expect(happenings.map(({ what }) => what)).toEqual(['recorded'])
})

test('a failure to read is reported as such, and does not say that deliveries are not stored', async () => {
  const { forward, sent, answer } = handler()
  answer()
  let refusals = 3
  const { url, happenings } = await start({
    inbox: (inbox) => ({
      async waiting(...of) {
        if (refusals-- > 0) throw new BnplError('network', 'no connection is left')
        return inbox.waiting(...of)
      },
    }),
    options: { forward, clock: { ...realClock, sleep: async () => {} } },
  })
  await deliver({ url }, { eventId: 'e1' })
  await expect.poll(() => sent).toEqual(['e1'])
  expect(happenings.map(({ what }) => what)).toEqual(['recorded', 'not-read', 'not-read', 'not-read'])
})

test('news of more events makes the receiver read them from the inbox, to write them out and to forward them', async () => {
  const { forward, sent, answer } = handler()
  answer()
  let own: Inbox | undefined
  const { url, written, tell } = await start({
    inbox: (inbox) => {
      own = inbox
      return {}
    },
    options: { forward },
  })
  // After this event, the reads that the start began are over.
  await deliver({ url }, { eventId: 'e1' })
  await expect.poll(() => [written, sent]).toEqual([['e1'], ['e1']])
  await own?.commit({ arrivals: [THEIRS], forwards: [], emittedUpTo: undefined })
  await new Promise(setImmediate)
  expect([written, sent]).toEqual([['e1'], ['e1']])
  tell('more')
  await expect
    .poll(() => [written, sent])
    .toEqual([
      ['e1', 'theirs'],
      ['e1', 'theirs'],
    ])
})

test('when the inbox is lost, events in memory are read again, and the mark of emitted events is stored', async () => {
  const gate = Promise.withResolvers<void>()
  let isTaken = false
  const asked: number[] = []
  const { url, stored, written, tell } = await start({
    inbox: (inbox) => ({
      emittable: async (place, limit) => {
        asked.push(place)
        // Another receiver took over the events that this receiver had not printed.
        return isTaken ? [] : inbox.emittable(place, limit)
      },
    }),
    options: {
      async emit(events) {
        written.push(...events.map(({ eventId }) => eventId))
        await gate.promise
        return { taken: events.length, more: true }
      },
    },
  })
  await deliver({ url }, { eventId: 'e1' })
  await expect.poll(() => written).toEqual(['e1'])
  await deliver({ url }, { eventId: 'e2' })
  isTaken = true
  tell('lost')
  gate.resolve()
  await expect.poll(() => asked.at(-1)).toBe(1)
  await expect.poll(() => stored.some(({ emittedUpTo }) => emittedUpTo === 1)).toBe(true)
  expect(written).toEqual(['e1'])
})

test('a receiver whose inbox cannot be read does not start, and listens no more', async () => {
  const failure = new BnplError('network', 'the database is away')
  const listening = () => process.getActiveResourcesInfo().filter((each) => each === 'TCPServerWrap').length
  const before = listening()
  const failing = start({
    inbox: () => ({ waitingDestinations: () => Promise.reject(failure) }),
    options: { forward: handler().forward },
  })
  await expect(failing).rejects.toBe(failure)
  await expect.poll(listening).toBeLessThanOrEqual(before)
})
