import { defineConfig } from 'vitest/config'

const report = process.env.BNPL_TEST_REPORT

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'threads',
    maxWorkers: 2,
    globalSetup: ['test/built-program.ts', 'test/postgres-setup.ts'],
    // Generous: a test waits for a condition, and a machine may be busy; nothing here asserts how fast it is.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    env: { NO_COLOR: '', FORCE_COLOR: '' },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
})
