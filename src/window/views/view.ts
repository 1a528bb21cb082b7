import { profileOf, SANDBOX } from '../../domain/sandbox-accounts.ts'
import { baseOf, reportPicture, SEAL } from '../../sandbox/addresses.ts'
import { informeUrl } from '../../sandbox/records/records.ts'
import { type ControlInput, integerInput } from '../../sandbox/service/controls/control-action.ts'
import type { Service } from '../../sandbox/service/service.ts'
import { findPartner } from '../../sandbox/store/partners.ts'
import type { Db } from '../../sandbox/store/store.ts'
import type { ReportView, Views } from './rows.ts'

/** Views by name. Each view reads the data of one part of the window and changes nothing. */
export type ViewsByName = {
  readonly [Name in keyof Views]: (input: ControlInput, service: Service) => Promise<Views[Name]>
}

export const PAGE_ROWS = 50

/** Returns the number of the requested page, from 0, and the offset of its first row in the list. */
export function pageInput(input: ControlInput): { page: number; offset: number } {
  const page = integerInput(input, 'page') ?? 0
  return { page, offset: page * PAGE_ROWS }
}

/** bnpl has no built-in profile for production, so users have to create a profile with this name. */
const PRODUCTION_PROFILE = 'production'

/** Returns the profile of the account with this name; `sandbox` for null or an unknown name. */
export async function profileFor(db: Db, name: string | null): Promise<string> {
  const partner = name === null ? undefined : findPartner(db, 'name', name)
  if (partner === undefined) return SANDBOX
  if (partner.environment === 'production') return PRODUCTION_PROFILE
  const { product, evaluationModule, active } = partner
  return profileOf({ product, evaluationModule: evaluationModule === 1, active: active === 1 }) ?? SANDBOX
}

const REPORT_PAGES = [1, 2]

/**
 * Returns a report's file and the pictures of its pages; null if there is no evaluation with this id.
 * @param partner the name of the account, because the link of the file is at the address of the account's environment
 */
export async function reportOf(
  { reports, store, baseUrl, signingSecret, windowKeys }: Service,
  preApproveId: string,
  partner: string | null,
): Promise<ReportView | null> {
  const print = await reports.print(preApproveId)
  if (print === undefined) return null
  const account = partner === null ? undefined : findPartner(store.db, 'name', partner)
  return {
    file: informeUrl(baseOf(baseUrl, account?.environment ?? 'beta'), signingSecret, preApproveId),
    pages: REPORT_PAGES.map((page) => {
      const address = reportPicture(preApproveId, page, print)
      return `${address}&${SEAL}=${windowKeys.seal(address)}`
    }),
  }
}
