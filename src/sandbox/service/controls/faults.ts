import { faultKind, isFaultKind, type SimulatedFaultKind } from '../../../domain/sandbox-faults.ts'
import { DELAY_LIMIT, FAULT_RETRY_AFTER_S } from '../../conventions.ts'
import {
  type EVERY,
  FAULT_PLACES,
  type FaultEffect,
  type FaultPlace,
  kindsAt,
  PAGE_VISIT,
  sortOfPlace,
} from '../../store/fault-effect.ts'
import { addFault, clearFaults, type Fault, listFaults } from '../../store/faults.ts'
import { iso } from '../../store/store.ts'
import { malformed, Refusal } from '../refusal.ts'
import {
  type ControlActions,
  type ControlInput,
  controlAction,
  flagInput,
  integerInput,
  textInput,
  timeInput,
} from './control-action.ts'

/**
 * The fields of a fault that a caller gives. For the other fields, see `effectOf`. If `retryAfter` is null, the answer has no `Retry-After`
 * header.
 */
export type GivenEffect = { readonly [Field in keyof FaultEffect]?: FaultEffect[Field] | undefined }

/**
 * Returns the words with which a message names a field of a fault. A control action's messages use the name of the field. A command's
 * messages use the option that the user typed.
 * @param value the value of the field, if the message names it too
 */
export type NameOfField = (field: keyof FaultEffect, value?: string) => string

/** Why a fault is refused. `about` says what the caller has to change. */
export interface FaultProblem {
  about: 'kind' | 'effect' | 'code' | 'combination'
  message: string
}

/**
 * Returns what a fault does. A given value overrides the value that the kind sets, but a given false does not override true. An
 * answer with status 429 has a `Retry-After` header, unless the given `retryAfter` is null.
 */
function effectOf(given: GivenEffect): FaultEffect {
  const kind = given.kind ?? null
  const usual = usualOf(kind)
  const status = given.status ?? usual.status ?? null
  const usualRetryAfter = status === 429 ? FAULT_RETRY_AFTER_S : null
  return {
    kind,
    delayMs: given.delayMs ?? usual.delayMs ?? 0,
    status,
    code: given.code ?? null,
    retryAfter: given.retryAfter === undefined ? usualRetryAfter : given.retryAfter,
    cut: given.cut || (usual.cut ?? false),
    before: given.before || (usual.before ?? false),
    truncate: given.truncate ?? usual.truncate ?? null,
  }
}

const usualOf = (kind: SimulatedFaultKind | null) => (kind === null ? {} : (faultKind(kind).effect ?? {}))

const EFFECTS = ['kind', 'status', 'cut', 'truncate', 'delayMs'] as const
const OF_CALLS = ['status', 'cut', 'truncate'] as const

/** Returns why a fault cannot be added at a place; undefined if it can be added. */
export function faultProblem(
  place: FaultPlace | typeof EVERY,
  given: GivenEffect,
  nameOf: NameOfField,
): FaultProblem | undefined {
  const { kind, status, cut, before, truncate, delayMs, code, retryAfter } = effectOf(given)
  const combination = (message: string): FaultProblem => ({ about: 'combination', message })
  const isGiven = (field: keyof FaultEffect) => Boolean(given[field]) || given[field] === 0
  /** Returns the name of a field, or of the kind if the kind sets the value of this field. */
  const source = (field: keyof FaultEffect) => (kind === null || isGiven(field) ? nameOf(field) : nameOf('kind', kind))
  const sort = sortOfPlace(place)
  const where = { call: 'a call', page: 'the payment page', delivery: 'a delivery' }[sort]
  if (kind !== null && faultKind(kind).at !== sort) {
    const message = `${nameOf('kind', kind)} cannot be used for ${where}; the kind must be one of: ${kindsAt(place).join(', ')}`
    return { about: 'kind', message }
  }
  if (sort !== 'call') {
    if (kind === null) return { about: 'kind', message: `a fault of ${where} needs ${nameOf('kind')}` }
    const ofCalls = OF_CALLS.find(isGiven)
    if (ofCalls !== undefined) return combination(`${nameOf(ofCalls)} is for calls, so it cannot be used for ${where}`)
  }
  if (place === PAGE_VISIT && delayMs > 0) return combination(`${nameOf('delayMs')} is only for calls and deliveries`)
  if (kind === null && status === null && !cut && truncate === null && delayMs === 0) {
    const message = `this fault has no effect, because it has none of these: ${EFFECTS.map((field) => nameOf(field)).join(', ')}`
    return { about: 'effect', message }
  }
  if (cut && (status !== null || truncate !== null))
    return combination(`${source('cut')} cannot be combined with ${source(status === null ? 'truncate' : 'status')}`)
  if (before && !cut) return combination(`${nameOf('before')} needs ${nameOf('cut')}`)
  if (status === null && (code !== null || retryAfter !== null))
    return combination(`${nameOf(code === null ? 'retryAfter' : 'code')} needs ${nameOf('status')}`)
  if (code !== null && !/^[A-Z][A-Z0-9_]{1,79}$/.test(code)) {
    const message = `${nameOf('code')} must have 2 to 80 capital letters, digits or “_”, and begin with a letter`
    return { about: 'code', message }
  }
  return undefined
}

