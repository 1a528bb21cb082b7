import * as z from 'zod/mini'
import * as calls from './calls/informe.ts'
import { endpoint } from './endpoint.ts'
import { anything } from './fields.ts'

export const getInforme = endpoint(calls.getInforme, {
  request: undefined,
  data: z.looseObject({ url: z.string() }),
})

export const openInforme = endpoint(calls.openInforme, {
  request: undefined,
  data: anything,
})
