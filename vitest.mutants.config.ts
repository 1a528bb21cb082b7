import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** What shows that a test starts a process or a browser: a mutant is only in the process of its tests. */
const OUTSIDE = /from '.*\/(built-program|program|postgres-server|chromium|store-place)\.ts'|\b(keepIn|startListener)\(/

const found = globSync(process.env.BNPL_MUTANT_TESTS?.split(' ') ?? [], { cwd: import.meta.dirname })

/** The time limit of a test, in ms. Tests often wait for what a mutant keeps from happening. */
const TEST_MS = Number(process.env.BNPL_MUTANT_TEST_MS)

/** For `npm run mutants`, which says which tests a room is tried with: one thread, and no build or browser. */
export default defineConfig({
  test: {
    include: found.filter((path) => !OUTSIDE.test(readFileSync(join(import.meta.dirname, path), 'utf8'))),
    // A database is only started when a test asks for one.
    globalSetup: 'test/kit/postgres-setup.ts',
    setupFiles: 'test/kit/each-file.ts',
    pool: 'threads',
    testTimeout: TEST_MS,
    hookTimeout: 2 * TEST_MS,
    expect: { poll: { timeout: TEST_MS / 2, interval: 20 } },
    env: { NO_COLOR: '', FORCE_COLOR: '' },
  },
})
