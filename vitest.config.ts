import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const report = process.env.BNPL_TEST_REPORT

const files = ['src/**/*.test.ts', 'test/**/*.test.ts']
/**
 * These change what a module is or keeps for everybody in their thread, so each has one of its own. All others share theirs: to load
 * everything again for each file took a fifth of a run.
 */
const alone = globSync(files, { cwd: import.meta.dirname }).filter((path) =>
  /\b(vi\.mock|keepIn)\(/.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
)

const common = {
  pool: 'threads',
  // Generous: a test waits for a condition, and a machine may be busy; nothing here asserts how fast it is.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000, interval: 20 } },
  env: { NO_COLOR: '', FORCE_COLOR: '' },
} as const

export default defineConfig({
  test: {
    // Once for both.
    globalSetup: ['test/built-program.ts', 'test/postgres-setup.ts'],
    projects: [
      { test: { ...common, name: 'alone', include: alone } },
      { test: { ...common, name: 'together', include: files, exclude: alone, isolate: false } },
    ],
    // More than there are cores: a test that waits for a process, a socket or a browser leaves its core to others.
    maxWorkers: 3,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
})
