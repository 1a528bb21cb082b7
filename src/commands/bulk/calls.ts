import type { ApiClient } from '../../client/client.ts'
import type { Pacing } from '../../client/retry.ts'
import type { Context } from '../../context.ts'

export interface Calls {
  api(): Promise<ApiClient>
  /** Aborted when the calls in progress must end. */
  signal: AbortSignal
  /** Whether this run may continue an earlier run, whose results may already exist. */
  resume: boolean
}

/** How often a call is sent at most if the answer is 429. Repeating is safe, because a 429 means that nothing was done. */
const LIMITED_ATTEMPTS = 20

/**
 * Returns a function that creates the client for all rows when the first row needs it. If the calls change something
 * on a production profile, the user is asked first.
 * @param what returns the words for the action in that question, such as “send 250 evaluations”; undefined if the
 * calls change nothing
 */
export function sharedApi(
  context: Context,
  pacing: Pacing & { pausedFor(): number },
  signal: AbortSignal,
  what: () => string | undefined,
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
          context.output.note(`status 429 (too many requests): all calls wait ${Math.ceil(waitMs / 1000)} s`)
      },
      what: what(),
    })
  }
  return () => {
    client ??= connect()
    return client
  }
}
