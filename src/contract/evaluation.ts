import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const read = {
  method: 'GET',
  auth: 'key',
  accept: 'application/json',
  request: undefined,
  bodyShown: true,
  repeat: 'safe',
  changes: false,
} as const

/** An evaluation record, as far as it is shown (specification: "Lead, evaluation and evaluation report"). */
export const evaluation = z.looseObject({ idPreAprobacion: z.string(), urlInforme: z.string() })

export const evaluationByRut = endpoint({
  ...read,
  section: 'Evaluation reads',
  summary: 'read the latest evaluation of a national id',
  path: '/partner/pre-approve/rut/{rut}',
  params: ['rut'],
  data: evaluation,
  success: { status: 200, meaning: 'the latest evaluation' },
  statuses: { 404: { outcome: 'not-found', meaning: 'no evaluation for this national id' } },
})

export const evaluationByLead = endpoint({
  ...read,
  section: 'Evaluation reads',
  summary: 'read the evaluation of a lead',
  path: '/partner/pre-approve/lead/{leadId}',
  pathSetting: 'paths.evaluationByLead',
  params: ['leadId'],
  data: evaluation,
  success: { status: 200, meaning: "the lead's evaluation" },
  statuses: { 404: { outcome: 'not-found', meaning: 'no evaluation for this lead (it may not be finished)' } },
})

export const listLeads = endpoint({
  ...read,
  section: 'Evaluation reads',
  summary: 'list leads',
  path: '/partner/leads',
  pathSetting: 'paths.leads',
  params: [],
  data: z.array(z.looseObject({ idPreAprobacion: z.optional(z.nullable(z.string())) })),
  success: { status: 200, meaning: 'the leads; each row carries idPreAprobacion, never urlInforme' },
  statuses: {},
})

export const getLead = endpoint({
  ...read,
  section: 'Evaluation reads',
  summary: 'read the details of a lead',
  path: '/partner/leads/{leadId}',
  pathSetting: 'paths.lead',
  params: ['leadId'],
  data: z.looseObject({}),
  success: { status: 200, meaning: 'the lead; neither idPreAprobacion nor urlInforme' },
  statuses: { 404: { outcome: 'not-found', meaning: 'no lead with this id' } },
})
