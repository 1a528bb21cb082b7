import { findPreApproval } from '../../store/evaluations.ts'
import { malformed, Refusal } from '../refusal.ts'
import { type ControlAction, textInput } from './control-action.ts'

/**
 * `revise {preApproveId, parameters}`: changes risk parameters of an evaluation, each to a value of its own kind (texts that are numbers
 * count as such), so that its report is drawn anew. Throws 404, and 400 naming the parameters there are.
 */
export const revise: ControlAction = async (input, { store }) => {
  const preApproveId = textInput(input, 'preApproveId')
  if (preApproveId === undefined) throw malformed('preApproveId is missing')
  const { parameters } = input
  if (typeof parameters !== 'object' || parameters === null || Object.keys(parameters).length === 0)
    throw malformed('parameters is missing: a record of names and new values')
  return store.transaction(async (db) => {
    const evaluated = await findPreApproval(db, preApproveId)
    if (evaluated === undefined) {
      throw new Refusal(404, 'ERR_PRE_APPROVAL_NOT_FOUND', 'the sandbox has no pre-approval with this id')
    }
    const changed = Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, revised(name, evaluated.details, value)]),
    )
    const details = JSON.stringify({ ...evaluated.details, ...changed })
    await db.updateTable('preApprovals').set({ details }).where('id', '=', preApproveId).execute()
    return { preApproveId, parameters: changed }
  })
}

function revised(name: string, known: Readonly<Record<string, unknown>>, value: unknown): unknown {
  const before = Object.hasOwn(known, name) ? known[name] : undefined
  if (before === undefined)
    throw malformed(`there is no parameter ${name}; there are: ${Object.keys(known).join(', ')}`)
  if (typeof before !== 'number') return String(value)
  const number = String(value).trim() === '' ? Number.NaN : Number(value)
  if (Number.isFinite(number)) return number
  throw malformed(`${name} is a number`)
}
