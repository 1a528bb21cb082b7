import { drawFrom } from '../src/domain/drawing.ts'

/** What the cases of the tests are drawn with: `npm test` draws the same ones on every run and machine, `npm run fuzz` draws new ones. */
const EVERYDAY_SEED = 20_261_122

/**
 * The seed of a run: that of BNPL_FUZZ_SEED; without it a new one for `npm run fuzz`, and the everyday one otherwise.
 * @param draw gives a new seed. Throws for a BNPL_FUZZ_SEED that is not a 32-bit whole number.
 */
export function seedFor(env: NodeJS.ProcessEnv, draw: () => number): number {
  const given = env.BNPL_FUZZ_SEED
  if (given === undefined) return env.BNPL_FUZZ === undefined ? EVERYDAY_SEED : draw()
  if (!/^-?\d+$/.test(given) || Number(given) !== (Number(given) | 0))
    throw new Error(`BNPL_FUZZ_SEED is “${given}”, and must be a whole number such as ${EVERYDAY_SEED}`)
  return Number(given)
}

/** The seed of this run; `vitest.config.ts` hands it to every thread. */
export const SEED = seedFor(process.env, () => EVERYDAY_SEED)

/** Whether this is `npm run fuzz`. */
export const FUZZING = process.env.BNPL_FUZZ !== undefined

let sequence = drawFrom(SEED)

/** Numbers from 0 to 1 for the tests; each test file reads one sequence from its beginning. */
export const random = (): number => sequence()

/** Begins the sequence again. */
export function restart(): void {
  sequence = drawFrom(SEED)
}
