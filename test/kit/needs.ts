import { spawnSync } from 'node:child_process'
import { TestRunner } from 'vitest'

const installed = new Map<string, boolean>()

/** Returns whether this machine has a program. Starts the program at most once, with an option that every program knows or refuses. */
export function hasProgram(program: string): boolean {
  const has = installed.get(program) ?? spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
  installed.set(program, has)
  return has
}

/** Skips the running test if this machine lacks a program. The notes at the end of the run name the program. */
export function needsProgram(program: string): void {
  if (!hasProgram(program)) skipBecause(`${program} is not installed`)
}

/** Skips the running test if the system is not one of these. The notes at the end of the run say so. */
export function needsSystem(...platforms: readonly NodeJS.Platform[]): void {
  if (!platforms.includes(process.platform)) skipBecause(`the system is not ${platforms.join(' or ')}`)
}

/** Returns the path of a Node of this major version on this machine. If there is none, skips the running test. */
export function nodeOfMajor(major: number): string {
  const places = ['node', `node${major}`, '/usr/bin/node', '/usr/local/bin/node']
  const versionOf = (node: string) => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''
  const found = places.find((node) => versionOf(node).startsWith(`v${major}.`))
  if (found === undefined) skipBecause(`Node ${major} is not installed`)
  return found ?? ''
}

/** Skips the running test. Outside of a test, throws an error. @param reason the text of the note; equal texts are counted together */
function skipBecause(reason: string): void {
  const running = TestRunner.getCurrentTest()
  if (running === undefined) throw new Error(reason)
  running.context.skip(reason)
}
