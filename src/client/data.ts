import type { Endpoint } from '../contract/calls/call.ts'
import {
  compareData,
  differenceInWords,
  isEmpty,
  type Reading,
  recordIn,
  withImplied,
} from '../contract/compare/data.ts'
import type { WireResponse } from '../contract/wire.ts'
import { isRecord, parseJsonText } from '../text/json-text.ts'
import { type Asked, emptyFailure, shapeFailure } from './failure.ts'

interface AnsweredCall extends Asked {
  endpoint: Endpoint
  response: WireResponse
}

function readData(answer: AnsweredCall): { data: unknown; notes: readonly string[] } {
  const { endpoint, response } = answer
  if (endpoint.emptyData !== undefined && response.status === 204 && response.body.length === 0)
    return { data: {}, notes: [] }
  const parsed = parseJsonText(response.body)
  if (!parsed.ok) {
    if (!endpoint.bodyShown) return { data: {}, notes: [] }
    throw shapeFailure(answer, parsed.reason)
  }
  const data = isRecord(parsed.value) ? parsed.value.data : undefined
  if (!endpoint.bodyShown) return { data: recordIn(data) ?? [data, parsed.value].find(isRecord) ?? {}, notes: [] }
  if (data !== undefined) return { data, notes: [] }
  if (!isBare(endpoint, parsed.value)) throw shapeFailure(answer, 'it has no `data`')
  return { data: parsed.value, notes: ['it has no `data`, so the fields were read from its top level'] }
}

/** Whether an answer without `data` has exactly the fields of `data` at its top level. */
function isBare(endpoint: Endpoint, value: unknown): boolean {
  if (!isRecord(value) || compareData(endpoint, {}, 'lenient').differences.length === 0) return false
  return compareData(endpoint, withImplied(endpoint, value).data, 'lenient').differences.length === 0
}

interface CheckedData extends Reading {
  wrong?: string
  /** The fields that were not sent, because another field implies them. */
  implied?: readonly string[]
}

/**
 * Returns an answer's `data`. `wrong` says how the data differs from the contract. Other likely shapes of `data` are accepted too. Throws
 * `service`, `outcome-unknown`, or the error that the contract names for an empty `data`.
 */
export function checkData(answer: AnsweredCall): CheckedData {
  const { endpoint } = answer
  const sent = readData(answer)
  const { data, implied } = withImplied(endpoint, sent.data)
  const { differences, ...compared } = compareData(endpoint, data, 'lenient')
  const read = { ...compared, notes: [...sent.notes, ...compared.notes], ...(implied.length > 0 && { implied }) }
  const [first] = differences
  if (first === undefined && read.notes.length > 0) return read
  if (endpoint.emptyData && isEmpty(data) && (first !== undefined || !endpoint.dataShapeShown))
    throw emptyFailure(answer, endpoint.emptyData)
  return { ...read, ...(first && { wrong: differenceInWords(first, data) }) }
}

/** Returns the data with the type of the contract. Throws `service` or `outcome-unknown` if the data has another shape. */
export function dataAsSpecified<Data>(answer: AnsweredCall, { data, wrong }: CheckedData): Data {
  if (wrong !== undefined) throw shapeFailure(answer, wrong)
  return data as Data
}
