import { spawnSync } from 'node:child_process'
import { TestRunner } from 'vitest'

const installed = new Map<string, boolean>()

/** Whether this machine has a program. It is called once, with an option that every program knows or refuses. */
export function hasProgram(program: string): boolean {
  const has = installed.get(program) ?? spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
  installed.set(program, has)
  return has
}

/** Ends the test that is running as skipped where this machine lacks a program; the end of the run names it. */
export function needsProgram(program: string): void {
  if (!hasProgram(program)) skipBecause(`${program} is not installed`)
}

/** Ends the test that is running as skipped where the system is not one of these; the end of the run says so. */
export function needsSystem(...platforms: readonly NodeJS.Platform[]): void {
  if (!platforms.includes(process.platform)) skipBecause(`the system is not ${platforms.join(' or ')}`)
}

/** @param reason what is reported, the same words for the same reason. Throws an error with it outside of a test. */
function skipBecause(reason: string): void {
  const running = TestRunner.getCurrentTest()
  if (running === undefined) throw new Error(reason)
  running.context.skip(reason)
}
