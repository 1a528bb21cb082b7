import type { Endpoint } from '../contract/calls/call.ts'
import { compareData, differenceInWords, isEmpty, type Reading, recordIn } from '../contract/compare/data.ts'
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
  const { differences, ...read } = compareData(endpoint, data, 'lenient')
  const [first] = differences
  if (first === undefined && read.notes.length > 0) return read
  if (endpoint.emptyData && isEmpty(data) && (first !== undefined || !endpoint.dataShapeShown))
    throw emptyFailure(answer, endpoint.emptyData)
  return { ...read, ...(first && { wrong: differenceInWords(first, data) }) }
}

/** Returns the data with the type of the contract. Throws `service` or `outcome-unknown` if the data has another shape. */
export function dataAsSpecified<Data>(answer: AnsweredCall, { data, wrong }: Held): Data {
  if (wrong !== undefined) throw shapeFailure(answer, wrong)
  return data as Data
}
