import fc from 'fast-check'
import { FUZZING, restart, SEED } from './seed.ts'

/** Runs before each test file: its random cases are drawn from the seed of the run. */

fc.configureGlobal({ seed: SEED, ...(FUZZING ? { numRuns: 1_000 } : {}) })
restart()
