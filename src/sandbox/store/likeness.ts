import type { EndpointName } from '../../contract/endpoints.ts'
import type { GapNumber } from '../../contract/gaps.ts'
import type { Manner } from '../../contract/manner.ts'
import { dropSetting, readSetting, writeSetting } from './settings.ts'
import type { Store } from './store.ts'

/** How many of the facts of a recorded call the sandbox shows too. A fact is a status, a content type, a code, or a field with its type. */
export interface CallFidelity {
  endpoint: EndpointName | 'delivery'
  /** How many exchanges or deliveries were recorded. */
  seen: number
  /** How many facts the service or the sandbox shows. */
  facts: number
  /** How many facts both show. */
  same: number
  /** The same numbers for a sandbox that uses its own conventions. */
  conventions: { facts: number; same: number }
  /** Facts of the service that the sandbox does not show; only the first ones. */
  missing: readonly string[]
}

/**
 * The service that a sandbox imitates. This belongs to the sandbox and not to its data, so `reset` and loading a snapshot do not change it.
 */
export interface Likeness {
  manner: Manner
  /** The gaps that the recordings answer, with the answers in words. */
  answers: readonly { gap: GapNumber; answer: string }[]
  fidelity: readonly CallFidelity[]
}

/**
 * What is shown about it: the time of the recordings, what was learnt, and how closely each call is imitated. Null for a sandbox that
 * imitates no service.
 */
export function shownLikeness(like: Likeness | undefined) {
  if (like === undefined) return null
  const { manner, answers, fidelity } = like
  return { learnt: manner.learnt, answers, fidelity }
}

/** Reads the imitated service; undefined for a sandbox that uses its own conventions. */
export async function readLikeness({ db }: Pick<Store, 'db'>): Promise<Likeness | undefined> {
  const kept = await readSetting(db, 'likeness')
  return kept === undefined ? undefined : JSON.parse(kept)
}

/** Stores another service to imitate; null removes it. If waits between deliveries were learnt, they replace waits that a user has set. */
export async function keepLikeness(store: Store, like: Likeness | null): Promise<void> {
  await store.transaction(async (db) => {
    if (like === null) return dropSetting(db, 'likeness')
    await writeSetting(db, 'likeness', JSON.stringify(like))
    if (like.manner.deliveries?.retriesMs !== undefined) await dropSetting(db, 'deliverySteps')
  })
}
