import { findOutBy } from '../failures/advice.ts'
import { call } from './call.ts'

/** The service banca.me publishes these calls, and the specification does not have them. The paths of the last two are not published. */
const COMMON = {
  tag: 'payment',
  section: 'docs.banca.me: api/partners',
  describedBy: 'entities',
} as const

export const addEntityCall = call({
  ...COMMON,
  summary: 'add an entity',
  notShown: { path: 51, status: 51, request: 51, answer: 51, statuses: { 428: 51 } },
  method: 'POST',
  path: '/partner/entity',
  writesJson: true,
  success: { status: 201, meaning: 'the entity, whose id is the entityId of evaluations and widget sessions' },
  bodyShown: false,
  statuses: {
    428: {
      outcome: 'refused',
      meaning: 'it exists already: an entity of the account has this label or externalEntityId',
    },
  },
  repeat: 'reconcile',
  changes: true,
  reconcile: findOutBy('look-for-entity'),
  schemas: ({ anything, boolean, optional, strictObject, text }) => ({
    request: strictObject({
      externalEntityId: text,
      name: text,
      label: text,
      isActive: boolean(),
      idNumber: optional(text),
      code: optional(text),
      description: optional(text),
    }),
    data: anything,
  }),
})

export const listEntitiesCall = call({
  ...COMMON,
  summary: 'list the entities of the account',
  notShown: { path: 51, status: 51, answer: 51 },
  method: 'GET',
  path: '/partner/entity',
  pathSetting: 'paths.entities',
  success: { status: 200, meaning: 'the entities of the account' },
  repeat: 'safe',
  changes: false,
  dataShapeShown: false,
  schemas: ({ array, looseObject, optional, string }) => ({
    data: array(looseObject({ externalEntityId: optional(string()), label: optional(string()) })),
  }),
})

export const setEntityCall = call({
  ...COMMON,
  summary: 'change an entity',
  notShown: { path: 51, status: 51, request: 51, answer: 51, statuses: { 404: 51 } },
  method: 'PATCH',
  path: '/partner/entity/{entityId}',
  pathSetting: 'paths.entity',
  params: [{ name: 'entityId', meaning: 'The id of the entity' }],
  writesJson: true,
  success: { status: 200, meaning: 'the changed entity' },
  bodyShown: false,
  statuses: { 404: { outcome: 'not-found', meaning: 'no entity with this id' } },
  repeat: 'safe',
  changes: true,
  schemas: ({ anything, boolean, optional, strictObject, text }) => ({
    request: strictObject({ name: optional(text), isActive: optional(boolean()) }),
    data: anything,
  }),
})
