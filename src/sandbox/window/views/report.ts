import { informeUrl } from '../../records/records.ts'
import type { Service } from '../../service/service.ts'
import { reportPicture, SEAL } from '../addresses.ts'

/** Pages of a report. */
const PAGES = [1, 2]

/** Where a report is: the file by its link, and its pages to look at. Null where there is nothing to report on. */
export async function reportOf({ reports, baseUrl, signingSecret, entrance }: Service, preApproveId: string) {
  const print = await reports.print(preApproveId)
  if (print === undefined) return null
  return {
    file: informeUrl(baseUrl, signingSecret, preApproveId),
    pages: PAGES.map((page) => {
      const address = reportPicture(preApproveId, page, print)
      return `${address}&${SEAL}=${entrance.seal(address)}`
    }),
  }
}
