import type { Context } from '../context.ts'
import type { ResponseData } from '../contract/endpoints.ts'
import { findPreApproveId } from '../contract/pre-approval.ts'
import { config } from '../errors.ts'
import { remember } from './history-notes.ts'

/** An evaluation as it is shown and printed: what was asked, then `data` as the service sent it. */
export type Evaluation = ResponseData<'evaluate'> & {
  externalTrxId: string
  amount: number
  entityId: string
  preApproveId: string | null
}

/** Evaluates a customer, finds the pre-approval id (gap 1) and keeps what the next steps need. */
export async function evaluateCustomer(
  context: Context,
  request: { idNumber: string; amount: number; entityId: string; externalTrxId: string },
): Promise<Evaluation> {
  const { amount, entityId, externalTrxId } = request
  const settings = await context.settings()
  const api = await context.api()
  const { data } = await api.call('evaluate', { params: {}, body: request })
  const found = findPreApproveId(data, settings.preApproveIdField?.value)
  if (found.preApproveId === null) {
    context.output.warn(
      `the answer carries no pre-approval id that is known here (its fields: ${found.seen.join(', ')}); name the field with: bnpl profiles set preApproveIdField FIELD`,
    )
  }
  await remember(context, externalTrxId, { amount, entityId, preApproveId: found.preApproveId })
  const own = { externalTrxId, amount, entityId, preApproveId: found.preApproveId }
  // What was asked comes first, and stays what it is whatever the answer calls by the same name.
  return { ...own, ...data, ...own }
}

/** The merchant entity a call is made for: as given, else from the settings. Throws `config` when there is none. */
export async function entityOf(context: Context, given: string | undefined): Promise<string> {
  const settings = await context.settings()
  const entityId = given ?? settings.entityId?.value
  if (entityId !== undefined) return entityId
  // Where nothing is set up, the first thing that is missing is not the entity: the client says what is.
  if (settings.baseUrl === undefined) await context.api()
  throw config(
    'no entity id is set',
    'Give --entity-id, BNPL_ENTITY_ID, or: bnpl profiles set entityId …',
    'NO_ENTITY_ID',
  )
}
