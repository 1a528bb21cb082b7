import type { Shapes } from '../shapes.ts'
import { call } from './call.ts'

/** Returns the shape of the record of an evaluation (specification: "Lead, evaluation and evaluation report"). */
const evaluationRecord = ({ looseObject, string }: Shapes) =>
  looseObject({ idPreAprobacion: string(), urlInforme: string() })

/** The path parameter with the id of a lead. */
const LEAD_ID = { name: 'leadId', meaning: 'The id of the lead' } as const

export const evaluationByRutCall = call({
  tag: 'evaluations',
  section: 'Evaluation reads',
  summary: 'read the latest evaluation of a national id',
  notShown: { status: 46, statuses: { 404: 46 } },
  method: 'GET',
  path: '/partner/pre-approve/rut/{rut}',
  params: [{ name: 'rut', meaning: 'The national id of the customer: <digits>-<check character>' }],
  success: { status: 200, meaning: 'the latest evaluation' },
  statuses: { 404: { outcome: 'not-found', meaning: 'no evaluation for this national id' } },
  formats: { request: { rut: 'national-id' }, answer: { urlInforme: 'link' } },
  repeat: 'safe',
  changes: false,
  schemas: (shapes) => ({ data: evaluationRecord(shapes) }),
})

export const evaluationByLeadCall = call({
  tag: 'evaluations',
  section: 'Evaluation reads',
  summary: 'read the evaluation of a lead',
  notShown: { path: 14, status: 46, statuses: { 404: 46 } },
  method: 'GET',
  path: '/partner/pre-approve/lead/{leadId}',
  params: [LEAD_ID],
  pathSetting: 'paths.evaluationByLead',
  success: { status: 200, meaning: "the lead's evaluation" },
  statuses: {
    404: { outcome: 'not-found', meaning: 'there is no lead with this id, or its evaluation is not finished' },
  },
  formats: { answer: { urlInforme: 'link' } },
  repeat: 'safe',
  changes: false,
  schemas: (shapes) => ({ data: evaluationRecord(shapes) }),
})

export const listLeadsCall = call({
  tag: 'evaluations',
  section: 'Evaluation reads',
  summary: 'list leads',
  notShown: { path: 14, status: 46, query: 14, answer: 44, answerFields: { idPreAprobacion: 14 } },
  method: 'GET',
  path: '/partner/leads',
  pathSetting: 'paths.leads',
  success: { status: 200, meaning: 'the leads; each row has idPreAprobacion, never urlInforme' },
  repeat: 'safe',
  changes: false,
  dataShapeShown: false,
  schemas: ({ array, looseObject, nullable, optional, string }) => ({
    data: array(looseObject({ idPreAprobacion: optional(nullable(string())) })),
  }),
})

export const getLeadCall = call({
  tag: 'evaluations',
  section: 'Evaluation reads',
  summary: 'read the details of a lead',
  notShown: { path: 14, status: 46, answer: 14, statuses: { 404: 46 } },
  method: 'GET',
  path: '/partner/leads/{leadId}',
  params: [LEAD_ID],
  pathSetting: 'paths.lead',
  success: { status: 200, meaning: 'the lead, without idPreAprobacion and urlInforme' },
  statuses: { 404: { outcome: 'not-found', meaning: 'no lead with this id' } },
  repeat: 'safe',
  changes: false,
  dataShapeShown: false,
  schemas: ({ anything }) => ({ data: anything }),
})
