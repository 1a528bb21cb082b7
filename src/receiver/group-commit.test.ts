import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGroupCommit } from './group-commit.ts'
import type { Arrival, Batch, ForwardResult, Recorded } from './inbox.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const result: ForwardResult = {
  seq: 1,
  receivedAt: 0,
  state: 'delivered',
  attempts: 1,
  status: 200,
  error: null,
  ms: 3,
  at: 1000,
}

const failing = (times: number) => {
  const stored: Batch[] = []
  let left = times
  const inbox = {
    async commit(batch: Batch) {
      if (left-- > 0) throw new Error('busy')
      stored.push(batch)
      return []
    },
  }
  return { stored, commit: createGroupCommit(inbox, () => {}) }
}

test('a forward result that could not be stored is stored later, even if no delivery arrives', async () => {
  const { stored, commit } = failing(2)
  commit.forwarded(result)
  commit.emitted(7)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(stored).toMatchObject([{ forwards: [result], emittedUpTo: 7 }])
})

test('a failed write is not tried again after the close', async () => {
  const { stored, commit } = failing(1)
  commit.forwarded(result)
  await expect(commit.close()).rejects.toThrow('busy')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(stored).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

const arrival = (eventId: string): Arrival => ({
  destination: '/webhooks',
  scheme: 'hmac',
  eventId,
  event: 'loan_approved',
  odd: null,
  body: Buffer.from('{}'),
  contentType: null,
  signature: null,
  receivedAt: 1000,
  forward: false,
})

test('a stored batch is answered when the next batch is being written, or at once if there is no next batch', async () => {
  const told: string[] = []
  const commits: { begun: () => void; stored: () => void }[] = []
  const inbox = {
    commit: ({ arrivals }: Batch, begun = () => {}) =>
      new Promise<Recorded[]>((resolve) => {
        const records = arrivals.map((_, i): Recorded => ({ fate: 'new', seq: i + 1 }))
        commits.push({ begun, stored: () => resolve(records) })
      }),
  }
  const commit = createGroupCommit(inbox, () => {})
  const submit = (id: string) => commit.submit(arrival(id), (_, recorded) => told.push(`${id} ${recorded?.fate}`))
  const step = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
  submit('a')
  await step()
  submit('b')
  await step()
  expect([commits.length, told]).toEqual([1, []])
  commits[0]?.stored()
  await vi.advanceTimersByTimeAsync(0)
  expect([commits.length, told]).toEqual([2, ['a new']])
  submit('c')
  commits[1]?.stored()
  // The answer waits until the next batch is being written, which takes microseconds.
  for (let i = 0; i < 10; i++) await undefined
  expect([commits.length, told]).toEqual([3, ['a new']])
  commits[2]?.begun()
  expect(told).toEqual(['a new', 'b new'])
  commits[2]?.stored()
  for (let i = 0; i < 10; i++) await undefined
  expect(told).toEqual(['a new', 'b new', 'c new'])
})

test('a delivery that arrives while a forward result waits to be stored is answered', async () => {
  const told: unknown[] = []
  const { stored, commit } = failing(0)
  commit.forwarded(result)
  vi.advanceTimersByTime(99)
  commit.submit(arrival('a'), () => told.push('a'))
  vi.advanceTimersByTime(1)
  await vi.advanceTimersByTimeAsync(10)
  expect(stored.flatMap(({ arrivals }) => arrivals)).toHaveLength(1)
  expect(told).toEqual(['a'])
})

test('after a failed write, the next batch stores the newest mark of emitted events without a wait', async () => {
  const asked: Batch[] = []
  let lost = false
  const inbox = {
    async commit(batch: Batch) {
      asked.push(batch)
      if (lost) throw new Error('the database is away')
      return []
    },
  }
  const commit = createGroupCommit(inbox, () => {})
  commit.submit(arrival('a'), () => commit.emitted(1))
  await vi.advanceTimersByTimeAsync(0)
  commit.submit(arrival('b'), () => commit.emitted(2))
  await vi.advanceTimersByTimeAsync(0)
  lost = true
  commit.submit(arrival('c'), () => {})
  await expect(commit.flush()).rejects.toThrow('away')
  // The mark that was set in the meantime is stored with the next batch, without a wait.
  commit.emitted(3)
  commit.submit(arrival('d'), () => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(asked.map(({ emittedUpTo }) => emittedUpTo)).toEqual([undefined, 1, 2, 3])
})

test('a failed batch of deliveries is answered with the error and not tried again', async () => {
  let asked = 0
  const failures: unknown[] = []
  const error = new Error('no room')
  const commit = createGroupCommit(
    {
      commit: () => {
        asked++
        return Promise.reject(error)
      },
    },
    (each) => failures.push(each),
  )
  const told: unknown[][] = []
  for (const id of ['a', 'b']) commit.submit(arrival(id), (...outcome) => told.push(outcome))
  await vi.advanceTimersByTimeAsync(10_000)
  expect([asked, failures, told]).toEqual([
    1,
    [error],
    [
      [error, undefined],
      [error, undefined],
    ],
  ])
  await commit.close()
})

test('a failed forward result is tried again after a second, and a new result is stored with the next delivery', async () => {
  const { stored, commit } = failing(1)
  commit.forwarded(result)
  await vi.advanceTimersByTimeAsync(100)
  expect(stored).toEqual([])
  await vi.advanceTimersByTimeAsync(999)
  expect(stored).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(stored).toMatchObject([{ forwards: [result] }])
  commit.forwarded({ ...result, seq: 2 })
  commit.submit(arrival('a'), () => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(stored.at(-1)).toMatchObject({ arrivals: [{ eventId: 'a' }], forwards: [{ seq: 2 }] })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(stored).toHaveLength(2)
})

test('during continuous writes, the mark of emitted events is stored at most every 10 ms', async () => {
  const { stored, commit } = failing(0)
  const step = async (place: number, ms: number) => {
    commit.emitted(place)
    commit.submit(arrival(`e${place}`), () => {})
    await vi.advanceTimersByTimeAsync(ms)
  }
  await step(1, 9)
  await step(2, 1)
  await step(4, 5)
  await step(3, 0)
  expect(stored.map(({ emittedUpTo }) => emittedUpTo)).toEqual([1, undefined, 4, undefined])
  // The last mark is stored without a batch of deliveries.
  await vi.advanceTimersByTimeAsync(100)
  expect(stored.at(-1)).toEqual({ arrivals: [], forwards: [], emittedUpTo: 3 })
  await commit.close()
})

test('a flush stores everything given before the flush, and writes nothing if there is nothing to store', async () => {
  const { stored, commit } = failing(0)
  await commit.flush()
  expect(stored).toEqual([])
  const told: string[] = []
  commit.submit(arrival('a'), () => told.push('a'))
  commit.emitted(5)
  await commit.flush()
  expect(stored).toMatchObject([{ arrivals: [{ eventId: 'a' }], emittedUpTo: 5 }])
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual(['a'])
  await commit.close()
  expect(stored).toHaveLength(1)
})

/** An inbox whose writes end when the test says so. It never reports when a write has begun. */
function byHand() {
  const batches: Batch[] = []
  const ends: PromiseWithResolvers<Recorded[]>[] = []
  const commit = createGroupCommit(
    {
      commit(batch) {
        batches.push(batch)
        const end = Promise.withResolvers<Recorded[]>()
        ends.push(end)
        return end.promise
      },
    },
    () => {},
  )
  const told: string[] = []
  const submit = (id: string) => commit.submit(arrival(id), (error) => told.push(error ? `${id} failed` : id))
  const store = (i: number) => ends[i]?.resolve([{ fate: 'new', seq: i + 1 }])
  const microtasks = async () => {
    for (let i = 0; i < 20; i++) await undefined
  }
  return { commit, batches, ends, told, submit, store, microtasks }
}

test.each(['stored', 'refused'] as const)(
  'a batch is answered before the next batch, even if the next batch is %s at once',
  async (end) => {
    const { ends, told, submit, store, microtasks } = byHand()
    submit('a')
    await vi.advanceTimersByTimeAsync(0)
    submit('b')
    store(0)
    await microtasks()
    expect([ends.length, told]).toEqual([2, []])
    if (end === 'stored') store(1)
    else ends[1]?.reject(new Error('no room'))
    await microtasks()
    expect(told).toEqual(['a', end === 'stored' ? 'b' : 'b failed'])
  },
)

test('a flush waits for the batch that is being written, and writes the next one after it', async () => {
  const { commit, batches, told, submit, store } = byHand()
  submit('a')
  await vi.advanceTimersByTimeAsync(0)
  commit.forwarded(result)
  let isFlushed = false
  const flushed = commit.flush().then(() => {
    isFlushed = true
  })
  await vi.advanceTimersByTimeAsync(0)
  expect([batches.length, isFlushed]).toEqual([1, false])
  store(0)
  await vi.advanceTimersByTimeAsync(0)
  expect([batches.length, isFlushed, told]).toEqual([2, false, ['a']])
  store(1)
  await flushed
  expect(batches[1]).toMatchObject({ arrivals: [], forwards: [result] })
})

test('a forward result is stored by itself after 100 ms, even if an earlier result was stored with a delivery', async () => {
  const { stored, commit } = failing(0)
  commit.forwarded(result)
  commit.submit(arrival('a'), () => {})
  await vi.advanceTimersByTimeAsync(50)
  commit.forwarded({ ...result, seq: 2 })
  await vi.advanceTimersByTimeAsync(99)
  expect(stored).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(stored.map(({ forwards }) => forwards.map(({ seq }) => seq))).toEqual([[1], [2]])
})

test('the farthest mark of emitted events is stored with the next batch if earlier batches had no mark', async () => {
  const { stored, commit } = failing(0)
  commit.submit(arrival('a'), () => {})
  await vi.advanceTimersByTimeAsync(5)
  commit.emitted(5)
  commit.emitted(3)
  commit.submit(arrival('b'), () => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(stored.map(({ emittedUpTo }) => emittedUpTo)).toEqual([undefined, 5])
})

test('results of a failed batch are stored with the next delivery, before newer results and with the newest mark', async () => {
  const { stored, commit } = failing(2)
  const given = async (seq: number, place?: number) => {
    commit.forwarded({ ...result, seq })
    if (place !== undefined) commit.emitted(place)
    commit.submit(arrival(`e${seq}`), () => {})
    await vi.advanceTimersByTimeAsync(0)
  }
  await given(1, 7)
  await given(2, 9)
  await given(3)
  expect(stored).toMatchObject([{ forwards: [{ seq: 1 }, { seq: 2 }, { seq: 3 }], emittedUpTo: 9 }])
  await commit.close()
})

test('a flush also stores a mark of emitted events that is set during the flush', async () => {
  const marks: (number | undefined)[] = []
  const commit = createGroupCommit(
    {
      async commit({ emittedUpTo }) {
        if (marks.push(emittedUpTo) === 1) commit.emitted(2)
        return []
      },
    },
    () => {},
  )
  commit.emitted(1)
  await commit.flush()
  expect(marks).toEqual([1, 2])
})
