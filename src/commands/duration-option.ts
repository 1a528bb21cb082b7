import { parseDuration } from '../domain/duration.ts'
import { usage } from '../errors.ts'

/** Reads a duration that was typed. @returns ms. Throws `usage` naming the option */
export function readDuration(option: string, text: string): number {
  const ms = parseDuration(text)
  if (ms !== undefined) return ms
  throw usage(`${option} “${text}” is not a duration`, 'Write it as 500ms, 30s, 10m, 2h or 7d.', 'INVALID_DURATION')
}
