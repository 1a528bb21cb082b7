import { answerOf, isKnown, type ServiceDescription } from '../../contract/description.ts'
import type { Db } from './store.ts'

type SandboxSetting = 'clockOffsetMs' | 'signingSecret' | 'deliverySteps' | 'probe' | 'savedAt' | 'snapshotId'

/** Reads a setting. Returns undefined when it was never written. */
export function readSetting(db: Db, name: SandboxSetting): string | undefined {
  return db.get<{ value: string }>('select value from settings where name = ?', name)?.value
}

/** Writes a setting. */
export function writeSetting(db: Db, name: SandboxSetting, value: string): void {
  db.run(
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    name,
    value,
  )
}

/**
 * Returns the waits between the attempts of a delivery, in ms, and whether each wait varies (`jitter`). Prefers waits that a user has set to
 * those of the description. The waits of a described service do not vary.
 */
export function retrySteps(db: Db, description: ServiceDescription): { steps: readonly number[]; jitter: boolean } {
  const kept = readSetting(db, 'deliverySteps')
  if (kept !== undefined) return { steps: JSON.parse(kept), jitter: true }
  const { deliveryRetries } = description.answers
  return { steps: answerOf(description, 'deliveryRetries'), jitter: !isKnown(deliveryRetries) }
}

/** Changes the waits between attempts, in ms. */
export function setRetrySteps(db: Db, steps: readonly number[]): void {
  writeSetting(db, 'deliverySteps', JSON.stringify(steps))
}
