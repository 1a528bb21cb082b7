import type { EndpointName } from '../../contract/endpoints.ts'
import type { GapNumber } from '../../contract/gaps.ts'
import type { Manner } from '../../contract/manner.ts'
import { dropSetting, readSetting, writeSetting } from './settings.ts'
import type { Store } from './store.ts'

/** How closely the sandbox imitates a recorded call. A fact is a status, a content type, a code, or a field with its type. */
export interface CallFidelity {
  endpoint: EndpointName | 'delivery'
  seen: number
  /** The number of facts that the service or the sandbox shows. A fact that both show counts once. */
  facts: number
  /** How many of these facts both show. */
  same: number
  /** What `facts` and `same` would be if the sandbox did not imitate the service. */
  conventions: { facts: number; same: number }
  missing: readonly string[]
}

/** The recorded service that a sandbox imitates. Resetting the sandbox or loading a snapshot does not change it. */
export interface Likeness {
  manner: Manner
  answers: readonly { gap: GapNumber; answer: string }[]
  fidelity: readonly CallFidelity[]
}

/** Returns what users see about the imitated service, or null for a sandbox that imitates no service. */
export function shownLikeness(like: Likeness | undefined) {
  if (like === undefined) return null
  const { manner, answers, fidelity } = like
  return { learnt: manner.learnt, answers, fidelity }
}

/** Reads the service to imitate. Returns undefined if there is none. */
export async function readLikeness({ db }: Pick<Store, 'db'>): Promise<Likeness | undefined> {
  const kept = await readSetting(db, 'likeness')
  return kept === undefined ? undefined : JSON.parse(kept)
}

/** Stores the service to imitate, or removes it (null). Recorded waits between delivery attempts replace those that a user set. */
export async function keepLikeness(store: Store, like: Likeness | null): Promise<void> {
  await store.transaction(async (db) => {
    if (like === null) return dropSetting(db, 'likeness')
    await writeSetting(db, 'likeness', JSON.stringify(like))
    if (like.manner.deliveries?.retriesMs !== undefined) await dropSetting(db, 'deliverySteps')
  })
}
