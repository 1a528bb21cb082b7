import * as z from 'zod/mini'
import type { Endpoint } from '../contract/calls/call.ts'
import { mismatchClause } from '../contract/mismatch.ts'
import { isEmpty, type Reading, readingOf, recordIn } from '../contract/reading.ts'
import type { WireResponse } from '../contract/wire.ts'
import { parseJsonText } from '../text/json-text.ts'
import { isRecord } from '../text/record.ts'
import { type Asked, emptyFailure, shapeFailure } from './failure.ts'

interface AnsweredCall extends Asked {
  endpoint: Endpoint
  response: WireResponse
}

function readData(answer: AnsweredCall): unknown {
  const { endpoint, response } = answer
  if (endpoint.emptyData !== undefined && response.status === 204 && response.body.length === 0) return {}
  const parsed = parseJsonText(response.body)
  if (!parsed.ok) {
    if (!endpoint.bodyShown) return {}
    throw shapeFailure(answer, parsed.reason)
  }
  const data = isRecord(parsed.value) ? parsed.value.data : undefined
  if (!endpoint.bodyShown) return recordIn(data) ?? [data, parsed.value].find(isRecord) ?? {}
  if (data === undefined) throw shapeFailure(answer, 'it has no `data`')
  return data
}

type Held = Reading & { wrong?: string }

/**
 * Returns an answer's `data`. `wrong` says how the data differs from the contract. Other likely shapes of `data` are accepted too. Throws
 * `service`, `outcome-unknown`, or the error that the contract names for an empty `data`.
 */
export function holdData(answer: AnsweredCall): Held {
  const { endpoint } = answer
  const data = readData(answer)
  if (!endpoint.bodyShown) return { data, notes: [] }
  const wrong = firstProblem(endpoint.data, data, ['data'])
  if (wrong === undefined && (endpoint.dataShapeShown || (Array.isArray(data) && data.length !== 1)))
    return { data, notes: [] }
  const reading = readingOf(endpoint, data)
  if (reading) return reading
  if (endpoint.emptyData && isEmpty(data)) throw emptyFailure(answer, endpoint.emptyData)
  return { data, notes: [], ...(wrong === undefined ? {} : { wrong }) }
}

/** Returns the data with the type of the contract. Throws `service` or `outcome-unknown` if the data has another shape. */
export function dataAsSpecified<Data>(answer: AnsweredCall, { data, wrong }: Held): Data {
  if (wrong !== undefined) throw shapeFailure(answer, wrong)
  return data as Data
}

/**
 * Returns the first difference from the schema, in words. A list is checked only up to its first wrong element, because a list that is
 * wrong throughout would give one problem for each element.
 */
function firstProblem(schema: z.ZodMiniType, data: unknown, at: readonly PropertyKey[]): string | undefined {
  if (schema instanceof z.ZodMiniArray && Array.isArray(data)) {
    for (const [i, each] of data.entries()) {
      const wrong = firstProblem(schema.def.element as z.ZodMiniType, each, [...at, i])
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
  const checked = z.safeParse(schema, data)
  if (checked.success) return undefined
  const [issue] = checked.error.issues
  return issue && `${[...at, ...issue.path].join('.')} is not as specified (${mismatchClause(issue, data)})`
}
