import type { ApiClient } from '../../client/client.ts'
import type { Pacing } from '../../client/retry.ts'
import type { Context } from '../../context.ts'

export interface Calls {
  api(): Promise<ApiClient>
  /** Aborted when the calls in progress must end. */
  signal: AbortSignal
  /** Whether `--resume` or `--retry-unknown` was given. If so, results of an earlier run may already exist. */
  resume: boolean
}

/**
 * The maximum number of times that a call is sent if the answer is 429. Repeating is safe, because a 429 means that the service did
 * nothing.
 */
const LIMITED_ATTEMPTS = 20

/**
 * Returns a function that creates the client for all rows when the first row needs it. If the calls change something
 * on a production profile, the user is asked first.
 * @param what returns the action in the words of that question, such as “send 250 evaluations”. Returns undefined if
 * the calls change nothing
 */
export function sharedApi(
  context: Context,
  pacing: Pacing & { pausedFor(): number },
  signal: AbortSignal,
  what: () => string | undefined,
): () => Promise<ApiClient> {
  let client: Promise<ApiClient> | undefined
  const noteLimit = limitNotes(context)
  const connect = async () => {
    const { DEFAULT_RETRY } = await import('../../client/retry.ts')
    return context.apiFor({
      pacing,
      signal,
      retry: { ...DEFAULT_RETRY, limitedAttempts: LIMITED_ATTEMPTS },
      onWait(waitMs, why) {
        if (why === '429' && pacing.pausedFor() === 0) noteLimit(waitMs)
      },
      what: what(),
    })
  }
  return () => {
    client ??= connect()
    return client
  }
}

/**
 * In ms. The calls of a fast run may have to wait every second, for hours. To keep the output short, a note is printed at most once in this
 * time, except for a wait that is longer than all before.
 */
const NOTE_EVERY_MS = 60_000

/** Returns a function that notes a wait after a 429: the first one, each that is longer than those before, and one a minute. */
function limitNotes({ clock, output }: Context): (waitMs: number) => void {
  let notedAt = Number.NEGATIVE_INFINITY
  let longest = 0
  let unnoted = 0
  return (waitMs) => {
    const seconds = Math.ceil(waitMs / 1000)
    if (seconds <= longest && clock.monotonic() - notedAt < NOTE_EVERY_MS) {
      unnoted++
      return
    }
    const often =
      unnoted === 0 ? '' : `. Further waits since the last note: ${unnoted}. Use --rate to send fewer calls a second`
    output.note(`status 429 (too many requests): all calls wait ${seconds} s${often}`)
    notedAt = clock.monotonic()
    longest = Math.max(longest, seconds)
    unnoted = 0
  }
}
