import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { browserMissing } from './test/browser/installed.ts'
import { TEST_MS, WAIT_MS } from './test/kit/limits.ts'
import { runNotes } from './test/kit/run-notes.ts'
import { FUZZING, seedFor } from './test/kit/seed.ts'
import { WholeFirst } from './test/kit/whole-first.ts'

const report = process.env.BNPL_TEST_REPORT
const seed = seedFor(process.env, () => Math.floor(Math.random() * 2 ** 31))

const textOf = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const every = ['src/**/*.test.ts', 'test/**/*.test.ts']
const found = globSync(every, { cwd: import.meta.dirname })
/** `npm run fuzz` runs only the files that contain random cases. */
const drawing = /from '(fast-check|.*\/budget\.ts)'|\bFUZZING\b/
const files = FUZZING ? found.filter((path) => drawing.test(textOf(path))) : every
/**
 * Files that change a module, or what a module stores, for all tests of their process. Each of these files runs in a process of its own.
 * All other files share a process, because loading all modules again for each file would take a fifth of a run.
 */
const alone = found.filter((path) => /\b(vi\.mock|keepIn)\(/.test(textOf(path)))
const noBrowser = FUZZING ? undefined : await browserMissing()
const inBrowser = noBrowser === undefined ? [] : found.filter((path) => path.startsWith(join('test', 'browser')))

/** `npm run windows-rules` runs the tests of src under the rules of Windows. */
const rules = process.env.WINDOWS_RULES_IN_TESTS ? ['--import', join(import.meta.dirname, 'test/windows/rules.ts')] : []

const common = {
  // Use processes, because a thread would be slower: when a test starts a program, the system stops the process and copies its memory table.
  // With threads, this is the table of all workers, which takes 20 ms for each of a thousand programs.
  pool: 'forks',
  setupFiles: 'test/kit/each-file.ts',
  execArgv: rules,
  // The limits are long, because the machine may be busy. No test asserts how fast the program is.
  testTimeout: FUZZING ? 3_600_000 : TEST_MS,
  hookTimeout: TEST_MS,
  expect: { poll: { timeout: WAIT_MS, interval: 20 } },
  // The terminal and the time zone are the same on every machine, so that no result depends on them.
  env: { NO_COLOR: '', FORCE_COLOR: '', TERM: 'xterm-256color', TZ: 'UTC', BNPL_FUZZ_SEED: String(seed) },
} as const

const leftOut = noBrowser === undefined ? [] : [`${inBrowser.length} files of tests in a browser: ${noBrowser}`]
const slowest = Number(process.env.BNPL_TEST_SLOWEST ?? 0)
const notes = runNotes({
  fuzzing: FUZZING,
  seed,
  leftOut,
  slowest,
  write: (line) => process.stdout.write(`${line}\n`),
})

export default defineConfig({
  test: {
    // Both projects share one setup.
    globalSetup: ['test/kit/temporary-files.ts', 'test/kit/built-program.ts', 'test/kit/postgres-setup.ts'],
    projects: [
      { test: { ...common, name: 'alone', include: alone.filter((path) => !FUZZING || files.includes(path)) } },
      { test: { ...common, name: 'together', include: files, exclude: [...alone, ...inBrowser], isolate: false } },
    ],
    // Use more workers than cores, because many tests wait for a process, a socket or a browser.
    maxWorkers: 4,
    // The limit of tests of one file that run at the same time. With more, each of them would take too long on a busy machine.
    maxConcurrency: 3,
    sequence: { sequencer: WholeFirst },
    reporters: report ? ['default', ['json', { outputFile: report }], notes] : ['default', notes],
  },
})
