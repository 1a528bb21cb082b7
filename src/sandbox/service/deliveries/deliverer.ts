import { randomUUID } from 'node:crypto'
import { CLAIM_MS, LEADS_AT_ONCE } from '../../conventions.ts'
import { claimLead, claimNext, dueDestinations, dueLeadDeliveries, releaseStale } from '../../store/claims.ts'
import type { Service } from '../service.ts'
import { attemptDelivery } from './attempt.ts'

/**
 * Sends the deliveries that are due. Each destination has its own queue, which is sent in order, one delivery at a time. So a destination
 * that does not answer does not delay other destinations. A new_lead is sent without a queue.
 */
export interface Deliverer {
  /** Checks for due deliveries now. If a check is in progress, checks again after it. */
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
  let looking: Promise<void> | undefined
  let again = false

  const look = async () => {
    try {
      do {
        again = false
        const now = await service.clock.now()
        await releaseStale(service.store, service.clock.unmoved())
        for (const webhookId of await dueDestinations(service.store.db, now)) {
          if (busy.has(webhookId)) missed.add(webhookId)
          else busy.set(webhookId, work(webhookId, sendQueue(service, worker, webhookId)))
        }
        for (const id of await dueLeadDeliveries(service.store.db, now, LEADS_AT_ONCE)) {
          if (busy.has(id) || leads.size >= LEADS_AT_ONCE) continue
          leads.add(id)
          busy.set(id, work(id, sendLead(service, worker, id)))
        }
      } while (again)
    } finally {
      // There must be no `await` between this line and the last check of `again`, because a call of `kick` between them would be ignored.
      looking = undefined
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
      if (looking) {
        again = true
        return
      }
      looking = look().catch(onFault)
    },
    async idle(maxMs) {
      const { monotonic } = service.clock
      const deadline = monotonic() + maxMs
      while ((looking || busy.size > 0) && monotonic() < deadline) {
        const tooLate = Promise.withResolvers<void>()
        const timer = setTimeout(tooLate.resolve, deadline - monotonic())
        await Promise.race([looking ?? Promise.race(busy.values()), tooLate.promise])
        clearTimeout(timer)
      }
    },
  }
  return deliverer
}

async function sendQueue(service: Service, worker: string, webhookId: string): Promise<number> {
  for (let sent = 0; ; sent++) {
    const now = await service.clock.now()
    const delivery = await claimNext(service.store, webhookId, now, claimantOf(service, worker))
    if (delivery === undefined) return sent
    await attemptDelivery(service, delivery)
  }
}

async function sendLead(service: Service, worker: string, id: string): Promise<number> {
  const delivery = await claimLead(service.store, id, claimantOf(service, worker))
  if (delivery === undefined) return 0
  await attemptDelivery(service, delivery)
  return 1
}

const claimantOf = ({ clock }: Service, worker: string) => ({ worker, until: clock.unmoved() + CLAIM_MS })
