import { randomUUID } from 'node:crypto'
import { CLAIM_MS, LEADS_AT_ONCE } from '../../conventions.ts'
import { causedBy, writeCause } from '../../store/changes.ts'
import {
  addAttempt,
  claimLead,
  claimNext,
  dueDestinations,
  dueLeadDeliveries,
  faultOf,
  findEvent,
  findWebhook,
  isAccepted,
  releaseStale,
  renewClaim,
  settleDelivery,
} from '../../store/deliveries.ts'
import { retrySteps } from '../../store/partners.ts'
import type { DeliveryRow, EventRow } from '../../store/tables.ts'
import type { Service } from '../service.ts'
import { extraMessagesOf } from './again.ts'
import { deliveryBody, type Message, messageFor, NO_JITTER, nextWait, post, toDestination } from './post.ts'

/**
 * Sends the deliveries that are due. Each destination has its own queue, which is sent in order, one delivery at a time. So a destination
 * that does not answer does not delay other destinations. A new_lead is sent without a queue.
 */
export interface Deliverer {
  /** Starts to send the deliveries that are due. Never throws. */
  kick(): void
  /** Resolves when no delivery is due any more, or after `maxMs`. */
  idle(maxMs: number): Promise<void>
}

/** Makes the deliverer of a sandbox. @param onError called with each error that occurs while deliveries are sent */
export function createDeliverer(service: Service, onError: (error: unknown) => void): Deliverer {
  const worker = randomUUID()
  /** What is being sent at the moment. The key is the id of the delivery for a new_lead, and the id of the destination for other events. */
  const busy = new Map<string, Promise<void>>()
  const leads = new Set<string>()
  /** Busy destinations for which another delivery became due. */
  const missed = new Set<string>()

  const look = () => {
    const { store, clock } = service
    const now = clock.now()
    releaseStale(store.db, clock.unmoved())
    for (const webhookId of dueDestinations(store.db, now)) {
      if (busy.has(webhookId)) missed.add(webhookId)
      else busy.set(webhookId, work(webhookId, sendQueue(service, worker, webhookId)))
    }
    for (const id of dueLeadDeliveries(store.db, now, LEADS_AT_ONCE)) {
      if (busy.has(id) || leads.size >= LEADS_AT_ONCE) continue
      leads.add(id)
      busy.set(id, work(id, sendLead(service, worker, id)))
    }
  }
  const work = (id: string, sending: Promise<number>): Promise<void> =>
    sending
      .catch((error) => {
        onError(error)
        return 0
      })
      .then((sent) => {
        busy.delete(id)
        leads.delete(id)
        // If nothing was sent, another check at once would probably send nothing either.
        if (missed.delete(id) || sent > 0) deliverer.kick()
      })

  const deliverer: Deliverer = {
    kick() {
      try {
        look()
      } catch (error) {
        onError(error)
      }
    },
    async idle(maxMs) {
      const { monotonic } = service.clock
      const deadline = monotonic() + maxMs
      while (busy.size > 0 && monotonic() < deadline) {
        const tooLate = Promise.withResolvers<void>()
        const timer = setTimeout(tooLate.resolve, deadline - monotonic())
        await Promise.race([...busy.values(), tooLate.promise])
        clearTimeout(timer)
      }
    },
  }
  return deliverer
}

async function sendQueue(service: Service, worker: string, webhookId: string): Promise<number> {
  for (let sent = 0; ; sent++) {
    const now = service.clock.now()
    const delivery = claimNext(service.store, webhookId, now, claimantOf(service, worker))
    if (delivery === undefined) return sent
    await attemptDelivery(service, delivery)
  }
}

async function sendLead(service: Service, worker: string, id: string): Promise<number> {
  const delivery = claimLead(service.store, id, claimantOf(service, worker))
  if (delivery === undefined) return 0
  await attemptDelivery(service, delivery)
  return 1
}

const claimantOf = ({ clock }: Service, worker: string) => ({ worker, until: clock.unmoved() + CLAIM_MS })

const LOST = { status: null, answer: '', error: 'ECONNRESET', retryAfterMs: null }

/**
 * Makes one attempt to send a claimed delivery, and stores the answer. Then stores whether the delivery has arrived, has failed, or must be
 * sent again later. If the delivery has a fault, the fault may send other messages before or after the attempt, such as one with a wrong
 * signature. Does not make the attempt if another process has claimed the delivery in the meantime.
 */
async function attemptDelivery(service: Service, delivery: DeliveryRow): Promise<void> {
  const event = findEvent(service.store.db, delivery.eventId)
  const cause = writeCause('delivery', service.clock.now(), delivery.id, event?.subject)
  await causedBy(cause, () => attempt(service, delivery, event))
}

async function attempt(service: Service, delivery: DeliveryRow, event: EventRow | undefined): Promise<void> {
  const { store, clock, random, description } = service
  const webhook = findWebhook(store.db, delivery.webhookId)
  if (event === undefined || webhook === undefined) return settleDelivery(store.db, delivery, 'cancelled', undefined)
  const own = messageFor(webhook, deliveryBody(event, description), description, clock.now())
  const kind = delivery.attempts === 0 ? faultOf(delivery)?.kind : undefined
  const extras = kind ? extraMessagesOf(kind, webhook, event, own, description, clock.now()) : undefined
  const destination = toDestination(service, webhook, event.type)
  const { timeoutMs } = destination
  const number = delivery.attempts + 1
  const sendExtra = async (message: Message) => {
    const at = clock.now()
    const sent = await post({ ...message, ...destination })
    addAttempt(store.db, { ...sent, deliveryId: delivery.id, number, at, fault: kind ?? null })
  }
  if (extras?.before) await sendExtra(extras.before)
  // Claim the delivery for longer than the attempt can take, so that no other process sends it too. Stop if another process has claimed it.
  let until = Date.parse(delivery.claimedUntil ?? '')
  let realTime = clock.unmoved()
  while (realTime + timeoutMs > until) {
    until = realTime + CLAIM_MS + timeoutMs
    if (!renewClaim(store.db, delivery, until)) return
    realTime = clock.unmoved()
  }
  const startedAt = clock.now()
  const sent = await post({ ...own, ...destination, longestMs: until - realTime })
  const result = (await service.losesAnswer?.(delivery.id)) ? { ...sent, ...LOST } : sent
  const now = clock.now()
  store.transaction((db) => {
    addAttempt(db, { ...result, deliveryId: delivery.id, number, at: startedAt, fault: null })
    if (isAccepted(result.status)) return settleDelivery(db, delivery, 'delivered', undefined)
    const { steps, jitter } = retrySteps(db, description)
    const wait = nextWait(event.type, number, steps, jitter ? random : NO_JITTER, result.retryAfterMs)
    const [state, dueAt] = wait === undefined ? (['failed'] as const) : (['pending', now + wait] as const)
    settleDelivery(db, delivery, state, dueAt)
  })
  if (extras?.after) await sendExtra(extras.after)
}
