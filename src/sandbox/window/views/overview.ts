import { readdir } from 'node:fs/promises'
import { ENDPOINTS, type EndpointName, endpointOf } from '../../../contract/endpoints.ts'
import { profileOf } from '../../../domain/sandbox-accounts.ts'
import { SNAPSHOT_ENDING } from '../../../domain/snapshot-name.ts'
import { addressesOf } from '../../conventions.ts'
import { TEST_CUSTOMERS } from '../../records/customers.ts'
import type { ControlAction } from '../../service/controls/control-action.ts'
import { listFaults } from '../../store/faults.ts'
import { DOWNLOAD, EVERY } from '../../store/harm.ts'
import { asPartner, listPartners } from '../../store/partners.ts'

/** `controls`: all that the controls show: accounts with their keys, customers, faults, snapshots. */
export const controls: ControlAction = async (_input, { store: { db }, baseUrl, snapshotDir }) => ({
  ...addressesOf(baseUrl),
  partners: (await listPartners(db)).map((row) => {
    const partner = asPartner(row)
    return { ...partner, profile: profileOf(partner) ?? null }
  }),
  customers: TEST_CUSTOMERS,
  endpoints: [
    ...(Object.keys(ENDPOINTS) as EndpointName[]).map((name) => {
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
  // Nothing was kept yet where there is no folder.
  const files = await readdir(folder).catch(() => [])
  return files
    .filter((file) => file.endsWith(SNAPSHOT_ENDING))
    .map((file) => file.slice(0, -SNAPSHOT_ENDING.length))
    .sort()
}
