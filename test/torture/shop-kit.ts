import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Machine, machine, type Ran, type RunOptions } from '../harness.ts'
import { ROOT } from '../source-graph.ts'
import type { Mutant } from './mutants.ts'

/** What runs the example of each language, and how its files end. */
export const LANGUAGES = {
  typescript: { runs: `${process.execPath} --no-warnings`, ending: 'ts' },
  python: { runs: 'python3', ending: 'py' },
  php: { runs: 'php', ending: 'php' },
} as const

export type Language = keyof typeof LANGUAGES

/** A machine with the shop of an example in its folder. */
export interface ShopMachine extends Machine {
  /** Tortures the shop, with a customer, its orders and its reconciliation. */
  torture(words: readonly string[], options?: RunOptions): Promise<Ran>
}

/** Copies the shop of an example, with a mistake or as it is. Throws when a text of the mistake is not in its source. */
export function shopMachine({
  mutant,
  language = 'typescript',
}: {
  mutant?: Mutant
  language?: Language
}): ShopMachine {
  const m = machine()
  const { runs, ending } = LANGUAGES[language]
  for (const name of [`shop.${ending}`, `test.${ending}`])
    cpSync(join(ROOT, 'examples', language, name), join(m.dir, name))
  if (mutant) {
    const file = join(m.dir, mutant.file ?? `shop.${ending}`)
    let source = readFileSync(file, 'utf8')
    for (const [from, to] of mutant.changes) {
      if (!source.includes(from)) throw new Error(`${mutant.name}: the shop has no “${from}”`)
      source = source.replace(from, () => to)
    }
    writeFileSync(file, source)
  }
  const program = (words: string) => `SHOP_DATA="$BNPL_RUN_DIR/shop.db" exec ${runs} ${words}`
  const list = [
    '--customer',
    '--orders',
    program(`shop.${ending} orders`),
    '--settle',
    program(`shop.${ending} settle`),
  ]
  const { PATH = '', HOME = '' } = process.env
  return {
    ...m,
    torture: (words, options) =>
      m.run(['sandbox', 'torture', ...list, ...words, '--', 'sh', '-c', program(`test.${ending}`)], {
        ...options,
        env: { PATH, HOME, ...options?.env },
      }),
    [Symbol.dispose]: () => m[Symbol.dispose](),
  }
}
