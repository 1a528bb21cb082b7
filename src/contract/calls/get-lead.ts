import { call } from './call.ts'

/** The path parameter with the id of a lead. */
export const LEAD_ID = { name: 'leadId', meaning: 'The id of the lead' } as const

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
