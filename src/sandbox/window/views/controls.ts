import { readdir } from 'node:fs/promises'
import { ENDPOINT_NAMES, endpointOf } from '../../../contract/endpoints.ts'
import { profileOf } from '../../../domain/sandbox-accounts.ts'
import { SNAPSHOT_ENDING } from '../../../domain/snapshot-name.ts'
import { baseOf } from '../../conventions.ts'
import { TEST_CUSTOMERS } from '../../records/customers.ts'
import { listFaults } from '../../store/faults.ts'
import { DOWNLOAD, EVERY } from '../../store/harm.ts'
import { listAccounts } from '../../store/partners.ts'
import type { ViewsByName } from './view.ts'

/** `controls`: accounts with their keys, test customers, endpoints, faults and snapshots. */
export const controlsView: ViewsByName['controls'] = async (_input, { store: { db }, snapshotDir }) => ({
  partners: (await listAccounts(db)).map((account) => ({
    ...account,
    production: { ...account.production, base: baseOf('', 'production') },
    profile: profileOf(account) ?? null,
  })),
  customers: TEST_CUSTOMERS,
  endpoints: [
    ...ENDPOINT_NAMES.map((name) => {
      const { method, path } = endpointOf(name)
      return { name, method, path }
    }),
    { name: DOWNLOAD, method: '', path: '' },
    { name: EVERY, method: '', path: '' },
  ],
  faults: await listFaults(db),
  snapshots: snapshotDir === undefined ? null : await snapshotNames(snapshotDir),
})

async function snapshotNames(folder: string): Promise<string[]> {
  // Before the first snapshot there is no folder.
  const files = await readdir(folder).catch(() => [])
  return files
    .filter((file) => file.endsWith(SNAPSHOT_ENDING))
    .map((file) => file.slice(0, -SNAPSHOT_ENDING.length))
    .sort()
}
