import { call } from './call.ts'

export const getLeadCall = call({
  tag: 'evaluations',
  section: 'Evaluation reads',
  summary: 'read the details of a lead',
  method: 'GET',
  path: '/partner/leads/{leadId}',
  params: ['leadId'],
  pathShown: false,
  pathSetting: 'paths.lead',
  success: { status: 200, meaning: 'the lead; neither idPreAprobacion nor urlInforme' },
  statuses: { 404: { outcome: 'not-found', meaning: 'no lead with this id' } },
  repeat: 'safe',
  changes: false,
  dataShapeShown: false,
  schemas: ({ anything }) => ({ data: anything }),
})
