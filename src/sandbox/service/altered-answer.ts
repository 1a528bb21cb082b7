import type { WireResponse } from '../../contract/wire.ts'
import type { HarmKind, KindOfSort } from '../../domain/sandbox-faults.ts'

const AMOUNTS = ['amount', 'total', 'loanAmount', 'installmentAmount', 'lastInstallmentAmount']
const IDS = ['id', 'preApproveId', 'loanRequestId', 'idPreAprobacion', 'preLoanRequestId', 'leadId']

type Alteration = (body: Uint8Array) => Uint8Array

const PAGE = '<!doctype html><html><body><h1>Service under maintenance</h1></body></html>'

const ALTERATIONS: Partial<Record<KindOfSort<'call'>, Alteration>> = {
  'broken-body': () => Buffer.from(PAGE),
  'half-body': (body) => body.subarray(0, Math.floor(body.length / 2)),
  'empty-body': () => new Uint8Array(),
  'unknown-fields': inObjects((fields) => [['unknownField', { since: 'tomorrow' }], ...fields]),
  'reordered-fields': inObjects((fields) => fields.toReversed()),
  'other-amount': ofJson(withOtherAmounts),
  'other-state': ofJson(withOther(['state'], () => 'CANCELLED')),
  'other-transaction': ofJson(withOtherTransaction),
  'other-id': ofJson(withOtherIds),
}

/** Returns an answer after a fault has changed it. An answer that is not successful is returned unchanged. */
export function alteredAnswer(kind: HarmKind, answer: WireResponse): WireResponse {
  const alter = alterationOf(kind)
  return alter === undefined || answer.status >= 300 ? answer : { ...answer, body: alter(answer.body) }
}

function alterationOf(kind: HarmKind): Alteration | undefined {
  const alterations: Partial<Record<HarmKind, Alteration>> = ALTERATIONS
  return alterations[kind]
}

/** Returns a copy of a value in which every amount is too low by 1. */
export function withOtherAmounts(value: unknown): unknown {
  return withOther(AMOUNTS, (amount) => (typeof amount === 'number' ? amount - 1 : amount))(value)
}

/** Returns a copy of a value in which the transaction's id belongs to no transaction of the shop. */
export function withOtherTransaction(value: unknown): unknown {
  return withOther(['externalTrxId'], another)(value)
}

/** Returns a copy of a value with other ids, which belong to no object of the sandbox. */
export function withOtherIds(value: unknown): unknown {
  return withOther(IDS, another)(value)
}

const another = (id: unknown) => (typeof id === 'string' ? `another-${id}` : id)

function withOther(names: readonly string[], other: (value: unknown) => unknown): (value: unknown) => unknown {
  return mapped((fields) => fields.map(([name, value]) => [name, names.includes(name) ? other(value) : value]))
}

type Fields = readonly (readonly [name: string, value: unknown])[]

function inObjects(change: (fields: Fields) => Fields): Alteration {
  return ofJson(mapped(change))
}

function mapped(change: (fields: Fields) => Fields): (value: unknown) => unknown {
  const map = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(map)
    if (typeof value !== 'object' || value === null) return value
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
