import * as z from 'zod/mini'
import * as calls from './calls/evaluation.ts'
import { endpoint } from './endpoint.ts'

/** An evaluation record, as far as it is shown (specification: "Lead, evaluation and evaluation report"). */
export const evaluation = z.looseObject({ idPreAprobacion: z.string(), urlInforme: z.string() })

export const evaluationByRut = endpoint(calls.evaluationByRut, {
  request: undefined,
  data: evaluation,
})

export const evaluationByLead = endpoint(calls.evaluationByLead, {
  request: undefined,
  data: evaluation,
})

export const listLeads = endpoint(calls.listLeads, {
  request: undefined,
  data: z.array(z.looseObject({ idPreAprobacion: z.optional(z.nullable(z.string())) })),
})

export const getLead = endpoint(calls.getLead, {
  request: undefined,
  data: z.looseObject({}),
})
