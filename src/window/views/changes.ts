import { MARK } from '../../domain/sandbox-accounts.ts'
import type { ShownCause, SinceView } from '../../sandbox/service/changes/cause.ts'
import { changesSince } from '../../sandbox/service/changes/since.ts'
import { flagInput, textInput } from '../../sandbox/service/controls/control-action.ts'
import { snapshotInput, snapshotNames } from '../../sandbox/service/controls/snapshots.ts'
import { Refusal } from '../../sandbox/service/refusal.ts'
import { findAnyLead } from '../../sandbox/store/leads.ts'
import { type Db, StoreRefusal } from '../../sandbox/store/store.ts'
import { nameOfLead } from './leads.ts'
import type { CauseView } from './rows.ts'
import { PAGE_ROWS, pageInput, type ViewsByName } from './view.ts'

/** The views of what changed since a snapshot. The input `since` is the name of that snapshot (`mark` by default). */
export const changeViews: Pick<ViewsByName, 'changes' | 'change'> = {
  /** `changes {page, since?, onlyChanges?}`: requests and other causes of changes, newest first. */
  async changes(input, service) {
    const { page, offset } = pageInput(input)
    const name = textInput(input, 'since') ?? MARK
    const { snapshotDir } = service
    const snapshots = (await snapshotNames(snapshotDir)) ?? []
    const empty = { page, pageRows: PAGE_ROWS, total: 0, rows: [], requests: 0, changes: 0, since: null, snapshots }
    if (!snapshots.includes(name)) return { ...empty, problem: null }
    const asked = { offset, limit: PAGE_ROWS, onlyChanges: flagInput(input, 'onlyChanges') }
    try {
      const { causes, at, ...counts } = await changesSince(service, snapshotInput({ name }, service), asked)
      const rows = await Promise.all(causes.map((cause) => withLead(service.store.db, cause)))
      return { ...empty, ...counts, rows, since: { name, at }, problem: null }
    } catch (error) {
      return { ...empty, problem: problemOf(error) }
    }
  },

  async change(input, service) {
    const asked = { offset: 0, limit: Number.POSITIVE_INFINITY, onlyChanges: false }
    try {
      const file = snapshotInput({ name: textInput(input, 'since') ?? MARK }, service)
      const { causes } = await changesSince(service, file, asked)
      const cause = causes.find(({ id }) => id === input.id)
      return cause === undefined ? null : await withLead(service.store.db, cause)
    } catch (error) {
      problemOf(error)
      return null
    }
  },
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

async function withLead(db: Db, cause: ShownCause): Promise<CauseView> {
  const lead = cause.about !== null && UUID.test(cause.about) ? findAnyLead(db, cause.about) : undefined
  return { ...cause, lead: lead === undefined ? null : nameOfLead(lead) }
}

function problemOf(error: unknown): SinceView['problem'] {
  if (error instanceof Refusal && error.code === 'ERR_SNAPSHOT_OF_ANOTHER_SANDBOX') return 'foreign'
  if (error instanceof StoreRefusal || error instanceof Refusal) return 'unreadable'
  throw error
}
