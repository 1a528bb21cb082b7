import { randomBytes, randomUUID } from 'node:crypto'
import { answerOf, isKnown, type ServiceDescription } from '../../contract/description.ts'
import { ENVIRONMENTS, type Environment } from '../conventions.ts'
import type { Db, Store } from './store.ts'
import type { PartnerRow } from './tables.ts'

type SandboxSetting = 'clockOffsetMs' | 'signingSecret' | 'deliverySteps' | 'probe' | 'savedAt' | 'snapshotId'

/** Reads a setting. Returns undefined when it was never written. */
export function readSetting(db: Db, name: SandboxSetting): string | undefined {
  return db.get<{ value: string }>('select value from settings where name = ?', name)?.value
}

export function writeSetting(db: Db, name: SandboxSetting, value: string): void {
  db.run(
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    name,
    value,
  )
}

/**
 * Returns the waits between the attempts of a delivery, in ms, and whether each wait varies (`jitter`). Prefers waits that a user has set to
 * those of the description. The waits of a described service do not vary.
 */
export function retrySteps(db: Db, description: ServiceDescription): { steps: readonly number[]; jitter: boolean } {
  const kept = readSetting(db, 'deliverySteps')
  if (kept !== undefined) return { steps: JSON.parse(kept), jitter: true }
  const { deliveryRetries } = description.answers
  return { steps: answerOf(description, 'deliveryRetries'), jitter: !isKnown(deliveryRetries) }
}

/** Changes the waits between attempts, in ms. */
export function setRetrySteps(db: Db, steps: readonly number[]): void {
  writeSetting(db, 'deliverySteps', JSON.stringify(steps))
}

/** An account as other programs see it, with the keys of its beta and production environments. */
export interface SandboxPartner {
  name: string
  product: 'bnpl' | 'real-estate'
  evaluationModule: boolean
  active: boolean
  apiKey: string
  publicKey: string
  entityId: string
  production: { name: string; apiKey: string; publicKey: string }
}

const SEEDS: readonly Pick<SandboxPartner, 'name' | 'product' | 'evaluationModule' | 'active'>[] = [
  { name: 'Tienda Demo', product: 'bnpl', evaluationModule: false, active: true },
  { name: 'Inmobiliaria Demo', product: 'real-estate', evaluationModule: true, active: true },
  { name: 'Inmobiliaria Sin Modulo', product: 'real-estate', evaluationModule: false, active: true },
  { name: 'Inmobiliaria Inactiva', product: 'real-estate', evaluationModule: true, active: false },
]

/** Creates the accounts, their keys, and the sandbox's signing secret on first use. */
export function seed(store: Store): void {
  if (readSetting(store.db, 'signingSecret') !== undefined) return
  store.transaction((db) => {
    if (readSetting(db, 'signingSecret') !== undefined) return
    const entityIds = SEEDS.map(() => randomUUID())
    for (const [at, environment] of ENVIRONMENTS.entries()) {
      for (const [i, partner] of SEEDS.entries()) {
        db.insert('partners', {
          id: randomUUID(),
          position: at * SEEDS.length + i,
          name: environment === 'beta' ? partner.name : `${partner.name} (${environment})`,
          product: partner.product,
          evaluationModule: Number(partner.evaluationModule),
          active: Number(partner.active),
          apiKey: `sk_${KEY_MARK[environment]}_${secret()}`,
          publicKey: `pk_${KEY_MARK[environment]}_${secret()}`,
          entityId: entityIds[i] ?? '',
          environment,
        })
      }
    }
    writeSetting(db, 'signingSecret', secret())
  })
}

const KEY_MARK: Readonly<Record<Environment, string>> = { beta: 'sandbox', production: 'sandbox_production' }

const secret = () => randomBytes(24).toString('base64url')

/** Returns the rows of the accounts, first those of beta, then those of production. */
export function listPartners(db: Db): PartnerRow[] {
  return db.all('select * from partners order by position')
}

export function findPartner(db: Db, by: 'id' | 'apiKey' | 'name', value: string): PartnerRow | undefined {
  return db.get(`select * from partners where ${by} = ?`, value)
}

/** Returns the accounts as other programs see them, sorted by their position. */
export function listAccounts(db: Db): SandboxPartner[] {
  const rows = listPartners(db)
  const ofBeta = rows.filter(({ environment }) => environment === 'beta')
  const ofProduction = rows.filter(({ environment }) => environment === 'production')
  return ofBeta.flatMap((row) => {
    const twin = ofProduction.find(({ entityId }) => entityId === row.entityId)
    return twin === undefined ? [] : [asAccount(row, twin)]
  })
}

function asAccount(row: PartnerRow, production: PartnerRow): SandboxPartner {
  const { name, product, apiKey, publicKey, entityId } = row
  return {
    name,
    product,
    evaluationModule: row.evaluationModule === 1,
    active: row.active === 1,
    apiKey,
    publicKey,
    entityId,
    production: { name: production.name, apiKey: production.apiKey, publicKey: production.publicKey },
  }
}
