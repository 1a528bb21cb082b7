import * as z from 'zod/mini'
import type { Endpoint } from '../contract/calls/call.ts'
import { mismatch } from '../contract/mismatch.ts'
import type { WireResponse } from '../contract/wire.ts'
import { parseJsonText } from '../text/json-text.ts'
import { type Asked, shapeFailure } from './failure.ts'

/** The answer to a call, with its request. */
interface AnsweredCall extends Asked {
  endpoint: Endpoint
  response: WireResponse
}

/** The unchanged `data` of a successful answer. Throws `service` or `outcome-unknown` if the answer has no `data`. */
export function readData(answer: AnsweredCall): unknown {
  const { endpoint, response } = answer
  if (!endpoint.bodyShown && response.body.length === 0) return {}
  const parsed = parseJsonText(response.body)
  if (!parsed.ok) {
    if (!endpoint.bodyShown) return {}
    throw shapeFailure(answer, parsed.reason)
  }
  const data = isRecord(parsed.value) && Object.hasOwn(parsed.value, 'data') ? parsed.value.data : undefined
  if (!endpoint.bodyShown) return isRecord(data) ? data : isRecord(parsed.value) ? parsed.value : {}
  if (data === undefined) throw shapeFailure(answer, 'it has no `data`')
  return data
}

/**
 * Checks `data` against the contract and keeps every field that the service sent. Throws as `readData` does. @returns the data, with the
 * type of the endpoint's data in the contract
 */
export function checkData<Data>(answer: AnsweredCall, data: unknown): Data {
  const { bodyShown, data: schema } = answer.endpoint
  const wrong = bodyShown ? firstProblem(schema, data, ['data']) : undefined
  if (wrong !== undefined) throw shapeFailure(answer, wrong)
  return data as Data
}

/**
 * The first difference from the schema. A list is checked element by element and only to the first problem, because a wholly wrong list
 * would give one problem per element.
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
