import { UNSEEN } from '../../../text/visible.ts'
import { findPreApproval } from '../../store/evaluations.ts'
import { findPartner } from '../../store/partners.ts'
import type { Db } from '../../store/store.ts'
import { type PartnerRow, toJsonColumn } from '../../store/tables.ts'
import { malformed, Refusal } from '../refusal.ts'
import { type ControlActions, controlAction, textInput } from './control-action.ts'

const ACCOUNT_NAME = 'partner'

/**
 * `revise {preApproveId, parameters}`: changes risk parameters of an evaluation, so that its report is rendered again. With `partner` in
 * `parameters`, the account of the evaluation is renamed. The new value of a numeric parameter must be a number. The new value of
 * any other parameter is stored as text. Throws a 404 `Refusal` for an unknown evaluation, and a 400 `Refusal` for an unknown parameter or
 * a wrong value.
 */
const revise = controlAction(async (input, { store }) => {
  const preApproveId = textInput(input, 'preApproveId')
  if (preApproveId === undefined) throw malformed('preApproveId is missing')
  const { parameters } = input
  if (typeof parameters !== 'object' || parameters === null || Object.keys(parameters).length === 0)
    throw malformed(
      'the field “parameters” is missing; send an object with the names of parameters and their new values',
    )
  return store.transaction((db) => {
    const evaluated = findPreApproval(db, preApproveId)
    if (evaluated === undefined) {
      throw new Refusal(404, 'ERR_PRE_APPROVAL_NOT_FOUND', 'the sandbox has no pre-approval with this id')
    }
    const account = findPartner(db, 'id', evaluated.partnerId)
    const before: Readonly<Record<string, unknown>> = { ...evaluated.details, [ACCOUNT_NAME]: account?.name }
    const after: Record<string, unknown> = Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, revised(name, before, value)]),
    )
    const changed = Object.keys(after).filter((name) => after[name] !== before[name])
    const { [ACCOUNT_NAME]: accountName, ...ofEvaluation } = after
    const details = toJsonColumn({ ...evaluated.details, ...ofEvaluation })
    db.run('update preApprovals set details = ? where id = ?', details, preApproveId)
    if (account && changed.includes(ACCOUNT_NAME)) rename(db, account, String(accountName))
    return { preApproveId, parameters: after, changed }
  })
})

function rename(db: Db, account: PartnerRow, name: string): void {
  if (name.trim() === '' || name.length > 100 || name.search(UNSEEN) >= 0)
    throw malformed(`${ACCOUNT_NAME} must be a name of 1 to 100 visible characters`)
  if (findPartner(db, 'name', name)) throw malformed(`another account already has the name ${name}`)
  db.run('update partners set name = ? where name = ?', name, account.name)
}

function revised(name: string, known: Readonly<Record<string, unknown>>, value: unknown): unknown {
  const before = Object.hasOwn(known, name) ? known[name] : undefined
  if (before === undefined)
    throw malformed(`there is no parameter ${name}; the parameters are: ${Object.keys(known).join(', ')}`)
  if (typeof before !== 'number') return String(value)
  const number = String(value).trim() === '' ? Number.NaN : Number(value)
  if (Number.isFinite(number)) return number
  throw malformed(`${name} must be a number`)
}

export const reviseControl = { revise } satisfies ControlActions
