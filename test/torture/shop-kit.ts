import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Machine, machine, type Ran, type RunOptions } from '../harness.ts'
import { ROOT } from '../source-graph.ts'
import type { Mutant } from './mutants.ts'

const EXAMPLE = join(ROOT, 'examples/typescript')

/** A machine with the TypeScript shop of the examples in its folder. */
export interface ShopMachine extends Machine {
  /** Tortures the shop, with a customer, its orders and its reconciliation. */
  torture(words: readonly string[], options?: RunOptions): Promise<Ran>
}

/** Copies the shop, with a mistake or as it is. Throws when a text of the mistake is not in its source. */
export function shopMachine(mutant?: Mutant): ShopMachine {
  const m = machine()
  for (const name of ['shop.ts', 'test.ts']) cpSync(join(EXAMPLE, name), join(m.dir, name))
  const file = join(m.dir, mutant?.file ?? 'shop.ts')
  let source = readFileSync(file, 'utf8')
  for (const [from, to] of mutant?.changes ?? []) {
    if (!source.includes(from)) throw new Error(`${mutant?.name}: the shop has no “${from}”`)
    source = source.replace(from, () => to)
  }
  writeFileSync(file, source)
  const program = (words: string) => `SHOP_DATA="$BNPL_RUN_DIR/shop.db" exec ${process.execPath} --no-warnings ${words}`
  const shop = ['--customer', '--orders', program('shop.ts orders'), '--settle', program('shop.ts settle')]
  return {
    ...m,
    torture: (words, options) =>
      m.run(['sandbox', 'torture', ...shop, ...words, '--', 'sh', '-c', program('test.ts')], {
        ...options,
        env: { PATH: process.env.PATH ?? '', ...options?.env },
      }),
    [Symbol.dispose]: () => m[Symbol.dispose](),
  }
}
