import { DESTINATION_LIMIT, INTEGRATIONS } from '../../../contract/integrations.ts'
import { isLoopback } from '../../../domain/origin.ts'
import { listenerSecretOf } from '../../../domain/sandbox-secret.ts'
import { toJsonColumn } from '../../store/json-column.ts'
import { findPartner } from '../../store/partners.ts'
import { addWebhook, partnerWebhooks } from '../../store/webhooks.ts'
import { malformed, Refusal } from '../refusal.ts'
import { type ControlActions, controlAction, textInput } from './control-action.ts'

/**
 * `listener {url, apiKey}`: registers the address of a listener on this machine. The address may use plain http even without --allow-http,
 * because only somebody who controls the sandbox can register it.
 */
const listener = controlAction(async (input, service) => {
  const { store, clock } = service
  const url = textInput(input, 'url') ?? ''
  if (!URL.canParse(url) || !isLoopback(new URL(url).hostname))
    throw malformed('url must be a loopback address, such as http://127.0.0.1:4556/webhooks')
  const partner = findPartner(store.db, 'apiKey', textInput(input, 'apiKey') ?? '')
  if (partner === undefined) throw malformed('apiKey does not belong to an account')
  if (partner.active !== 1) throw new Refusal(403, 'ERR_PARTNER_INACTIVE', 'this account is inactive')
  if (partner.product === 'real-estate' && partner.evaluationModule !== 1)
    throw new Refusal(
      403,
      'ERR_PARTNER_MODULE_REQUIRED',
      'this account has no evaluation module, so it receives no events',
    )
  const { scheme, events } = INTEGRATIONS[partner.product]
  const secret = listenerSecretOf(partner.apiKey)
  const found = partnerWebhooks(store.db, partner.id).find((each) => each.url === url && each.secret === secret)
  const row =
    found ??
    addWebhook(
      store,
      {
        partnerId: partner.id,
        url,
        verificationScheme: scheme,
        eventTypes: toJsonColumn(events),
        filters: null,
        projectId: null,
        secret,
      },
      DESTINATION_LIMIT,
      clock.now(),
    )
  if (row === undefined)
    throw new Refusal(422, 'ERR_WEBHOOK_LIMIT_REACHED', `this account already has ${DESTINATION_LIMIT} destinations`)
  return { id: row.id, url, secret }
})

export const listenerControls = { listener } satisfies ControlActions
