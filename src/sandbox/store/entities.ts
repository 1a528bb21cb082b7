import { randomBytes } from 'node:crypto'
import { type Db, iso, type Store } from './store.ts'
import type { EntityRow, PartnerRow } from './tables.ts'

type NewEntity = Omit<EntityRow, 'id' | 'createdAt' | 'partnerId'>

/** Returns the entity that an account has from its beginning. It is in no table, and cannot be changed. */
export const ownEntity = ({ id, entityId, name }: PartnerRow): Omit<EntityRow, 'createdAt'> => ({
  id: entityId,
  partnerId: id,
  externalEntityId: entityId,
  name,
  label: name,
  isActive: 1,
  idNumber: null,
  code: null,
  description: null,
})

/** Adds an entity. Returns undefined if the account has an entity with the same label or the same id of the merchant. */
export function addEntity(store: Store, partner: PartnerRow, entity: NewEntity, now: number): EntityRow | undefined {
  const own = ownEntity(partner)
  if (entity.label === own.label || entity.externalEntityId === own.externalEntityId) return undefined
  const id = `ex-${randomBytes(8).toString('hex')}`
  const row: EntityRow = { ...entity, id, partnerId: partner.id, createdAt: iso(now) }
  return store.transaction((db) => {
    const same = db.get(
      'select id from entities where partnerId = ? and (label = ? or externalEntityId = ?)',
      row.partnerId,
      row.label,
      row.externalEntityId,
    )
    if (same !== undefined) return undefined
    db.insert('entities', row)
    return row
  })
}

/** Returns the entities of an account, oldest first. */
export const partnerEntities = (db: Db, partnerId: string): EntityRow[] =>
  db.all('select * from entities where partnerId = ? order by createdAt, id', partnerId)

/** Returns an entity of an account. */
export const findEntity = (db: Db, partnerId: string, id: string): EntityRow | undefined =>
  db.get('select * from entities where partnerId = ? and id = ?', partnerId, id)

/** Changes the name of an entity, or whether it is active. Returns the entity; undefined if the account has no such entity. */
export function changeEntity(
  db: Db,
  partnerId: string,
  id: string,
  change: { name?: string | undefined; isActive?: boolean | undefined },
): EntityRow | undefined {
  const { name = null, isActive } = change
  const changed = 'update entities set name = coalesce(?, name), isActive = coalesce(?, isActive)'
  const active = isActive === undefined ? null : Number(isActive)
  db.run(`${changed} where partnerId = ? and id = ?`, name, active, partnerId, id)
  return findEntity(db, partnerId, id)
}