/**
 * `faultAdd {endpoint, kind?, skip?, times?, delayMs?, status?, code?, retryAfter?, cut?, before?, truncate?}`: arms a fault. A given field
 * overrides the value that the kind sets, but a given false does not override true. `times` is 1 by default; null means that the fault
 * applies until it is cleared. An answer with status 429 has a `Retry-After` header, unless the given `retryAfter` is null.
 */
const faultAdd = controlAction(async (input, { store, clock }) =>
  addFault(store.db, readFault(input), iso(clock.now())),
)

const faults = controlAction((_input, { store }) => listFaults(store.db))

const faultClear = controlAction(async (input, { store }) => {
  const id = textInput(input, 'id')
  const cleared = clearFaults(store.db, id)
  if (id !== undefined && cleared === 0) throw new Refusal(404, 'ERR_FAULT_NOT_FOUND', `no fault ${id} is active`)
  return { cleared }
})

function readFault(input: ControlInput): Omit<Fault, 'id'> {
  const named = textInput(input, 'endpoint')
  const endpoint = FAULT_PLACES.find((place) => place === named)
  if (endpoint === undefined) throw malformed(`endpoint must be one of: ${FAULT_PLACES.join(', ')}`)
  const given = {
    kind: readKind(input, endpoint),
    delayMs: timeInput(input, 'delayMs', DELAY_LIMIT),
    status: statusInput(input),
    code: textInput(input, 'code'),
    retryAfter: input.retryAfter === null ? null : integerInput(input, 'retryAfter'),
    cut: flagInput(input, 'cut'),
    before: flagInput(input, 'before'),
    truncate: integerInput(input, 'truncate'),
  }
  const problem = faultProblem(endpoint, given, nameOf)
  if (problem !== undefined) throw malformed(problem.message)
  const { kind, ...effect } = effectOf(given)
  return {
    endpoint,
    kind,
    skip: integerInput(input, 'skip') ?? 0,
    times: input.times === null ? null : (integerInput(input, 'times', 1) ?? 1),
    ...effect,
  }
}

const nameOf: NameOfField = (field, value) => (value === undefined ? `the field “${field}”` : `the ${field} “${value}”`)

function readKind(input: ControlInput, endpoint: Fault['endpoint']): Fault['kind'] {
  const given = textInput(input, 'kind')
  if (given === undefined) return null
  if (isFaultKind(given)) return given
  throw malformed(`the kind of this fault must be one of: ${kindsAt(endpoint).join(', ')}`)
}

function statusInput(input: ControlInput): number | undefined {
  const status = integerInput(input, 'status', 400)
  if (status === undefined || status <= 599) return status
  throw malformed('status must be from 400 to 599')
}

export const faultControls = { faultAdd, faults, faultClear } satisfies ControlActions
