import * as z from 'zod/mini'
import type { Endpoint } from '../contract/calls/call.ts'
import { mismatch } from '../contract/mismatch.ts'
import type { WireResponse } from '../contract/wire.ts'
import { parseJsonText } from '../text/json-text.ts'
import { type Asked, shapeFailure } from './failure.ts'

/** The answer to a call, and what was asked. */
interface AnsweredCall extends Asked {
  endpoint: Endpoint
  response: WireResponse
}

/** `data` of a success, as it came. Throws `service` or `outcome-unknown` where there is none. */
export function readData(answer: AnsweredCall): unknown {
  const { endpoint, response } = answer
  const parsed = parseJsonText(response.body)
  if (!parsed.ok) {
    if (!endpoint.bodyShown) return {}
    throw shapeFailure(answer, parsed.reason)
  }
  const data = isRecord(parsed.value) ? parsed.value.data : undefined
  if (!endpoint.bodyShown) return isRecord(data) ? data : isRecord(parsed.value) ? parsed.value : {}
  if (data === undefined) throw shapeFailure(answer, 'it has no `data`')
  return data
}

/**
 * Holds `data` against the contract; every field the service sent is kept. Throws as `readData` does.
 * @returns it, as of the type that the contract gives to the endpoint's data
 */
export function checkData<Data>(answer: AnsweredCall, data: unknown): Data {
  const { bodyShown, data: schema } = answer.endpoint
  const wrong = bodyShown ? firstProblem(schema, data, ['data']) : undefined
  if (wrong !== undefined) throw shapeFailure(answer, wrong)
  return data as Data
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
