import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Context, GlobalOptions, World } from '../../src/context.ts'
import { createStyle } from '../../src/terminal/output.ts'
import { createContext } from '../../src/wiring.ts'
import { type Machine, machine } from './harness.ts'

const STYLE = await createStyle(false)

const OPTIONS: GlobalOptions = {
  profile: undefined,
  output: 'table',
  dryRun: false,
  timeoutMs: 1000,
  input: false,
  yes: false,
  verbose: false,
  quiet: false,
}

/**
 * Returns a machine that is removed after the test.
 *
 * @param profiles the profiles of its profile file, by name; the first one is the default. If left out, there is no such file
 */
export function machineOfTest(profiles: Record<string, Record<string, unknown>> = {}): Machine {
  const m = machine()
  onTestFinished(() => m[Symbol.dispose]())
  const [first] = Object.keys(profiles)
  if (first !== undefined) {
    mkdirSync(m.configDir, { mode: 0o700 })
    const file = JSON.stringify({ version: 1, default: first, profiles })
    writeFileSync(join(m.configDir, 'profiles.json'), file, { mode: 0o600 })
  }
  return m
}

/** Returns the context of a command: no colours, a time-out of a second, no other option. It is closed after the test. */
export function contextOf(world: World, options: Partial<GlobalOptions> = {}): Context {
  const context = createContext(world, { ...OPTIONS, ...options }, { out: STYLE, err: STYLE })
  onTestFinished(async () => {
    await context.close()
  })
  return context
}
