import { addEntity, changeEntity, ownEntity, partnerEntities } from '../../store/entities.ts'
import type { EntityRow } from '../../store/tables.ts'
import { Refusal } from '../refusal.ts'
import type { KeyedHandlers } from './handler.ts'

/** The specification does not have these calls (gap 51). The answers, and all refusals except 428, are conventions. */
export const entityHandlers: Pick<KeyedHandlers, 'addEntity' | 'listEntities' | 'setEntity'> = {
  addEntity: {
    async answer({ body, partner, now }, { store }) {
      const { isActive, idNumber = null, code = null, description = null, ...named } = body
      const entity = { ...named, idNumber, code, description, isActive: Number(isActive) }
      const added = addEntity(store, partner, entity, now)
      if (added !== undefined) return entityRecord(added)
      throw new Refusal(428, 'ERR_ENTITY_EXISTS', 'an entity of this account has this label or externalEntityId')
    },
  },

  listEntities: {
    answer: async ({ partner }, { store }) =>
      [ownEntity(partner), ...partnerEntities(store.db, partner.id)].map(entityRecord),
  },

  setEntity: {
    async answer({ params, body, partner }, { store }) {
      if (params.entityId === partner.entityId)
        throw new Refusal(422, 'ERR_ENTITY_OF_ACCOUNT', "the account's own entity cannot be changed")
      const changed = changeEntity(store.db, partner.id, params.entityId, body)
      if (changed !== undefined) return entityRecord(changed)
      throw new Refusal(404, 'ERR_ENTITY_NOT_FOUND', 'this account has no entity with this id')
    },
  },
}

const entityRecord = ({ partnerId: _, isActive, ...entity }: Omit<EntityRow, 'createdAt'>) => ({
  ...entity,
  isActive: isActive === 1,
})
