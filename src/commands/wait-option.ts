import { parseDuration } from '../domain/duration.ts'
import { usage } from '../errors.ts'

/** Milliseconds that a bare `--wait` allows: as long as a widget token lives, and a little. */
const DEFAULT_WAIT_MS = 11 * 60_000

/** Reads `--wait [duration]`. @returns ms, undefined without the option */
export function readWait(wait: string | true | undefined): number | undefined {
  if (wait === undefined) return undefined
  if (wait === true) return DEFAULT_WAIT_MS
  const ms = parseDuration(wait)
  if (ms !== undefined) return ms
  throw usage(
    `--wait “${wait}” is not a duration`,
    'Write it as 30s, 5m or 1h; put it after the transaction ids.',
    'INVALID_DURATION',
  )
}
