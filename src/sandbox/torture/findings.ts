import { shellQuoted } from '../../text/shell-word.ts'
import type { Facts } from './facts.ts'
import { INVARIANTS, type InvariantName, type Reference } from './invariants.ts'
import { placeName } from './place.ts'
import type { Run } from './plan.ts'

/** An invariant that broke in one run. */
export interface Finding {
  /** The run. `none` for the one without a fault. */
  id: string
  fault: string
  at: string
  invariant: InvariantName
  expected: string
  seen: string
  /** The command line that repeats just this run. */
  reproduce: string
}

/** How the torture was called, as its command line says it again. */
export interface CommandLine {
  command: readonly string[]
  /** The options besides `--run`, such as `--seed 1`. */
  options: readonly string[]
}

const NO_FAULT = 'none'

/** The breaches of one run, as findings. @param known transactions whose ids are the same in every run, and are shown */
export function findingsOf(facts: Facts, reference: Reference, known: readonly string[], line: CommandLine): Finding[] {
  const { run } = reference
  const named = withNames(facts, known)
  const names = Object.keys(INVARIANTS) as InvariantName[]
  return names.flatMap((invariant) =>
    INVARIANTS[invariant].find(facts, reference).map(({ expected, seen }) => ({
      id: run?.id ?? NO_FAULT,
      fault: run?.torture.id ?? NO_FAULT,
      at: run === undefined ? '' : placeName(run.place),
      invariant,
      expected: named(expected),
      seen: named(seen),
      reproduce: lineOf(line, run),
    })),
  )
}

function lineOf({ command, options }: CommandLine, run: Run | undefined): string {
  const only = ['--run', run?.id ?? NO_FAULT]
  return ['bnpl', 'sandbox', 'torture', ...[...only, ...options, '--', ...command].map(shellQuoted)].join(' ')
}

/** The id of the only run without a fault, in `--run`. */
export const isNoFault = (id: string): boolean => id === NO_FAULT

/**
 * Replaces ids that are new in every run by their place in the order of the calls: `transaction 1`. Otherwise the same breach would read
 * differently every time.
 */
function withNames({ calls, moments }: Facts, known: readonly string[]): (text: string) => string {
  const seen = [
    ...calls.map(({ externalTrxId }) => externalTrxId),
    ...(moments ?? []).flatMap(({ orders }) => orders.map(({ externalTrxId }) => externalTrxId)),
  ]
  const ids = [...new Set(seen.filter((id) => id !== undefined))].filter((id) => !known.includes(id))
  // The longest first: an id may be the beginning of another.
  const numbered = ids
    .map((id, at) => ({ id, name: `transaction ${at + 1}` }))
    .sort((a, b) => b.id.length - a.id.length)
  return (text) => numbered.reduce((said, { id, name }) => said.replaceAll(id, name), text)
}
