import { readInformeSignature } from '../../records/records.ts'
import { findPreApprovalIn } from '../../store/evaluations.ts'
import { Refusal } from '../refusal.ts'
import type { Handlers, KeyedHandlers } from './handler.ts'

export const informeHandlers: Pick<KeyedHandlers, 'getInforme'> = {
  getInforme: {
    async answer({ params, partner, now }, { store, reports }) {
      const evaluated = findPreApprovalIn(store.db, partner.environment, params.preApproveId)
      if (evaluated === undefined || evaluated.outcome === 'limited') throw noPreApproval()
      if (evaluated.partnerId !== partner.id) {
        throw new Refusal(401, 'ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER', 'the pre-approval belongs to another partner')
      }
      return { url: await reports.link(evaluated.id, now) }
    },
  },
}

/** Redirects from `urlInforme` to the report. `urlInforme` contains a signature, so a request to it needs no API key. */
export const openInformeHandler: Handlers['open']['openInforme'] = {
  async answer({ params, environment, now }, { store, reports, signingSecret }) {
    const id = readInformeSignature(signingSecret, params.signature)
    const evaluated = id === undefined ? undefined : findPreApprovalIn(store.db, environment, id)
    if (evaluated === undefined) throw noPreApproval()
    const location = await reports.link(evaluated.id, now)
    return { status: 302, headers: { location, 'cache-control': 'no-store' }, body: new Uint8Array() }
  },
}

const noPreApproval = () => new Refusal(404, 'ERR_PRE_APPROVAL_NOT_FOUND', 'no pre-approval with this id')
