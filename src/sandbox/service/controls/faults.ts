import { isFaultKind } from '../../../domain/sandbox-faults.ts'
import { DELAY_LIMIT } from '../../conventions.ts'
import { addFault, clearFaults, type Fault, listFaults } from '../../store/faults.ts'
import { FAULT_PLACES, kindsAt } from '../../store/harm.ts'
import { iso } from '../../store/stamps.ts'
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
import { faultProblem, harmOf, type NameOfField } from './fault-rules.ts'

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
  const { kind, ...harm } = harmOf(given)
  return {
    endpoint,
    kind,
    skip: integerInput(input, 'skip') ?? 0,
    times: input.times === null ? null : (integerInput(input, 'times', 1) ?? 1),
    ...harm,
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
