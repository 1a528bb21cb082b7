import { randomUUID } from 'node:crypto'
import { CLAIM_MS, LEADS_AT_ONCE } from '../../conventions.ts'
import { claimLead, claimNext, dueDestinations, dueLeadDeliveries, releaseStale } from '../../store/deliveries.ts'
import type { Service } from '../service.ts'
import { attemptDelivery } from './attempt.ts'

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

/** Makes the deliverer of a sandbox. @param onFault called with each error that occurs while deliveries are sent */
export function createDeliverer(service: Service, onFault: (error: unknown) => void): Deliverer {
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
        onFault(error)
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
        onFault(error)
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
