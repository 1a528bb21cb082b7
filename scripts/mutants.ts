/**
 * Changes the code of one room in thousands of small ways, one at a time, and counts how many of the changes a test notices:
 * `npm run mutants [room]`. Exit 1 when the share is under 90 %. docs/mutants.md has the scores and the survivors.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'

const ROOT = join(import.meta.dirname, '..')
/** The least share of mutants that tests must notice, in percent. */
const LEAST = 90

/** The tests that each room is tried with: those beside its code. Whole command lines would take seconds for every mutant. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  domain: ['src/domain/**/*.test.ts'],
  client: ['src/client/**/*.test.ts'],
  bulk: ['src/bulk/**/*.test.ts', 'src/commands/bulk/*.test.ts'],
  // With a real database, which is not in the process that is changed.
  receiver: ['src/receiver/**/*.test.ts'],
  disk: ['src/disk/**/*.test.ts'],
}

const [room = 'domain', ...more] = process.argv.slice(2)
const tests = ROOMS[room]
if (tests === undefined || more.length > 0) {
  console.error(`npm run mutants [room]: the rooms are ${Object.keys(ROOMS).join(', ')}`)
  process.exitCode = 2
} else {
  process.chdir(ROOT)
  // By the runner's own configuration: given to Stryker, a list of files would leave constants of modules unchanged.
  process.env.BNPL_MUTANT_TESTS = tests.join(' ')
  const results = await new Stryker({
    mutate: [`src/${room}/**/*.ts`, '!**/*.test.ts'],
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutants.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    ignorePatterns: ['/dist', '/docs', '/coverage', '*.tgz'],
    // Not in node_modules: Node does not strip the types of what is there, and the thread of the inbox is started from its source.
    tempDirName: join(tmpdir(), 'bnpl-mutants'),
    warnings: false,
    incremental: true,
    incrementalFile: `node_modules/.cache/mutants-${room}.json`,
    allowConsoleColors: false,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportMutants: true, skipFull: true },
    thresholds: { high: 95, low: LEAST, break: LEAST },
    // TypeScript 7 has no API that Stryker could rewrite a tsconfig.json with; nothing here reads one.
    tsconfigFile: 'no-tsconfig.json',
    // Besides one and a half times of what its tests take unchanged: enough for any but an endless one, of which `bulk` has many.
    timeoutMS: 5_000,
  }).runMutationTest()
  console.error(`${results.length} mutants of ${room}`)
}
