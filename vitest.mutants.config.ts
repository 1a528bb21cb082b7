import { defineConfig } from 'vitest/config'

/** For `npm run mutants`: one thread, and nothing of what only the tests of the built program need. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'threads',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: '', FORCE_COLOR: '' },
  },
})
