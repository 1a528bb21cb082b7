import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Machine, machine, type Ran, type RunOptions } from '../kit/harness.ts'
import { ROOT } from '../kit/source-graph.ts'
import type { Mutant } from './mutants.ts'
import type { Naive, Step } from './naive/walks.ts'

/** The program that runs each language's example, and the ending of its files. */
export const LANGUAGES = {
  typescript: { runs: `${process.execPath} --no-warnings`, ending: 'ts' },
  python: { runs: 'python3', ending: 'py' },
  php: { runs: 'php', ending: 'php' },
} as const

export type Language = keyof typeof LANGUAGES

/** The arguments that start each server on the port of a run. */
const SERVES: Readonly<Record<Language, string>> = {
  typescript: 'shop.ts serve',
  python: 'shop.py serve',
  php: '-S 127.0.0.1:$BNPL_RUN_PORT shop.php',
}

/** A machine with the shop of an example in its folder. */
export interface ShopMachine extends Machine {
  /** Runs `sandbox torture` with the shop, its customer, its orders and its reconciliation. */
  torture(words: readonly string[], options?: RunOptions): Promise<Ran>
}

/**
 * Returns the files of an example by name, with a mistake if one is given. Throws when the source does not contain a text of the mistake.
 */
export function sourcesOf(language: Language, mutant?: Mutant): Record<string, string> {
  const { ending } = LANGUAGES[language]
  const read = (name: string) => readFileSync(join(ROOT, 'examples', language, name), 'utf8')
  const sources = { [`shop.${ending}`]: read(`shop.${ending}`), [`test.${ending}`]: read(`test.${ending}`) }
  const file = mutant?.file ?? `shop.${ending}`
  for (const [from, to] of mutant?.changes ?? []) {
    const source = sources[file] ?? ''
    if (!source.includes(from)) throw new Error(`${mutant?.name}: the shop has no “${from}”`)
    sources[file] = source.replace(from, () => to)
  }
  return sources
}

/** The program that runs each naive shop, the ending of its files, and the arguments that start its server on the port of a run. */
export const NAIVE = {
  express: { runs: process.execPath, ending: 'mjs', serves: 'shop.mjs' },
  flask: { runs: 'python3', ending: 'py', serves: 'shop.py' },
  php: { runs: 'php', ending: 'php', serves: SERVES.php },
} as const satisfies Readonly<Record<Naive, unknown>>

/** Returns the files of a naive shop by name, after steps. Throws when the text that a step replaces is not in exactly one file. */
export function naiveSources(name: Naive, steps: readonly Step[]): Record<string, string> {
  const folder = join(ROOT, 'test', 'torture', 'naive', name)
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const sources = Object.fromEntries(files.map((file) => [file.name, readFileSync(join(folder, file.name), 'utf8')]))
  for (const { cause, changes } of steps) {
    for (const [from, to] of changes) {
      const [file = '', ...others] = Object.keys(sources).filter((each) => sources[each]?.includes(from))
      const source = sources[file]
      if (source === undefined || others.length > 0) throw new Error(`${name}, ${cause}: “${from}” is not in one file`)
      sources[file] = source.replace(from, () => to)
    }
  }
  return sources
}

export interface ShopSetting {
  mutant?: Mutant
  language?: Language
  /** Whether the test refunds the order; by default, as the mistake needs it. */
  refunds?: boolean
  /** Whether the shop's server runs beside the test, and is killed and started again. */
  restarts?: boolean
}

/** Copies the shop of an example, with a mistake or unchanged. Throws when the source does not contain a text of the mistake. */
export function shopMachine({
  mutant,
  language = 'typescript',
  refunds = mutant?.run.includes('@cancelLoan.') ?? false,
  restarts = false,
}: ShopSetting): ShopMachine {
  const serves = restarts ? SERVES[language] : undefined
  return machineWith(sourcesOf(language, mutant), { ...LANGUAGES[language], serves, refunds })
}

/** Copies a naive shop after the first steps of its walk. */
export const naiveMachine = (name: Naive, steps: readonly Step[], restarts = false): ShopMachine =>
  machineWith(naiveSources(name, steps), { ...NAIVE[name], serves: restarts ? NAIVE[name].serves : undefined })

/**
 * @param serves the arguments that start the server beside the test; undefined if the test starts it
 * @param refunds whether the test refunds its order
 */
function machineWith(
  sources: Readonly<Record<string, string>>,
  {
    runs,
    ending,
    serves,
    refunds = false,
  }: { runs: string; ending: string; serves?: string | undefined; refunds?: boolean },
): ShopMachine {
  const m = machine()
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(m.dir, name), source)
  // The refund of the shop in TypeScript imports the library.
  mkdirSync(join(m.dir, 'node_modules'))
  symlinkSync(ROOT, join(m.dir, 'node_modules/bnpl'), 'junction')
  const program = (words: string) => `SHOP_DATA="$BNPL_RUN_DIR/shop.db" exec ${runs} ${words}`
  const list = [
    '--customer',
    '--orders',
    program(`shop.${ending} orders`),
    '--settle',
    program(`shop.${ending} settle`),
    ...(serves === undefined ? [] : ['--restart', `PORT=$BNPL_RUN_PORT ${program(serves)}`]),
  ]
  const shopUrl = serves === undefined ? '' : 'SHOP_URL=http://127.0.0.1:$BNPL_RUN_PORT '
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  return {
    ...m,
    torture: (words, options) =>
      m.run(
        [
          'sandbox',
          'torture',
          ...list,
          ...words,
          '--',
          'sh',
          '-c',
          `${shopUrl}${program(`test.${ending}${refunds ? ' refund' : ''}`)}`,
        ],
        {
          ...options,
          env: { PATH, HOME, NODE_COMPILE_CACHE, ...options?.env },
        },
      ),
    [Symbol.dispose]: () => m[Symbol.dispose](),
  }
}
