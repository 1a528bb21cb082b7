import { type BnplError, usage } from '../errors.ts'
import { shellQuoted } from '../text/shell-word.ts'
import { type Facts, isSold, type ShopOrder } from './facts.ts'
import { placeName } from './fault-table.ts'
import { INVARIANTS, type InvariantName, type Reference } from './invariants.ts'
import { type Run, readRun } from './plan.ts'

export interface Finding {
  /** The id of the run, or `NO_FAULT`. */
  id: string
  fault: string
  at: string
  invariant: InvariantName
  expected: string
  seen: string
  reproduce: string
}

/** The id of the run without a fault. */
export const NO_FAULT = 'none'

/** Returns the line with which a file of known findings accepts a finding, such as `cut-after@evaluate.1 second-evaluation`. */
export const acceptedName = ({ id, invariant }: Pick<Finding, 'id' | 'invariant'>): string => `${id} ${invariant}`

/** Reads a file of known findings. Text after “#” is a comment. Returns the lines, or the number of the first line that is not a finding. */
export function readAccepted(text: string): ReadonlySet<string> | number {
  const accepted = new Set<string>()
  for (const [at, whole] of text.split(/\r?\n/).entries()) {
    const words = (whole.split('#')[0] ?? '').split(/\s+/).filter((word) => word !== '')
    if (words.length === 0) continue
    const [id = '', invariant = '', ...more] = words
    const isFinding = more.length === 0 && Object.hasOwn(INVARIANTS, invariant)
    if (!isFinding || (id !== NO_FAULT && readRun(id) === undefined)) return at + 1
    accepted.add(words.join(' '))
  }
  return accepted
}

export interface CommandLine {
  command: readonly string[]
  options: readonly string[]
}

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

/**
 * Returns the facts without the paid orders that the shop listed before the run. The service of the run cannot have a loan for them, so
 * each of them would be reported as a mistake of the shop.
 * @param before the ids of the paid orders that the shop listed before the run
 * @throws `usage` if such an order is still listed although the command ended with exit code 0. A shop may use one database for all runs
 * only if its command begins by emptying the database. After a failed command nothing is thrown, because the command may have ended before
 * it emptied the database
 */
export function withoutEarlierOrders(facts: Facts, before: ReadonlySet<string>): Facts {
  const { moments, calls } = facts
  // The command of `--settle` verifies orders of any age. Every other call with an id belongs to a purchase of this run.
  const bought = new Set(calls.filter(({ name }) => name !== 'verifyLoan').map(({ externalTrxId }) => externalTrxId))
  const isEarlier = (order: ShopOrder) =>
    isSold(order) && before.has(order.externalTrxId) && !bought.has(order.externalTrxId)
  const left = (moments?.at(-1)?.orders ?? []).filter(isEarlier)
  if (left.length > 0 && isComplete(facts)) throw ordersOfEarlierRun(left.length)
  return {
    ...facts,
    moments: moments?.map((moment) => ({ ...moment, orders: moment.orders.filter((order) => !isEarlier(order)) })),
  }
}

/** Whether the command was run to its end, with the server of the shop if there is one. */
const isComplete = ({ ended, notRunning }: Facts): boolean =>
  notRunning === undefined && !ended.hung && ended.code === 0

const ordersOfEarlierRun = (count: number): BnplError =>
  usage(
    `the shop lists ${count === 1 ? 'a paid order' : `${count} paid orders`} of an earlier run, for which the service of this run has no loan`,
    'Keep the database of the shop in the folder that BNPL_RUN_DIR names, for example with SHOP_DATA="$BNPL_RUN_DIR/shop.db" in the command, in --orders and in --settle. Or use --jobs 1, and let the command empty the database when it begins.',
    'ORDERS_OF_EARLIER_RUN',
  )
