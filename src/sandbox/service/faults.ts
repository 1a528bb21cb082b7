import { endpointOf } from '../../contract/endpoints.ts'
import { WireFailure, type WireResponse } from '../../contract/wire.ts'
import { FAULT_CODE, type SimulatedFaultKind } from '../../domain/sandbox-faults.ts'
import { isRecord } from '../../text/json-text.ts'
import { type CallPlace, DOWNLOAD, type FaultEffect } from '../store/fault-effect.ts'
import type { Waiting } from './clock.ts'
import { Refusal, refusalAnswer } from './refusal.ts'

/**
 * Applies the part of a fault that happens before the request is processed. Throws `WireFailure` when the request is lost. If the caller
 * stops waiting during a delay, the request is still processed.
 * @returns the answer of the fault; undefined when the request must be processed
 */
export async function faultBefore(
  effect: FaultEffect,
  place: CallPlace,
  waiting: Waiting,
): Promise<WireResponse | undefined> {
  if (effect.kind === 'refused') throw new WireFailure('refused', false, 'a simulated fault refused the connection')
  await waiting.wait(effect.delayMs)
  if (effect.status !== null) return faultAnswer(effect, effect.status, place)
  if (effect.cut && effect.before) throw lost()
  return undefined
}

/** Applies a fault to the answer of a processed request. Returns the changed answer, or the `WireFailure` that replaces it. */
export function faultAfter(effect: FaultEffect, answer: WireResponse): WireResponse | WireFailure {
  if (effect.cut) return lost()
  const altered = effect.kind === null ? answer : alteredAnswer(effect.kind, answer)
  return effect.truncate === null ? altered : new CutAnswer(altered, effect.truncate)
}

/**
 * An answer during which the connection breaks. A client in this process receives this `WireFailure`. A server sends the first bytes of the
 * answer and then closes the connection.
 */
export class CutAnswer extends WireFailure {
  readonly response: WireResponse
  readonly bytes: number

  /** @param most at most this many bytes of the body are sent, and never its last byte */
  constructor(response: WireResponse, most: number) {
    const bytes = Math.min(most, Math.max(0, response.body.length - 1))
    super('reset', true, `the connection broke after ${bytes} bytes of the answer`)
    this.response = response
    this.bytes = bytes
  }
}

const lost = () => new WireFailure('reset', true, 'a simulated fault closed the connection')

/** The error codes of faults, by status. The specification names no code for these statuses (gaps 16 and 40). */
const CODES: Readonly<Record<number, string>> = {
  401: 'ERR_UNAUTHORIZED',
  429: 'ERR_RATE_LIMIT_EXCEEDED',
  503: 'ERR_SERVICE_UNAVAILABLE',
}

/** The error codes of faults at the informe endpoint, by status (gap 38). */
const CODES_OF_INFORME: Readonly<Record<number, string>> = {
  400: 'ERR_UNAUTHORIZED',
  401: 'ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER',
  403: 'ERR_PARTNER_INACTIVE',
  404: 'ERR_PRE_APPROVAL_NOT_FOUND',
}

function faultAnswer({ code, retryAfter }: FaultEffect, status: number, place: CallPlace): WireResponse {
  const meaning = place === DOWNLOAD ? undefined : endpointOf(place).statuses[status]
  const usual = (place === 'getInforme' ? CODES_OF_INFORME[status] : undefined) ?? CODES[status] ?? FAULT_CODE
  const named = code ?? Object.keys(meaning?.codes ?? {})[0] ?? usual
  const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': String(retryAfter) }
  return refusalAnswer(new Refusal(status, named, meaning?.meaning ?? 'the sandbox simulates a fault', headers))
}

/** The fields of the contract that are amounts, which only their names show, because counts are integers too. */
const AMOUNTS = /^(?:amount|total)$|Amount$/
const IDS = /^(?:id|preApproveId|loanRequestId|idPreAprobacion|preLoanRequestId|leadId)$/

type Alteration = (body: Uint8Array) => Uint8Array

const PAGE = '<!doctype html><html><body><h1>Service under maintenance</h1></body></html>'

const ALTERATIONS: Partial<Record<SimulatedFaultKind, Alteration>> = {
  'broken-body': () => Buffer.from(PAGE),
  'half-body': (body) => body.subarray(0, Math.floor(body.length / 2)),
  'empty-body': () => new Uint8Array(),
  'unknown-fields': inObjects((fields) => [['unknownField', { since: 'tomorrow' }], ...fields]),
  'reordered-fields': inObjects((fields) => fields.toReversed()),
  'other-amount': ofJson(withOtherAmounts),
  'other-state': ofJson(withOther(/^state$/, () => 'CANCELLED')),
  'other-transaction': ofJson(withOtherTransaction),
  'other-id': ofJson(withOtherIds),
}

/** Returns an answer after a fault has changed it. An answer that is not successful is returned unchanged. */
function alteredAnswer(kind: SimulatedFaultKind, answer: WireResponse): WireResponse {
  const alter = ALTERATIONS[kind]
  return alter === undefined || answer.status >= 300 ? answer : { ...answer, body: alter(answer.body) }
}

/** Returns a copy of a value in which every amount is too low by 1. */
export function withOtherAmounts(value: unknown): unknown {
  return withOther(AMOUNTS, (amount) => (typeof amount === 'number' ? amount - 1 : amount))(value)
}

/** Returns a copy of a value in which the transaction's id belongs to no transaction of the shop. */
export function withOtherTransaction(value: unknown): unknown {
  return withOther(/^externalTrxId$/, another)(value)
}

/** Returns a copy of a value with other ids, which belong to no object of the sandbox. */
export function withOtherIds(value: unknown): unknown {
  return withOther(IDS, another)(value)
}

const another = (id: unknown) => (typeof id === 'string' ? `another-${id}` : id)

function withOther(names: RegExp, other: (value: unknown) => unknown): (value: unknown) => unknown {
  return mapped((fields) => fields.map(([name, value]) => [name, names.test(name) ? other(value) : value]))
}

type Fields = readonly (readonly [name: string, value: unknown])[]

function inObjects(change: (fields: Fields) => Fields): Alteration {
  return ofJson(mapped(change))
}

function mapped(change: (fields: Fields) => Fields): (value: unknown) => unknown {
  const map = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(map)
    if (!isRecord(value)) return value
    return Object.fromEntries(change(Object.entries(value).map(([name, item]) => [name, map(item)])))
  }
  return map
}

function ofJson(change: (value: unknown) => unknown): Alteration {
  return (body) => {
    try {
      return Buffer.from(JSON.stringify(change(JSON.parse(new TextDecoder().decode(body)))))
    } catch {
      return body
    }
  }
}
