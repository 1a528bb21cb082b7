import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { realClock } from '../../test/kit/harness.ts'
import { runProgram } from './program.ts'

/** Blocks this thread, as a busy machine does. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('what a program has written is read, even if this process was held up after the program had ended', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'bnpl-program-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const file = (name: string) => join(cwd, name)
  const ran = runProgram({
    // A process that the program leaves behind writes a moment later.
    command: 'echo $$ >pid; (sleep 0.1; echo late; >written) & echo first',
    cwd,
    env: process.env,
    limitMs: 60_000,
    clock: realClock,
    signal: new AbortController().signal,
    killGroup: async () => {},
  })
  const pid = () => existsSync(file('pid')) && readFileSync(file('pid'), 'utf8').trim()
  while (!pid() || existsSync(`/proc/${pid()}`)) await turn()
  block(500)
  while (!existsSync(file('written'))) block(10)
  expect(await ran).toMatchObject({ code: 0, hung: false, stdout: 'first\nlate\n' })
})
