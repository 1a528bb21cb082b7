import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { browserMissing } from './test/browser/installed.ts'
import { runNotes } from './test/run-notes.ts'
import { FUZZING, seedFor } from './test/seed.ts'
import { WholeFirst } from './test/whole-first.ts'

const report = process.env.BNPL_TEST_REPORT
const seed = seedFor(process.env, () => Math.floor(Math.random() * 2 ** 31))

const textOf = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const every = ['src/**/*.test.ts', 'test/**/*.test.ts']
const found = globSync(every, { cwd: import.meta.dirname })
/** `npm run fuzz` runs the files that draw cases. */
const drawing = /from '(fast-check|.*\/budget\.ts)'|\bFUZZING\b/
const files = FUZZING ? found.filter((path) => drawing.test(textOf(path))) : every
/**
 * These change what a module is or keeps for everybody in their process, so each has one of its own. All others share theirs: to load
 * everything again for each file took a fifth of a run.
 */
const alone = found.filter((path) => /\b(vi\.mock|keepIn)\(/.test(textOf(path)))
const noBrowser = FUZZING ? undefined : await browserMissing()
const inBrowser = noBrowser === undefined ? [] : found.filter((path) => path.startsWith(join('test', 'browser')))

const common = {
  // Processes, not threads: to start a program, the system copies the table of the memory of the whole process, and stops it meanwhile. With
  // threads that was the memory of all workers, 20 ms for each of a thousand programs.
  pool: 'forks',
  setupFiles: 'test/each-file.ts',
  // Generous: a test waits for a condition, and a machine may be busy; nothing here asserts how fast it is.
  testTimeout: FUZZING ? 3_600_000 : 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000, interval: 20 } },
  // Of the environment only what the tests are about may matter: the terminal and the time zone are always the same.
  env: { NO_COLOR: '', FORCE_COLOR: '', TERM: 'xterm-256color', TZ: 'UTC', BNPL_FUZZ_SEED: String(seed) },
} as const

const leftOut = noBrowser === undefined ? [] : [`${inBrowser.length} files of tests in a browser: ${noBrowser}`]
const notes = runNotes({ fuzzing: FUZZING, seed, leftOut, write: (line) => process.stdout.write(`${line}\n`) })

export default defineConfig({
  test: {
    // Once for both.
    globalSetup: ['test/temporary-files.ts', 'test/built-program.ts', 'test/postgres-setup.ts'],
    projects: [
      { test: { ...common, name: 'alone', include: alone.filter((path) => !FUZZING || files.includes(path)) } },
      { test: { ...common, name: 'together', include: files, exclude: [...alone, ...inBrowser], isolate: false } },
    ],
    // More than there are cores: a test that waits for a process, a socket or a browser leaves its core to others.
    maxWorkers: 4,
    // Of the tests that wait beside each other inside a file: with more, each would take too long on a machine that is busy otherwise.
    maxConcurrency: 3,
    sequence: { sequencer: WholeFirst },
    reporters: report ? ['default', ['json', { outputFile: report }], notes] : ['default', notes],
  },
})
