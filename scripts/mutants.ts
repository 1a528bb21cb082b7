/**
 * Makes thousands of small changes to one part of the code (a room), one at a time, and counts how many of them make a test fail:
 * `npm run mutants [room] [FILE…]`. The exit code is 1 when tests fail for fewer than 90 % of the changes.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'

const ROOT = join(import.meta.dirname, '..')
/** The minimum share of changes that tests must notice, in percent. */
const LEAST = 90

/** The tests that run for each change of a folder in `src`. Tests of whole command lines would take seconds for each change. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  domain: ['src/domain/**/*.test.ts'],
  client: ['src/client/**/*.test.ts'],
  bulk: ['src/bulk/**/*.test.ts', 'src/commands/bulk/*.test.ts'],
  receiver: ['src/receiver/**/*.test.ts'],
  disk: ['src/disk/**/*.test.ts'],
}

const { positionals, values: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    // Only these tests run, which is faster than all tests of the room.
    tests: { type: 'string', multiple: true },
    // The time limit for the tests of one change, in ms, in addition to one and a half times their usual time.
    'timeout-ms': { type: 'string', default: '5000' },
    // The time limit of a test in ms. It is short, because a change often makes a test wait for an event that does not happen.
    'test-timeout-ms': { type: 'string', default: '8000' },
  },
})
const [room = 'domain', ...files] = positionals
const tests = chosen.tests ?? ROOMS[room]
if (ROOMS[room] === undefined || tests === undefined) {
  console.error(`npm run mutants [room] [FILE…]: the rooms are ${Object.keys(ROOMS).join(', ')}`)
  process.exitCode = 2
} else {
  process.chdir(ROOT)
  // Pass the tests through the configuration of the runner. If Stryker got a list of test files, it would not change constants of modules.
  process.env.BNPL_MUTANT_TESTS = tests.join(' ')
  process.env.BNPL_MUTANT_TEST_MS = chosen['test-timeout-ms']
  const results = await new Stryker({
    mutate: [...(files.length > 0 ? files : [`src/${room}/**/*.ts`]), '!**/*.test.ts'],
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutants.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    ignorePatterns: ['/dist', '/docs', '/coverage', '*.tgz'],
    // This folder must not be in node_modules, because Node does not strip types there, and the thread of the inbox is started from its
    // TypeScript source.
    tempDirName: join(tmpdir(), 'bnpl-mutants'),
    warnings: false,
    incremental: true,
    incrementalFile: `node_modules/.cache/mutants-${room}.json`,
    allowConsoleColors: false,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportMutants: true, skipFull: true },
    thresholds: { high: 95, low: LEAST, break: LEAST },
    // Name a file that does not exist. Otherwise Stryker would try to rewrite tsconfig.json, for which TypeScript 7 has no API.
    tsconfigFile: 'no-tsconfig.json',
    timeoutMS: Number(chosen['timeout-ms']),
  }).runMutationTest()
  console.error(`${results.length} mutants of ${room}`)
}
