import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGroupCommit } from './group-commit.ts'
import type { Batch, ForwardResult } from './inbox.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const result: ForwardResult = { seq: 1, state: 'delivered', attempts: 1, status: 200, error: null, ms: 3, at: 1000 }

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

test('what became of an event is stored later when it could not be at once, also where nothing more arrives', async () => {
  const { stored, commit } = failing(2)
  commit.forwarded(result)
  commit.emitted(7)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(stored).toMatchObject([{ forwards: [result], emittedUpTo: 7 }])
})

test('after its end nothing is tried again', async () => {
  const { stored, commit } = failing(1)
  commit.forwarded(result)
  await expect(commit.close()).rejects.toThrow('busy')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(stored).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})
