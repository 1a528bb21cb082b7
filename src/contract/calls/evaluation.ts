import { call } from './call.ts'

const read = {
  method: 'GET',
  auth: 'key',
  accept: 'application/json',
  bodyShown: true,
  repeat: 'safe',
  changes: false,
} as const

export const evaluationByRut = call({
  ...read,
  section: 'Evaluation reads',
  summary: 'read the latest evaluation of a national id',
  path: '/partner/pre-approve/rut/{rut}',
  params: ['rut'],
  success: { status: 200, meaning: 'the latest evaluation' },
  statuses: { 404: { outcome: 'not-found', meaning: 'no evaluation for this national id' } },
})

export const evaluationByLead = call({
  ...read,
  section: 'Evaluation reads',
  summary: 'read the evaluation of a lead',
  path: '/partner/pre-approve/lead/{leadId}',
  pathSetting: 'paths.evaluationByLead',
  params: ['leadId'],
  success: { status: 200, meaning: "the lead's evaluation" },
  statuses: { 404: { outcome: 'not-found', meaning: 'no evaluation for this lead (it may not be finished)' } },
})

export const listLeads = call({
  ...read,
  section: 'Evaluation reads',
  summary: 'list leads',
  path: '/partner/leads',
  pathSetting: 'paths.leads',
  params: [],
  success: { status: 200, meaning: 'the leads; each row carries idPreAprobacion, never urlInforme' },
  statuses: {},
})

export const getLead = call({
  ...read,
  section: 'Evaluation reads',
  summary: 'read the details of a lead',
  path: '/partner/leads/{leadId}',
  pathSetting: 'paths.lead',
  params: ['leadId'],
  success: { status: 200, meaning: 'the lead; neither idPreAprobacion nor urlInforme' },
  statuses: { 404: { outcome: 'not-found', meaning: 'no lead with this id' } },
})
