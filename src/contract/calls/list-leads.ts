import { call } from './call.ts'

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
