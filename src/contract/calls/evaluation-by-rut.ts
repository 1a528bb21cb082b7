import type { Shapes } from '../shapes.ts'
import { call } from './call.ts'

/** Returns the shape of the record of an evaluation (specification: "Lead, evaluation and evaluation report"). */
export const evaluationRecord = ({ looseObject, string }: Shapes) =>
  looseObject({ idPreAprobacion: string(), urlInforme: string() })

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
