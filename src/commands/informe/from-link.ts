import type { Context } from '../../context.ts'
import { parseServiceAddress } from '../../domain/origin.ts'
import { usage } from '../../errors.ts'
import { readAll } from '../../terminal/io.ts'

const MAX_LINK_BYTES = 16_384

/**
 * The `urlInforme` that was given, or read from stdin for `-` (an argument can be seen by every process of the machine).
 * Throws `usage` for what cannot be fetched; the link itself is never part of the message.
 */
export async function readReportLink(context: Context, given: string): Promise<string> {
  const text = given === '-' ? await readAll(context.io, MAX_LINK_BYTES) : given
  if (text === undefined) throw usage('what stdin gave is too long for a link')
  const parsed = parseServiceAddress(String(text).trim())
  if (parsed.ok) return parsed.url.href
  throw usage(`--from-link cannot be fetched: ${parsed.reason}`, 'Give the urlInforme whole, in quotes.', 'BAD_LINK')
}
