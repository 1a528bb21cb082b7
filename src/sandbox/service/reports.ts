import { informeFileName } from '../../contract/calls/reports.ts'
import type { WireRequest, WireResponse } from '../../contract/wire.ts'
import { findPreApproval } from '../store/evaluations.ts'
import { findLead } from '../store/leads.ts'
import { findPartner } from '../store/partners.ts'
import { findFingerprint, findReport, keepDrawnReport } from '../store/reports.ts'
import type { Db, Store } from '../store/store.ts'
import { Refusal } from './refusal.ts'
import { type ReportData, reportData, reportFingerprint } from './report/data.ts'
import { answerStorage, presign } from './storage.ts'

export interface Reports {
  /**
   * Renders the report if it is missing or its data has changed. Then returns a new pre-signed link to it. Throws a 503 `Refusal` when the
   * report cannot be rendered.
   * @param now the sandbox's time in ms; the link is valid for `INFORME_LINK_LIFE_MS` from this time
   */
  link(preApproveId: string, now: number): Promise<string>
  /** Returns the fingerprint of the report's present data; undefined if there is no report for this id. */
  print(preApproveId: string): Promise<string | undefined>
  /** Returns each page of the report, with its present data, as an SVG picture; undefined if there is no report for this id. */
  pictures(preApproveId: string): Promise<string[] | undefined>
  /** Answers a request to the storage, which contains the reports. @param now ms since 1970 */
  answer(request: WireRequest, url: URL, now: number): Promise<WireResponse>
}

/** Returns functions that render and send reports. The drawing library is loaded when a report is first rendered. */
export function createReports({
  store,
  baseUrl,
  signingSecret,
}: {
  store: Store
  baseUrl: string
  signingSecret: string
}): Reports {
  return {
    async link(preApproveId, now) {
      await draw(store.db, preApproveId, now)
      return presign(baseUrl, signingSecret, keyOf(preApproveId), informeFileName(preApproveId), now)
    },
    async print(preApproveId) {
      const data = await dataOf(store.db, preApproveId)
      return data && reportFingerprint(data)
    },
    async pictures(preApproveId) {
      const data = await dataOf(store.db, preApproveId)
      if (data === undefined) return undefined
      const { pictureReport } = await import('./report/render.ts')
      return pictureReport(data, reportFingerprint(data))
    },
    answer: (request, url, now) =>
      answerStorage(
        request,
        url,
        signingSecret,
        async (key) => {
          const report = findReport(store.db, key.replace(/\.pdf$/, ''))
          if (report === undefined || key !== keyOf(report.id)) return undefined
          const { pdf, fingerprint: etag, renderedAt } = report
          return { body: pdf, contentType: 'application/pdf', etag: `"${etag.slice(0, 32)}"`, modifiedAt: renderedAt }
        },
        now,
      ),
  }
}

const keyOf = (preApproveId: string) => `${preApproveId}.pdf`

async function dataOf(db: Db, preApproveId: string): Promise<ReportData | undefined> {
  const evaluated = findPreApproval(db, preApproveId)
  const partner = evaluated && findPartner(db, 'id', evaluated.partnerId)
  if (evaluated === undefined || evaluated.outcome === 'limited' || partner === undefined) return undefined
  const lead = evaluated.leadId === null ? undefined : findLead(db, partner.id, evaluated.leadId)
  return reportData(evaluated, partner, lead)
}

async function draw(db: Db, preApproveId: string, now: number): Promise<void> {
  const data = await dataOf(db, preApproveId)
  if (data === undefined) throw unrendered('the data of the report no longer exists')
  const print = reportFingerprint(data)
  if (findFingerprint(db, preApproveId) === print) return
  const { renderReport } = await import('./report/render.ts')
  try {
    keepDrawnReport(db, preApproveId, { fingerprint: print, pdf: await renderReport(data, print) }, now)
  } catch (error) {
    throw unrendered(error instanceof Error ? error.message : String(error))
  }
}

const unrendered = (why: string) =>
  new Refusal(503, 'ERR_UNABLE_TO_RENDER_INFORME', `the report could not be rendered: ${why}`)
