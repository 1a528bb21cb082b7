import { DELIVERY_STEPS_MS } from '../../conventions.ts'
import { readSetting, writeSetting } from '../../store/settings.ts'
import type { Db } from '../../store/tables.ts'

/** The waits between attempts of a retried delivery, in ms: a setting, because the specification shows none (gap 12). */
export async function retrySteps(db: Db): Promise<readonly number[]> {
  const kept = await readSetting(db, 'deliverySteps')
  return kept === undefined ? DELIVERY_STEPS_MS : (JSON.parse(kept) as number[])
}

export async function setRetrySteps(db: Db, steps: readonly number[]): Promise<void> {
  await writeSetting(db, 'deliverySteps', JSON.stringify(steps))
}
