import { shellQuoted } from '../../text/shell-word.ts'
import type { Facts } from './facts.ts'
import { INVARIANTS, type InvariantName, type Reference } from './invariants.ts'
import { placeName } from './place.ts'
import type { Run } from './plan.ts'

/** An invariant that was broken in one run. */
export interface Finding {
  /** The id of the run; `none` for the run without a fault. */
  id: string
  fault: string
  at: string
  invariant: InvariantName
  expected: string
  seen: string
  /** The command line that repeats only this run. */
  reproduce: string
}

/** How the torture was called, to write the command line that repeats a run. */
export interface CommandLine {
  command: readonly string[]
  /** The options except `--run`, such as `--seed 1`. */
  options: readonly string[]
}

const NO_FAULT = 'none'

/**
 * Turns the broken invariants of one run into findings.
 * @param known transactions whose ids are the same in every run, so the findings show them
 */
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

/** Whether an id in `--run` means the run without a fault. */
export const isNoFault = (id: string): boolean => id === NO_FAULT

/**
 * Returns a function that replaces ids which are new in every run by their position in the order of the calls, such as `transaction 1`.
 * Otherwise the same finding would have different words each time.
 */
function withNames({ calls, moments }: Facts, known: readonly string[]): (text: string) => string {
  const seen = [
    ...calls.map(({ externalTrxId }) => externalTrxId),
    ...(moments ?? []).flatMap(({ orders }) => orders.map(({ externalTrxId }) => externalTrxId)),
  ]
  const ids = [...new Set(seen.filter((id) => id !== undefined))].filter((id) => !known.includes(id))
  // Replace the longest ids first, because an id may be the beginning of another id.
  const numbered = ids
    .map((id, at) => ({ id, name: `transaction ${at + 1}` }))
    .sort((a, b) => b.id.length - a.id.length)
  return (text) => numbered.reduce((said, { id, name }) => said.replaceAll(id, name), text)
}
