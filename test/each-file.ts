import fc from 'fast-check'
import { FUZZING, restart, SEED } from './seed.ts'

/** Before each test file: its random cases are those of the seed of the run. */

fc.configureGlobal({ seed: SEED, ...(FUZZING ? { numRuns: 1_000 } : {}) })
restart()
