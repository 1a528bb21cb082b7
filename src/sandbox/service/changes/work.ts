import type { Contents } from '../../store/contents.ts'
import type { CauseKind, FoundCause } from './cause.ts'
import { describeRows } from './change.ts'
import { difference, type RowDifference } from './difference.ts'
import { type RequestCauses, requestCauses, type Subjects } from './found-requests.ts'

type Tables = Omit<Contents, 'aheadMs' | 'steps'>
type Differences = { readonly [T in keyof Tables]: RowDifference<Tables[T][number]> }

export const CAME = { how: 'came' } as const
export const WENT = { how: 'went' } as const

export interface Work {
  before: Contents
  after: Contents
  diff: Differences
  requests: RequestCauses
  describe: ReturnType<typeof describeRows>
  nameOf(partnerId: string): string | null
  /** The names of an account in `before` and in `after`. They differ if the account was renamed. */
  namesOf(partnerId: string): ReadonlySet<string>
  cause(by: CauseKind, id: string, facts?: Partial<Pick<FoundCause, 'at' | 'account' | 'about'>>): FoundCause
  /** The cause of changes that no stored data explains. */
  unknown(): FoundCause
  all(): FoundCause[]
  /** The cause of each new loan. The key is the id of the loan's account, a space, and the loan's transaction. */
  loanCauses: Map<string, FoundCause>
  eventCauses: Map<string, FoundCause>
  /** For each fault, the cause of the last new delivery to which the fault was applied. The key is the fault as JSON. */
  faultCauses: Map<string, FoundCause>
}

/**
 * Compares the contents of the database at two moments. Returns the differences, and every request between these moments as a possible
 * cause.
 */
export function compareContents(before: Contents, after: Contents, subjects: Subjects): Work {
  const diff = differences(before, after)
  const requests = requestCauses(diff.requests.came, subjects)
  const made = new Map(requests.all.map((each) => [each.id, each]))
  const names = namesAt([...before.accounts, ...after.accounts])
  const namesOf = (partnerId: string) => names.get(partnerId) ?? new Set<string>()
  const nameOf = (partnerId: string) => [...namesOf(partnerId)].at(-1) ?? null
  const cause: Work['cause'] = (by, id, { at = null, account = null, about = null } = {}) => {
    const key = `${by}:${id}`
    const found = made.get(key) ?? { id: key, by, at, account, about, request: null, changes: [] }
    made.set(key, found)
    return found
  }
  return {
    before,
    after,
    diff,
    requests,
    describe: describeRows(nameOf),
    nameOf,
    namesOf,
    cause,
    unknown: () => cause('unknown', 'all'),
    all: () => [...made.values()],
    loanCauses: new Map(),
    eventCauses: new Map(),
    faultCauses: new Map(),
  }
}

function namesAt(accounts: readonly { id: string; name: string }[]): ReadonlyMap<string, ReadonlySet<string>> {
  const rows = Map.groupBy(accounts, ({ id }) => id)
  return new Map([...rows].map(([id, each]) => [id, new Set(each.map(({ name }) => name))]))
}

function differences(before: Contents, after: Contents): Differences {
  return {
    accounts: difference(before.accounts, after.accounts),
    evaluations: difference(before.evaluations, after.evaluations),
    selections: difference(before.selections, after.selections),
    tokens: difference(before.tokens, after.tokens),
    loans: difference(before.loans, after.loans),
    destinations: difference(before.destinations, after.destinations),
    leads: difference(before.leads, after.leads),
    events: difference(before.events, after.events),
    deliveries: difference(before.deliveries, after.deliveries),
    attempts: difference(before.attempts, after.attempts),
    faults: difference(before.faults, after.faults),
    requests: difference(before.requests, after.requests),
  }
}
