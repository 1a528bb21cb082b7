import { call } from './call.ts'
import { evaluationRecord } from './evaluation-by-rut.ts'
import { LEAD_ID } from './get-lead.ts'

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
