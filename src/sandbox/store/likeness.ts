import type { EndpointName } from '../../contract/endpoints.ts'
import type { GapNumber } from '../../contract/gaps.ts'
import type { Manner } from '../../contract/manner.ts'
import { dropSetting, readSetting, writeSetting } from './settings.ts'
import type { Store } from './store.ts'

/** How many of the facts of a recorded call the sandbox shows too. A fact is a status, a content type, a code, or a field with its type. */
export interface CallFidelity {
  endpoint: EndpointName | 'delivery'
  /** The exchanges, or the deliveries, that were recorded. */
  seen: number
  /** The facts that the service or the sandbox shows. */
  facts: number
  /** Those that both show. */
  same: number
  /** The same, if the sandbox answered by its own conventions. */
  conventions: { facts: number; same: number }
  /** Facts of the service that the sandbox does not show, the first ones. */
  missing: readonly string[]
}

/**
 * The service that a sandbox answers like. It belongs to the sandbox and not to its data: `reset` and the loading of a snapshot leave it as
 * it is.
 */
export interface Likeness {
  manner: Manner
  /** The gaps that recordings answered, with the answer in words. */
  answers: readonly { gap: GapNumber; answer: string }[]
  fidelity: readonly CallFidelity[]
}

/** What is shown of it: from when it is, what was learnt, and how well each call is followed. Null for a sandbox that is like no other. */
export function shownLikeness(like: Likeness | undefined) {
  if (like === undefined) return null
  const { manner, answers, fidelity } = like
  return { learnt: manner.learnt, answers, fidelity }
}

/** Reads it; undefined for a sandbox that answers by its own conventions. */
export async function readLikeness({ db }: Pick<Store, 'db'>): Promise<Likeness | undefined> {
  const kept = await readSetting(db, 'likeness')
  return kept === undefined ? undefined : JSON.parse(kept)
}

/** Keeps another one; null forgets it. Waits between deliveries that somebody set give way to those that were learnt. */
export async function keepLikeness(store: Store, like: Likeness | null): Promise<void> {
  await store.transaction(async (db) => {
    if (like === null) return dropSetting(db, 'likeness')
    await writeSetting(db, 'likeness', JSON.stringify(like))
    if (like.manner.deliveries?.retriesMs !== undefined) await dropSetting(db, 'deliverySteps')
  })
}
