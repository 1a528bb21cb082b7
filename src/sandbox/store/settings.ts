import { DELIVERY_STEPS_MS } from '../conventions.ts'
import type { Db } from './tables.ts'

/** A value that the sandbox keeps about itself. `savedAt`: the sandbox's time when a snapshot was saved, and so the time of each snapshot. */
type SandboxSetting = 'clockOffsetMs' | 'signingSecret' | 'deliverySteps' | 'probe' | 'savedAt'

/** Reads a setting; undefined when it was never written. */
export async function readSetting(db: Db, name: SandboxSetting): Promise<string | undefined> {
  return (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** Writes a setting. */
export async function writeSetting(db: Db, name: SandboxSetting, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** The waits between attempts of a retried delivery, in ms: a setting, because the specification shows none (gap 12). */
export async function retrySteps(db: Db): Promise<readonly number[]> {
  const kept = await readSetting(db, 'deliverySteps')
  return kept === undefined ? DELIVERY_STEPS_MS : JSON.parse(kept)
}

/** Changes the waits between attempts. @param steps ms */
export async function setRetrySteps(db: Db, steps: readonly number[]): Promise<void> {
  await writeSetting(db, 'deliverySteps', JSON.stringify(steps))
}
