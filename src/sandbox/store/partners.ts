import { randomBytes, randomUUID } from 'node:crypto'
import { readSetting, writeSetting } from './settings.ts'
import type { Store } from './store.ts'
import type { Db, PartnerRow } from './tables.ts'

/** A partner account of the sandbox, as other programs see it. */
export interface SandboxPartner {
  name: string
  product: 'bnpl' | 'real-estate'
  evaluationModule: boolean
  active: boolean
  apiKey: string
  publicKey: string
  entityId: string
}

/** The accounts of every sandbox. */
const SEEDS: readonly Pick<SandboxPartner, 'name' | 'product' | 'evaluationModule' | 'active'>[] = [
  { name: 'Tienda Demo', product: 'bnpl', evaluationModule: false, active: true },
  { name: 'Inmobiliaria Demo', product: 'real-estate', evaluationModule: true, active: true },
  { name: 'Inmobiliaria Sin Modulo', product: 'real-estate', evaluationModule: false, active: true },
  { name: 'Inmobiliaria Inactiva', product: 'real-estate', evaluationModule: true, active: false },
]

/** Makes the accounts, their keys and the sandbox's signing secret on first use. */
export async function seed(store: Store): Promise<void> {
  if ((await readSetting(store.db, 'signingSecret')) !== undefined) return
  await store.transaction(async (db) => {
    if ((await readSetting(db, 'signingSecret')) !== undefined) return
    const rows = SEEDS.map((partner, position) => ({
      id: randomUUID(),
      position,
      name: partner.name,
      product: partner.product,
      evaluationModule: Number(partner.evaluationModule),
      active: Number(partner.active),
      apiKey: `sk_sandbox_${secret()}`,
      publicKey: `pk_sandbox_${secret()}`,
      entityId: randomUUID(),
    }))
    await db.insertInto('partners').values(rows).execute()
    await writeSetting(db, 'signingSecret', secret())
  })
}

const secret = () => randomBytes(24).toString('base64url')

/** The accounts, in their order. */
export function listPartners(db: Db): Promise<PartnerRow[]> {
  return db.selectFrom('partners').selectAll().orderBy('position').execute()
}

/** An account by its id, key or name. */
export function findPartner(db: Db, by: 'id' | 'apiKey' | 'name', value: string): Promise<PartnerRow | undefined> {
  return db.selectFrom('partners').selectAll().where(by, '=', value).executeTakeFirst()
}

/** Makes concurrent transactions of one partner wait for each other: an update locks the row in every database. */
export async function lockPartner(db: Db, id: string): Promise<void> {
  await db
    .updateTable('partners')
    .set((row) => ({ position: row.ref('position') }))
    .where('id', '=', id)
    .execute()
}

/** An account as other programs see it. */
export function asPartner(row: PartnerRow): SandboxPartner {
  const { name, product, apiKey, publicKey, entityId } = row
  return {
    name,
    product,
    evaluationModule: row.evaluationModule === 1,
    active: row.active === 1,
    apiKey,
    publicKey,
    entityId,
  }
}
