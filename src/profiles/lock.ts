import { setTimeout as sleep } from 'node:timers/promises'
import { type Claim, tryClaim } from '../disk/claim.ts'
import type { Notice } from '../disk/private.ts'
import { config } from '../errors.ts'

const LONGEST_WAIT_MS = 30_000

/**
 * Runs `work` while no other process runs work under the same lock file. The kernel releases the lock when the process ends, so no stale
 * lock can remain (docs/decisions: "The lock on the profiles"). Throws `config` when the lock is not free within `waitMs`.
 * @param work must call the given function before it writes. That function throws `config` when the lock file was removed or replaced,
 * because the lock then no longer prevents other writers
 */
export async function withLock<T>(
  path: string,
  work: (check: () => void) => Promise<T>,
  { notice = () => {}, waitMs = LONGEST_WAIT_MS }: { notice?: Notice; waitMs?: number } = {},
): Promise<T> {
  const lock = await take(path, waitMs, notice)
  try {
    return await work(() => {
      const loss = lock.loss()
      if (loss !== undefined)
        throw config(
          `${path} was ${loss} before this command could save the profiles`,
          'Run the command again. No profile was changed.',
          'LOCK_LOST',
        )
    })
  } finally {
    lock.release()
  }
}

async function take(path: string, waitMs: number, notice: Notice): Promise<Claim> {
  // Do not let SQLite wait for the lock, because Ctrl-C would have no effect meanwhile. Pauses grow to 50 ms, because many processes with
  // short pauses slow down the process that has the lock: with pauses of at most 20 ms, 64 processes took twice as long.
  for (let waited = 0, pause = 1; ; waited += pause, pause = Math.min(pause * 2, 50)) {
    const claim = tryClaim(path, notice)
    if (claim) return claim
    if (waited >= waitMs) {
      throw config(
        `another process has been changing the profiles for ${Math.round(waitMs / 1000)} s (${path})`,
        'Run the command again when that process has finished.',
        'LOCKED',
      )
    }
    await sleep(pause)
  }
}
