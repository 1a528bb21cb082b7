import { DELIVERY_STEPS_MS } from '../conventions.ts'
import type { Db } from './tables.ts'

type SandboxSetting = 'clockOffsetMs' | 'signingSecret' | 'deliverySteps' | 'likeness' | 'probe' | 'savedAt'

/** Reads a setting. Returns undefined when it was never written. */
export async function readSetting(db: Db, name: SandboxSetting): Promise<string | undefined> {
  return (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** Deletes a setting. */
export async function dropSetting(db: Db, name: SandboxSetting): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', name).execute()
}

/** Writes a setting. */
export async function writeSetting(db: Db, name: SandboxSetting, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/**
 * Returns the waits between the attempts of a delivery, in ms, and whether each wait varies (`jitter`). Prefers waits that a user has set,
 * then `learnt`, then the default waits.
 * @param learnt the waits in the recordings of the imitated service
 */
export async function retrySteps(
  db: Db,
  learnt?: readonly number[],
): Promise<{ steps: readonly number[]; jitter: boolean }> {
  const kept = await readSetting(db, 'deliverySteps')
  if (kept !== undefined) return { steps: JSON.parse(kept), jitter: true }
  return learnt === undefined ? { steps: DELIVERY_STEPS_MS, jitter: true } : { steps: learnt, jitter: false }
}

/** Changes the waits between attempts, in ms. */
export async function setRetrySteps(db: Db, steps: readonly number[]): Promise<void> {
  await writeSetting(db, 'deliverySteps', JSON.stringify(steps))
}
