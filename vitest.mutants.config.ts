import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** What a test imports that starts a process, a browser or a database: a mutant is only in the process of its tests. */
const OUTSIDE =
  /from '.*\/(built-program|program|listener|postgres|postgres-server|chromium|inbox-kit|store-place)\.ts'|keepIn\(/

const found = globSync(process.env.BNPL_MUTANT_TESTS?.split(' ') ?? [], { cwd: import.meta.dirname })

/** For `npm run mutants`, which says which tests a room is tried with: one thread, and no build, database or browser. */
export default defineConfig({
  test: {
    include: found.filter((path) => !OUTSIDE.test(readFileSync(join(import.meta.dirname, path), 'utf8'))),
    setupFiles: 'test/each-file.ts',
    pool: 'threads',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000, interval: 20 } },
    env: { NO_COLOR: '', FORCE_COLOR: '' },
  },
})
