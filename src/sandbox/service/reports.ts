import { informeFileName } from '../../contract/report.ts'
import { findPreApproval } from '../store/evaluations.ts'
import { findLead } from '../store/leads.ts'
import { findPartner } from '../store/partners.ts'
import { findFingerprint, findReport, keepReport } from '../store/reports.ts'
import type { Db } from '../store/tables.ts'
import { Refusal } from './refusal.ts'
import { fingerprint, type ReportData, reportData } from './report/data.ts'
import type { Reports } from './report-link.ts'
import type { Service } from './service.ts'
import { answerStorage, presign } from './storage.ts'

/**
 * The reports of a sandbox: drawn when they are asked for and their data is not what it was, else served as they are kept.
 * The drawing library is loaded when there is something to draw.
 */
export function createReports({
  store,
  baseUrl,
  signingSecret,
}: Pick<Service, 'store' | 'baseUrl' | 'signingSecret'>): Reports {
  return {
    async link(preApproveId, now) {
      await draw(store.db, preApproveId, now)
      return presign(baseUrl, signingSecret, keyOf(preApproveId), informeFileName(preApproveId), now)
    },
    async print(preApproveId) {
      const data = await dataOf(store.db, preApproveId)
      return data && fingerprint(data)
    },
    async pictures(preApproveId) {
      const data = await dataOf(store.db, preApproveId)
      if (data === undefined) return undefined
      const { pictureReport } = await import('./report/render.ts')
      return pictureReport(data, fingerprint(data))
    },
    answer: (request, now) =>
      answerStorage(
        request,
        signingSecret,
        async (key) => {
          const report = await findReport(store.db, key.replace(/\.pdf$/, ''))
          if (report === undefined || key !== keyOf(report.id)) return undefined
          const { pdf, fingerprint: etag, renderedAt } = report
          return { body: pdf, contentType: 'application/pdf', etag: `"${etag.slice(0, 32)}"`, modifiedAt: renderedAt }
        },
        now,
      ),
  }
}

const keyOf = (preApproveId: string) => `${preApproveId}.pdf`

/** What a report shows; undefined where there is nothing to report on. */
async function dataOf(db: Db, preApproveId: string): Promise<ReportData | undefined> {
  const evaluated = await findPreApproval(db, preApproveId)
  const partner = evaluated && (await findPartner(db, 'id', evaluated.partnerId))
  if (evaluated === undefined || evaluated.outcome === 'limited' || partner === undefined) return undefined
  const lead = evaluated.leadId === null ? undefined : await findLead(db, partner.id, evaluated.leadId)
  return reportData(evaluated, partner, lead)
}

/** Compares the fingerprint, as every call does, and draws the report when it differs. */
async function draw(db: Db, preApproveId: string, now: number): Promise<void> {
  const data = await dataOf(db, preApproveId)
  if (data === undefined) throw unrendered('its data is gone')
  const print = fingerprint(data)
  if ((await findFingerprint(db, preApproveId)) === print) return
  const { renderReport } = await import('./report/render.ts')
  try {
    await keepReport(db, preApproveId, { fingerprint: print, pdf: await renderReport(data, print) }, now)
  } catch (error) {
    throw unrendered(error instanceof Error ? error.message : String(error))
  }
}

const unrendered = (why: string) =>
  new Refusal(503, 'ERR_UNABLE_TO_RENDER_INFORME', `the report could not be rendered: ${why}`)
