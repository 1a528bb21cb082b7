import type { ApiClient } from '../../client/client.ts'
import type { Pacing } from '../../client/retry.ts'
import type { Context } from '../../context.ts'

/** What an operation makes its calls with. */
export interface Calls {
  /** The client that all rows share. */
  api(): Promise<ApiClient>
  /** Aborted when what is in flight must end. */
  signal: AbortSignal
  /** Whether an earlier run may be gone on with, so that what it made may be there. */
  resume: boolean
}

/** Attempts of a row that is answered with 429: nothing was done, and all rows wait together. */
const LIMITED_ATTEMPTS = 20

/** A client that all rows share, made for the first of them. @param what the question on a production profile asks about */
export function sharedApi(
  context: Context,
  pacing: Pacing & { pausedFor(): number },
  signal: AbortSignal,
  what: () => string,
): () => Promise<ApiClient> {
  let client: Promise<ApiClient> | undefined
  const connect = async () => {
    const { DEFAULT_RETRY } = await import('../../client/retry.ts')
    return context.apiFor({
      pacing,
      signal,
      retry: { ...DEFAULT_RETRY, limitedAttempts: LIMITED_ATTEMPTS },
      onWait(waitMs, why) {
        if (why === '429' && pacing.pausedFor() === 0)
          context.output.note(`429: all calls pause for ${Math.ceil(waitMs / 1000)} s`)
      },
      what: what(),
    })
  }
  return () => {
    client ??= connect()
    return client
  }
}
