import { ENDPOINT_NAMES, endpointOf } from '../../contract/endpoints.ts'
import { profileOf } from '../../domain/sandbox-accounts.ts'
import { baseOf } from '../../sandbox/addresses.ts'
import { TEST_CUSTOMERS } from '../../sandbox/records/customers.ts'
import { shownService } from '../../sandbox/service/controls/controls.ts'
import { snapshotNames } from '../../sandbox/service/controls/snapshots.ts'
import { listFaults } from '../../sandbox/store/faults.ts'
import { DELIVERY, DOWNLOAD, EVERY, kindsAt, PAGE_VISIT } from '../../sandbox/store/harm.ts'
import { listAccounts } from '../../sandbox/store/partners.ts'
import type { ViewsByName } from './view.ts'

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
