import type { Context } from '../../context.ts'
import { INFORME_LINK_LIFE_MS } from '../../contract/report.ts'

export interface FreshLink {
  preApproveId: string
  /** The signed link: a credential for its life; never stored, never logged. */
  url: string
  /** ISO 8601. */
  expiresAt: string
}

/** Asks the service for a fresh link to a report, and checks where it leads. */
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

/** Whether links lead into the sandbox of this process, where no browser and no other program can follow them. */
export async function isOfThisProcess(context: Context): Promise<boolean> {
  return (await context.settings()).environment.value === 'sandbox' && !(await context.sandbox()).served
}
