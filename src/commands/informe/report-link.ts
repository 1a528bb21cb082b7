import type { Context } from '../../context.ts'
import { INFORME_LINK_LIFE_MS } from '../../contract/time-limits.ts'
import { parseServiceAddress } from '../../domain/origin.ts'
import { SANDBOX } from '../../domain/sandbox-accounts.ts'
import { usage } from '../../errors.ts'
import { readAll } from '../../terminal/io.ts'

export interface FreshLink {
  preApproveId: string
  /** The signed link. Everybody who has it can open the report until it expires, so it is never stored and never logged. */
  url: string
  /** When the link expires, ISO 8601. */
  expiresAt: string
}

/** Asks the service for a fresh link to a report, and checks the address of the link. */
export async function freshLink(context: Context, preApproveId: string): Promise<FreshLink> {
  const { checkLink } = await import('../../client/link.ts')
  const api = await context.api()
  const asked = context.clock.now()
  const { data } = await api.call('getInforme', { params: { preApproveId }, body: {} })
  return {
    preApproveId,
    url: checkLink(data.url, api.baseUrl),
    expiresAt: new Date(asked + INFORME_LINK_LIFE_MS).toISOString(),
  }
}

/** Whether links point to a sandbox inside this process, which no other program can reach. */
export async function isOfThisProcess(context: Context): Promise<boolean> {
  return (await context.settings()).environment.value === SANDBOX && !(await context.sandbox()).served
}

const MAX_LINK_BYTES = 16_384

/**
 * Reads a `urlInforme` from the argument, or from stdin if the argument is `-`. Throws `usage` for a
 * link that is not valid. The message does not contain the link.
 */
export async function readReportLink(context: Context, given: string): Promise<string> {
  const text = given === '-' ? await readAll(context.io, MAX_LINK_BYTES) : given
  if (text === undefined) throw usage('the text on stdin is too long for a link', 'Write only the urlInforme to stdin.')
  const parsed = parseServiceAddress(String(text).trim())
  if (parsed.ok) return parsed.url.href
  throw usage(`--from-link is not valid: ${parsed.reason}`, 'Use the whole urlInforme, in quotes.', 'BAD_LINK')
}
