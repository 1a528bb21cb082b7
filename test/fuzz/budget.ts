import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'vitest'
import { EXIT_CODES } from '../../src/errors.ts'
import type { Ran } from '../kit/harness.ts'
import { TEST_MS } from '../kit/limits.ts'
import { FUZZING } from '../kit/seed.ts'

/** Whether this is `npm run fuzz`, which tries each property many times. `npm test` spends seconds on it. */
const LARGE = FUZZING

/** The most milliseconds that a run may work when the budget is large. Work of other processes on the same machine does not count. */
const MAX_MS = 2_000

/** The most bytes that a run may add to the memory of this thread before a garbage collection. */
const MAX_BYTES = 200 * 1024 * 1024

const workedMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const heldBytes = (): number => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Returns how often a property is tried; `npm run fuzz` prints the number when the property begins. */
export function budget(name: string, everyday: number, large: number): { numRuns: number } {
  if (LARGE) process.stderr.write(`${name}: ${large} tries\n`)
  return { numRuns: LARGE ? large : everyday }
}

/** The time-out of a property, in milliseconds. */
export const TIMEOUT = LARGE ? 3_600_000 : TEST_MS

const CODES: ReadonlySet<number> = new Set([0, ...Object.values(EXIT_CODES).filter((code) => code !== EXIT_CODES.bug)])

/**
 * Runs a command, and checks what must be true for every input: a documented exit code other than 1, no stack, no character that a terminal
 * would obey, and a limit of time and memory.
 */
export async function endsWell(run: () => Promise<Ran>): Promise<Ran> {
  // Weakly held memory is freed only when the event loop turns. Thousands of runs that wait for nothing would never let it turn.
  await turn()
  const started = workedMs()
  const held = heldBytes()
  const ran = await run()
  expect(heldBytes() - held).toBeLessThan(MAX_BYTES)
  if (LARGE) expect(workedMs() - started).toBeLessThan(MAX_MS)
  expect([ran.code, CODES.has(ran.code)], ran.stderr).toEqual([ran.code, true])
  expect(ran.stderr).not.toMatch(/\n\s+at /)
  expect(ran.stdout + ran.stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
  return ran
}
