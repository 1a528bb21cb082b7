import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'vitest'
import { EXIT_CODES } from '../../src/errors.ts'
import type { Ran } from '../harness.ts'
import { FUZZING } from '../seed.ts'

/** `npm run fuzz` gives every property its large budget; `npm test` gives it seconds. */
const LARGE = FUZZING

/** The longest a run may work, where the budget is large. Its own work, and not what others do meanwhile on the same machine. */
const MAX_MS = 2_000

/** The most that a run may add to the memory of this thread before anything of it is collected, in bytes. */
const MAX_BYTES = 200 * 1024 * 1024

const workedMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const heldBytes = (): number => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** How often a property is tried; `npm run fuzz` says so when one begins. */
export function budget(name: string, everyday: number, large: number): { numRuns: number } {
  if (LARGE) process.stderr.write(`${name}: ${large} tries\n`)
  return { numRuns: LARGE ? large : everyday }
}

/** Time for the large budget. */
export const TIMEOUT = LARGE ? 3_600_000 : 60_000

const CODES: ReadonlySet<number> = new Set([0, ...Object.values(EXIT_CODES).filter((code) => code !== EXIT_CODES.bug)])

/** What holds for every run, whatever it was given: a documented code other than 1, no stack, nothing that a terminal would obey, and a bound of time and memory. */
export async function endsWell(run: () => Promise<Ran>): Promise<Ran> {
  // What is weakly held is kept until the event loop turns, which thousands of runs that wait for nothing would never let it do.
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
