import { latestWidgetSession } from '../../store/payments.ts'
import { iso } from '../clock.ts'
import { malformed } from '../refusal.ts'
import { type ControlAction, textInput } from './control-action.ts'

/** `payment {externalTrxId}`: how the payment session that was opened last for a transaction stands. */
export const payment: ControlAction = async (input, { store, clock }) => {
  const externalTrxId = textInput(input, 'externalTrxId')
  if (externalTrxId === undefined) throw malformed('externalTrxId is missing')
  const session = await latestWidgetSession(store.db, externalTrxId)
  if (session === undefined) return { externalTrxId, state: 'none', expiresAt: null }
  const expired = iso(await clock.now()) > session.expiresAt
  return { externalTrxId, state: session.outcome ?? (expired ? 'expired' : 'open'), expiresAt: session.expiresAt }
}
