import { drawFrom } from '../../src/domain/drawing.ts'

/** The seed of the tests' random cases in `npm test`, the same on every run and machine. `npm run fuzz` draws a new seed. */
const EVERYDAY_SEED = 20_261_122

/**
 * Returns the seed of a run: BNPL_FUZZ_SEED if it is set, otherwise a new one for `npm run fuzz` and the everyday one for `npm test`.
 * @param draw returns a new seed. Throws for a BNPL_FUZZ_SEED that is not a 32-bit whole number.
 */
export function seedFor(env: NodeJS.ProcessEnv, draw: () => number): number {
  const given = env.BNPL_FUZZ_SEED
  if (given === undefined) return env.BNPL_FUZZ === undefined ? EVERYDAY_SEED : draw()
  if (!/^-?\d+$/.test(given) || Number(given) !== (Number(given) | 0))
    throw new Error(`BNPL_FUZZ_SEED is “${given}”, and must be a whole number such as ${EVERYDAY_SEED}`)
  return Number(given)
}

/** The seed of this run. `vitest.config.ts` passes it to every thread. */
export const SEED = seedFor(process.env, () => EVERYDAY_SEED)

/** Whether this is `npm run fuzz`. */
export const FUZZING = process.env.BNPL_FUZZ !== undefined

let sequence = drawFrom(SEED)

/** Returns the next random number from 0 to 1. Each test file gets the same sequence from its beginning. */
export const random = (): number => sequence()

/** Starts the sequence again from its beginning. */
export function restart(): void {
  sequence = drawFrom(SEED)
}
