import { loanApprovedRecord, termsOf } from '../../records/records.ts'
import { toJsonColumn } from '../../store/json-column.ts'
import { findWidgetSession } from '../../store/payments.ts'
import { newId } from '../../store/stamps.ts'
import { isOfListener, partnerWebhooks } from '../../store/webhooks.ts'
import { offersOf } from '../payments.ts'
import type { Service } from '../service.ts'
import { readWidgetToken } from '../widget-token.ts'
import { deliveryBody, messageFor } from './message.ts'
import { type PostResult, post } from './post.ts'
import { timeoutOf } from './schedule.ts'

/**
 * Sends a false delivery to every destination of a merchant, as an attacker would. The delivery reports a loan for the payment to which the
 * widget token belongs, and its signature is wrong. The sandbox stores nothing about this delivery.
 * @returns the answers of the destinations; an empty list if the token does not belong to a payment
 */
export async function forgeLoanApproved(service: Service, widgetToken: string): Promise<PostResult[]> {
  const { store, clock, signingSecret, allowHttp } = service
  const { description } = service
  const id = await readWidgetToken(signingSecret, widgetToken)
  const session = id === undefined ? undefined : findWidgetSession(store.db, id)
  if (session === undefined) return []
  const now = clock.now()
  const { approved, options, selected } = offersOf(store.db, session, description)
  const option = selected ?? options[0]
  if (option === undefined) return []
  const data = loanApprovedRecord({
    externalTrxId: session.externalTrxId,
    preApproveId: approved?.id ?? newId(now),
    ...termsOf(session.amount, option, now),
  })
  const body = deliveryBody({ id: newId(now), type: 'loan_approved', data: toJsonColumn(data) }, description)
  const webhooks = partnerWebhooks(store.db, session.partnerId)
  return Promise.all(
    webhooks.map((webhook) =>
      post({
        ...messageFor(webhook, body, true, description, now),
        url: webhook.url,
        timeoutMs: timeoutOf('loan_approved', description),
        allowLoopback: allowHttp || isOfListener(webhook),
        monotonic: clock.monotonic,
      }),
    ),
  )
}
