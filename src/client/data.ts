import * as z from 'zod/mini'
import type { Endpoint } from '../contract/endpoint.ts'
import { mismatch } from '../contract/mismatch.ts'
import type { WireResponse } from '../contract/wire.ts'
import type { Exchange } from '../errors.ts'
import { parseJsonText } from '../text/json-text.ts'
import { shapeFailure } from './failure.ts'

/** The largest answer that is read: 10 MiB. */
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024

/** `data` of a success, as it came. */
export function readData(endpoint: Endpoint, response: WireResponse, exchange: Exchange): unknown {
  if (!endpoint.bodyShown && response.body.length === 0) return {}
  const parsed = parseJsonText(response.body)
  if (!parsed.ok) {
    if (!endpoint.bodyShown) return {}
    throw shapeFailure(endpoint, exchange, parsed.reason)
  }
  const data = isRecord(parsed.value) && Object.hasOwn(parsed.value, 'data') ? parsed.value.data : undefined
  if (!endpoint.bodyShown) return isRecord(data) ? data : isRecord(parsed.value) ? parsed.value : {}
  if (data === undefined) throw shapeFailure(endpoint, exchange, 'it has no `data`')
  return data
}

/** Holds `data` against the contract; every field the service sent is kept. */
export function checkData(endpoint: Endpoint, data: unknown, exchange: Exchange): unknown {
  if (!endpoint.bodyShown) return data
  const wrong = firstProblem(endpoint.data, data, ['data'])
  if (wrong === undefined) return data
  throw shapeFailure(endpoint, exchange, wrong)
}

/**
 * The first thing that is not as the schema has it. A list is looked at element by element: one with nothing right in it has as many
 * problems.
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
  return issue && `${[...at, ...issue.path].join('.')} is not as specified (${mismatch(issue, data)})`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
