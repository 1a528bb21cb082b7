import { findPreApproval } from '../../store/evaluations.ts'
import { readInformeSignature } from '../informe-signature.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { Handler } from './handler.ts'

export const getInforme: Handler<'getInforme'> = async ({ params, partner, now }, { store, reports }) => {
  const evaluated = await findPreApproval(store.db, params.preApproveId)
  if (evaluated === undefined || evaluated.outcome === 'limited') throw noPreApproval()
  if (evaluated.partnerId !== partner.id) {
    throw new Refusal(401, 'ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER', 'the pre-approval belongs to another partner')
  }
  return { url: await reports.link(evaluated.id, now) }
}

/** The address a link of a record leads to. It takes no key: its signature is what opens it. Throws a 404 `Refusal`. */
export async function openInforme(signature: string, now: number, service: Service): Promise<string> {
  const id = readInformeSignature(service.signingSecret, signature)
  const evaluated = id === undefined ? undefined : await findPreApproval(service.store.db, id)
  if (evaluated === undefined) throw noPreApproval()
  return service.reports.link(evaluated.id, now)
}

const noPreApproval = () => new Refusal(404, 'ERR_PRE_APPROVAL_NOT_FOUND', 'no pre-approval with this id')
