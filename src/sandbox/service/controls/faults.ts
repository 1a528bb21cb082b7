import { faultKind, isFaultKind } from '../../../domain/sandbox-faults.ts'
import { DELAY_LIMIT_MS, FAULT_RETRY_AFTER_S } from '../../conventions.ts'
import { addFault, clearFaults, type Fault, listFaults } from '../../store/faults.ts'
import { FAULT_PLACES, kindsAt, sortOfPlace } from '../../store/harm.ts'
import { iso } from '../../store/stamps.ts'
import { malformed, Refusal } from '../refusal.ts'
import {
  type ControlActions,
  type ControlInput,
  controlAction,
  flagInput,
  integerInput,
  textInput,
} from './control-action.ts'

/**
 * `faultAdd {endpoint, kind?, skip?, times?, delayMs?, status?, code?, retryAfter?, cut?, before?, truncate?}`: arms a fault. A given field
 * overrides the value that the kind sets, but a given false does not override true. `times` is 1 by default; null means that the fault
 * applies until it is cleared. An answer with status 429 has a `Retry-After` header, unless the given `retryAfter` is null.
 */
const faultAdd = controlAction(async (input, { store, clock }) =>
  addFault(store.db, readFault(input), iso(await clock.now())),
)

const faults = controlAction((_input, { store }) => listFaults(store.db))

const faultClear = controlAction(async (input, { store }) => {
  const id = textInput(input, 'id')
  const cleared = await clearFaults(store.db, id)
  if (id !== undefined && cleared === 0) throw new Refusal(404, 'ERR_FAULT_NOT_FOUND', `no fault ${id} is active`)
  return { cleared }
})

function readFault(input: ControlInput): Omit<Fault, 'id'> {
  const given = textInput(input, 'endpoint')
  const endpoint = FAULT_PLACES.find((place) => place === given)
  if (endpoint === undefined) throw malformed(`endpoint must be one of: ${FAULT_PLACES.join(', ')}`)
  const kind = readKind(input, endpoint)
  const usual = kind === null ? {} : (faultKind(kind).harm ?? {})
  const status = integerInput(input, 'status', 400) ?? usual.status ?? null
  const usualRetryAfter = status === 429 ? FAULT_RETRY_AFTER_S : null
  const fault: Omit<Fault, 'id'> = {
    endpoint,
    kind,
    skip: integerInput(input, 'skip') ?? 0,
    times: input.times === null ? null : (integerInput(input, 'times', 1) ?? 1),
    delayMs: integerInput(input, 'delayMs') ?? usual.delayMs ?? 0,
    status,
    code: textInput(input, 'code') ?? null,
    retryAfter: input.retryAfter === null ? null : (integerInput(input, 'retryAfter') ?? usualRetryAfter),
    cut: flagInput(input, 'cut') || (usual.cut ?? false),
    before: flagInput(input, 'before') || (usual.before ?? false),
    truncate: integerInput(input, 'truncate') ?? usual.truncate ?? null,
  }
  const problem = problemOf(fault)
  if (problem !== undefined) throw malformed(problem)
  return fault
}

function readKind(input: ControlInput, endpoint: Fault['endpoint']): Fault['kind'] {
  const given = textInput(input, 'kind')
  if (given === undefined) return null
  const kinds = kindsAt(endpoint)
  if (isFaultKind(given) && kinds.includes(given)) return given
  throw malformed(`the kind of this fault must be one of: ${kinds.join(', ')}`)
}

function problemOf(fault: Omit<Fault, 'id'>) {
  const { endpoint, kind, status, cut, before, truncate, delayMs, code, retryAfter } = fault
  const sort = sortOfPlace(endpoint)
  if (sort !== 'call' && kind === null)
    return `a fault of ${sort === 'page' ? 'the payment page' : 'a delivery'} needs a kind`
  if (sort !== 'call' && (status !== null || cut || truncate !== null)) {
    return `the fields “status”, “cut” and “truncate” are for calls, so they cannot be used for ${sort === 'page' ? 'the payment page' : 'a delivery'}`
  }
  if (sort === 'page' && delayMs > 0) return 'a delay is only for calls and deliveries'
  if (kind === null && status === null && !cut && truncate === null && delayMs === 0) {
    return 'this fault has no effect, because it has no kind, status, cut, truncate or delayMs'
  }
  if (status !== null && status > 599) return 'status must be from 400 to 599'
  if (delayMs > DELAY_LIMIT_MS) return 'the delay is more than ten minutes'
  if (cut && (status !== null || truncate !== null))
    return 'the field “cut” cannot be combined with “status” or “truncate”'
  if (before && !cut) return 'the field “before” needs the field “cut”'
  if (status === null && (code !== null || retryAfter !== null))
    return 'the fields “code” and “retryAfter” need the field “status”'
  if (code !== null && !/^[A-Z][A-Z0-9_]{1,79}$/.test(code))
    return 'code must have 2 to 80 capital letters, digits or “_”, and begin with a letter, such as ERR_SOMETHING'
  return undefined
}

export const faultControls = { faultAdd, faults, faultClear } satisfies ControlActions
