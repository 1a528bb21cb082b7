import { closeSync, fstatSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll } from 'vitest'
import { processorMs } from './processor-time.ts'
import { FUZZING, restart, SEED } from './seed.ts'

/** Runs before each test file: its random cases are drawn from the seed of the run. */

fc.configureGlobal({ seed: SEED, numRuns: FUZZING ? 1_000 : 100 })
restart()
endStdin()
// A CI system sets it, and a library then draws no progress line. Tests that are about CI pass it themselves.
delete process.env.CI

if (process.env.BNPL_TEST_SLOWEST !== undefined) {
  const before = processorMs()
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the empty pattern that this hook needs no fixture
  afterAll(({}, suite) => {
    suite.file.meta.processorMs = processorMs() - before
  })
}

/** Gives this process a stdin without content. Programs that tests start inherit it, and a shell would otherwise wait for a person. */
function endStdin(): void {
  if (!isMainThread || fstatSync(0).isCharacterDevice()) return
  closeSync(0)
  // The lowest free number is used, which is 0.
  openSync(devNull, 'r')
}
