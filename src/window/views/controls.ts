import { ENDPOINT_NAMES, endpointOf } from '../../contract/endpoints.ts'
import { MARK, profileOf } from '../../domain/sandbox-accounts.ts'
import { baseOf } from '../../sandbox/addresses.ts'
import { TEST_CUSTOMERS } from '../../sandbox/records/customers.ts'
import type { ShownCause, SinceView } from '../../sandbox/service/cause.ts'
import { changesSince } from '../../sandbox/service/changes.ts'
import { shownService } from '../../sandbox/service/control.ts'
import { flagInput, textInput } from '../../sandbox/service/controls/control-action.ts'
import { snapshotInput, snapshotNames } from '../../sandbox/service/controls/snapshots.ts'
import { Refusal } from '../../sandbox/service/refusal.ts'
import { findAnyLead } from '../../sandbox/store/evaluations.ts'
import { DELIVERY, DOWNLOAD, EVERY, kindsAt, PAGE_VISIT } from '../../sandbox/store/fault-effect.ts'
import { listFaults } from '../../sandbox/store/faults.ts'
import { listAccounts } from '../../sandbox/store/partners.ts'
import { type Db, StoreRefusal } from '../../sandbox/store/store.ts'
import { nameOfLead } from './payments.ts'
import type { CauseView } from './rows.ts'
import { PAGE_ROWS, pageInput, type ViewsByName } from './view.ts'

/** `controls`: accounts with their keys, test customers, endpoints, faults, snapshots, and the service that the sandbox is. */
export const controlsView: ViewsByName['controls'] = async (_input, { store: { db }, snapshotDir, description }) => ({
  partners: listAccounts(db).map((account) => ({
    ...account,
    production: { ...account.production, base: baseOf('', 'production') },
    profile: profileOf(account) ?? null,
  })),
  customers: TEST_CUSTOMERS,
  endpoints: [
    ...ENDPOINT_NAMES.map((name) => {
      const { method, path } = endpointOf(name)
      return { name, method, path, kinds: kindsAt(name) }
    }),
    ...([DOWNLOAD, EVERY, DELIVERY, PAGE_VISIT] as const).map((name) => ({
      name,
      method: '',
      path: '',
      kinds: kindsAt(name),
    })),
  ],
  faults: listFaults(db),
  snapshots: await snapshotNames(snapshotDir),
  service: shownService(description),
})

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
