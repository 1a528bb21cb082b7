import { shellQuoted } from '../text/shell-word.ts'
import type { Facts } from './facts.ts'
import { INVARIANTS, type InvariantName, type Reference } from './invariants.ts'
import { placeName } from './place.ts'
import type { Run } from './plan.ts'

export interface Finding {
  /** The id of the run; `none` for the run without a fault. */
  id: string
  fault: string
  at: string
  invariant: InvariantName
  expected: string
  seen: string
  reproduce: string
}

export interface CommandLine {
  command: readonly string[]
  options: readonly string[]
}

const NO_FAULT = 'none'

/**
 * Returns the findings of one run.
 * @param known the ids of the transactions that are the same in every run. The findings show these ids unchanged
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

/** Replaces ids that are new in every run with names such as `transaction 1`, so that a repeated finding has the same words. */
function withNames({ calls, moments }: Facts, known: readonly string[]): (text: string) => string {
  const seen = [
    ...calls.map(({ externalTrxId }) => externalTrxId),
    ...(moments ?? []).flatMap(({ orders }) => orders.map(({ externalTrxId }) => externalTrxId)),
  ]
  const ids = [...new Set(seen.filter((id) => id !== undefined))].filter((id) => !known.includes(id))
  // The longest ids are replaced first, because an id may be the beginning of another id.
  const numbered = ids
    .map((id, at) => ({ id, name: `transaction ${at + 1}` }))
    .sort((a, b) => b.id.length - a.id.length)
  return (text) => numbered.reduce((said, { id, name }) => said.replaceAll(id, name), text)
}
