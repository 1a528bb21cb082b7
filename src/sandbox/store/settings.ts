import { answerOf, isKnown, type ServiceDescription } from '../../contract/description.ts'
import type { Db } from './tables.ts'

type SandboxSetting = 'clockOffsetMs' | 'signingSecret' | 'deliverySteps' | 'probe' | 'savedAt'

/** Reads a setting. Returns undefined when it was never written. */
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

/**
 * Returns the waits between the attempts of a delivery, in ms, and whether each wait varies (`jitter`). Prefers waits that a user has set to
 * those of the description. The waits of a described service do not vary.
 */
export async function retrySteps(
  db: Db,
  description: ServiceDescription,
): Promise<{ steps: readonly number[]; jitter: boolean }> {
  const kept = await readSetting(db, 'deliverySteps')
  if (kept !== undefined) return { steps: JSON.parse(kept), jitter: true }
  const { deliveryRetries } = description.answers
  return { steps: answerOf(description, 'deliveryRetries'), jitter: !isKnown(deliveryRetries) }
}

/** Changes the waits between attempts, in ms. */
export async function setRetrySteps(db: Db, steps: readonly number[]): Promise<void> {
  await writeSetting(db, 'deliverySteps', JSON.stringify(steps))
}
