/**
 * Changes the code of one room in thousands of small ways, one at a time, and counts how many of the changes a test notices:
 * `npm run mutants [room] [FILE…]`. Exit 1 when the share is under 90 %. docs/mutants.md has the scores and the survivors.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
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

const { positionals, values: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    // Fewer tests than those of the room, which makes every mutant faster to try. Several are given as several options.
    tests: { type: 'string', multiple: true },
    // Besides one and a half times of what its tests take unchanged: enough for any but an endless one, of which `bulk` has many.
    'timeout-ms': { type: 'string', default: '5000' },
    // What a test may take that waits for something: with a mutant, it often waits in vain.
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
  // By the runner's own configuration: given to Stryker, a list of files would leave constants of modules unchanged.
  process.env.BNPL_MUTANT_TESTS = tests.join(' ')
  process.env.BNPL_MUTANT_TEST_MS = chosen['test-timeout-ms']
  const results = await new Stryker({
    // The results of the other files of the room are kept and reported too.
    mutate: [...(files.length > 0 ? files : [`src/${room}/**/*.ts`]), '!**/*.test.ts'],
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
    timeoutMS: Number(chosen['timeout-ms']),
  }).runMutationTest()
  console.error(`${results.length} mutants of ${room}`)
}
