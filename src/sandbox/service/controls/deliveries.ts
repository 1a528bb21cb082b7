import { DESTINATION_LIMIT, INTEGRATIONS } from '../../../contract/integrations.ts'
import { isLoopback } from '../../../domain/addresses.ts'
import { listenerSecretOf } from '../../../domain/sandbox-secret.ts'
import { CLOCK_LIMIT, DELAY_LIMIT, RETRY_LIMIT } from '../../conventions.ts'
import { addWebhook, faultOf, isAccepted, listDeliveries, partnerWebhooks } from '../../store/deliveries.ts'
import { findPartner, retrySteps, setRetrySteps } from '../../store/partners.ts'
import { toJsonColumn } from '../../store/tables.ts'
import { deliverAgain, type Redelivery } from '../deliveries/again.ts'
import { malformed, Refusal } from '../refusal.ts'
import { type ControlActions, controlAction, flagInput, integerInput, textInput, timeInput } from './control-action.ts'

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

const MOST = 1000

const deliveries = controlAction(async (input, { store }) => {
  const limit = Math.min(integerInput(input, 'limit', 1) ?? 50, MOST)
  const rows = listDeliveries(store.db, limit, textInput(input, 'eventId'))
  return rows.map(deliveryRecord)
})

/** Returns a delivery with its attempts, in the form in which commands show it. */
export function deliveryRecord(row: ReturnType<typeof listDeliveries>[number]) {
  const { id, eventId, type, subject, url, state, createdAt } = row
  return {
    deliveryId: id,
    eventId,
    type,
    subject,
    url,
    state,
    createdAt,
    fault: faultOf(row)?.kind ?? null,
    nextAttemptAt: state === 'pending' ? row.dueAt : null,
    attempts: row.tries.map(({ number, at, status, ms, error, answer, fault }) => ({
      number,
      at,
      status,
      ms,
      error,
      answer,
      chaos: fault,
    })),
  }
}

/**
 * `deliver {eventId?, to?, all?, last?, duplicate?, reorder?, delayMs?, corruptSignature?}`: sends deliveries again, oldest first (with
 * `reorder`, newest first). Of an event, only those that no
 * receiver accepted yet are sent again, because a healthy receiver would get a duplicate; if all were accepted, or with `all`, every one.
 * `to` names one destination by its address.
 */
const deliver = controlAction(async (input, service, caller) => {
  const eventId = textInput(input, 'eventId')
  const to = textInput(input, 'to')
  const last = integerInput(input, 'last', 1) ?? 1
  const how = {
    duplicate: flagInput(input, 'duplicate'),
    corruptSignature: flagInput(input, 'corruptSignature'),
    delayMs: timeInput(input, 'delayMs', DELAY_LIMIT) ?? 0,
  }
  const newestFirst = listDeliveries(service.store.db, eventId === undefined ? last : MOST, eventId)
  if (newestFirst.length === 0) {
    const what = eventId === undefined ? 'there is no delivery' : `the event ${eventId} has no delivery`
    throw new Refusal(404, 'ERR_NO_SUCH_DELIVERY', `${what} to send again`)
  }
  const addressed = to === undefined ? newestFirst : newestFirst.filter(({ url }) => url === to)
  if (addressed.length === 0) throw new Refusal(404, 'ERR_NO_SUCH_DESTINATION', `these deliveries did not go to ${to}`)
  const missing = addressed.filter(({ url, tries }) => url !== null && !tries.some(({ status }) => isAccepted(status)))
  const isNarrowed = eventId !== undefined && to === undefined && !flagInput(input, 'all') && missing.length > 0
  const wanted = isNarrowed ? missing : addressed
  const chosen = flagInput(input, 'reorder') ? wanted : wanted.toReversed()
  const sent: Redelivery[] = []
  for (const { id } of chosen) {
    const again = await deliverAgain(service, id, how, caller)
    if (again) sent.push(again)
  }
  if (sent.length === 0)
    throw new Refusal(404, 'ERR_NO_SUCH_DESTINATION', 'the destinations of these deliveries were deleted')
  return sent
})

/** `deliverySchedule {stepsMs?}`: sets the waits before the retries to `stepsMs`, if given. Returns the waits that apply now, in ms. */
const deliverySchedule = controlAction(async ({ stepsMs }, { store, description }) => {
  if (stepsMs !== undefined) {
    if (!isSchedule(stepsMs))
      throw malformed(
        `a schedule (stepsMs) is a list of at most ${RETRY_LIMIT} waiting times, each of at most ${CLOCK_LIMIT.words}`,
      )
    setRetrySteps(store.db, stepsMs)
  }
  return { stepsMs: retrySteps(store.db, description).steps }
})

/** Returns whether a value is a list of waits, in ms, that the sandbox accepts. */
function isSchedule(value: unknown): value is number[] {
  const isWait = (step: unknown) => Number.isSafeInteger(step) && Number(step) >= 0 && Number(step) <= CLOCK_LIMIT.ms
  return Array.isArray(value) && value.length <= RETRY_LIMIT && value.every(isWait)
}

export const deliveryControls = { deliveries, deliver, deliverySchedule } satisfies ControlActions
