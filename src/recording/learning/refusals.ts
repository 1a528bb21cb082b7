import { headerIn } from '../../contract/differences/exchange.ts'
import type { EndpointName } from '../../contract/endpoints.ts'
import type { RefusalManner } from '../../contract/manner.ts'
import { isEmpty, isRecord } from '../../contract/reading.ts'
import { causeOf } from './causes.ts'
import { readRefusal } from './refusal-body.ts'
import type { SeenCall } from './sightings.ts'

/**
 * Returns the service's refusals of a call, using the first recorded refusal for each reason. Each key is the status and the code with
 * which the sandbox refuses for this reason.
 */
export function learnRefusals(
  name: EndpointName,
  calls: readonly SeenCall[],
  all: readonly SeenCall[],
): Record<string, RefusalManner> {
  const learnt: Record<string, RefusalManner> = {}
  for (const call of calls.filter((each) => isRefusal(name, each))) {
    const cause = causeOf(name, call, all)
    if (cause === undefined || Object.hasOwn(learnt, cause)) continue
    const { code, body } = readRefusal(call)
    const contentType = headerIn(call.answer.headers, 'content-type')
    const retryAfter = headerIn(call.answer.headers, 'retry-after')
    learnt[cause] = {
      status: call.status,
      ...(contentType === undefined || contentType.startsWith('(') ? {} : { contentType }),
      ...(body === undefined ? {} : { body }),
      ...(code === undefined ? {} : { code }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    }
  }
  return learnt
}

/** The calls in which a success without content can mean a refusal. */
const MAY_BE_EMPTY: readonly EndpointName[] = [
  'verifyLoan',
  'evaluationByRut',
  'evaluationByLead',
  'getLead',
  'getInforme',
]

/** Whether an answer is a refusal, by its status or because it is a success without content. */
export function isRefusal(name: EndpointName, { status, json, answer }: SeenCall): boolean {
  if (status >= 400) return true
  if (MAY_BE_EMPTY.includes(name)) return answer.body === undefined || (json !== undefined && isEmpty(inData(json)))
  return name === 'evaluate' && hasOnlyEmptyLists(inData(json))
}

const inData = (json: unknown): unknown => (isRecord(json) && Object.hasOwn(json, 'data') ? json.data : json)

function hasOnlyEmptyLists(value: unknown): boolean {
  const lists = isRecord(value) ? Object.values(value).filter(Array.isArray) : []
  return lists.length > 0 && lists.every((list) => list.length === 0)
}
