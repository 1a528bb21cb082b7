import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { boundYoungMemory, compileForRows } from './engine.ts'

/** Replaces V8's statistics, because a real V8 would need minutes of work to use so much memory. */
const v8 = vi.hoisted(() => ({ young: 0, flags: [] as string[] }))
vi.mock('node:v8', () => ({
  getHeapSpaceStatistics: () => [
    { space_name: 'old_space', space_size: 2 ** 30 },
    { space_name: 'new_space', space_size: v8.young },
  ],
  setFlagsFromString: (flag: string) => v8.flags.push(flag),
}))

const LIMIT = 16 * 1024 * 1024

beforeEach(() => {
  vi.useFakeTimers()
  v8.young = 0
  v8.flags = []
})
afterEach(() => vi.useRealTimers())

test('the memory for short-lived objects stops growing at 16 MiB, and its size is no longer checked afterwards', () => {
  const end = boundYoungMemory()
  v8.young = LIMIT - 1
  vi.advanceTimersByTime(1000)
  expect([v8.flags, vi.getTimerCount()]).toEqual([[], 1])
  v8.young = LIMIT
  vi.advanceTimersByTime(49)
  expect(v8.flags).toEqual([])
  vi.advanceTimersByTime(1)
  expect([v8.flags, vi.getTimerCount()]).toEqual([['--semi-space-growth-factor=1'], 0])
  end()
})

test('a sandbox keeps the memory that it has at its start, and does not check it', () => {
  v8.young = LIMIT / 4
  boundYoungMemory(0)
  expect([v8.flags, vi.getTimerCount()]).toEqual([['--semi-space-growth-factor=1'], 0])
})

test('the end of the run ends the check of the memory', () => {
  const end = boundYoungMemory()
  end()
  v8.young = LIMIT
  vi.advanceTimersByTime(1000)
  expect([v8.flags, vi.getTimerCount()]).toEqual([[], 0])
})

test('a run over few rows does without the second compiler of V8, a longer one does not', () => {
  compileForRows(10_001)
  expect(v8.flags).toEqual([])
  compileForRows(10_000)
  expect(v8.flags).toEqual(['--no-opt'])
})
