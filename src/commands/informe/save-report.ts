import type { FetchedPdf } from '../../client/fetch-pdf.ts'
import type { Context } from '../../context.ts'
import type { TargetFile } from '../../disk/target-file.ts'
import { tellable } from '../../errors.ts'
import { historyKey } from '../history-notes.ts'
import { fetchReport, type ReportSource } from './fetch-report.ts'
import { openReport, type ReportPlace } from './report-target.ts'

/**
 * How the bytes compare with those of the previous fetch that the history knows. `unchanged`: they are the same. `rendered`: they differ, so
 * the service rendered the report again. `new`: the history knows no previous fetch.
 */
type ReportStatus = 'new' | 'unchanged' | 'rendered'

export interface SavedReport extends FetchedPdf {
  /** Null for a link without an id. */
  preApproveId: string | null
  path: string
  status: ReportStatus
}

interface Asked {
  preApproveId: string | undefined
  urlInforme: string | undefined
}

/** Fetches a report, checks it and saves it in its file. After a failure there is no incomplete file. */
export async function saveReport(
  context: Context,
  asked: Asked,
  path: string,
  place: ReportPlace,
): Promise<SavedReport> {
  let target: TargetFile | undefined
  try {
    const fetched = await fetchReport(context, wantedOf(asked), {
      async restart() {
        target ??= await openReport(context, path, place)
        target.restart()
      },
      take: (chunk) => target?.take(chunk),
    })
    await target?.commit()
    const status = await compare(context, asked, fetched)
    return { preApproveId: asked.preApproveId ?? null, path, ...fetched, status }
  } finally {
    await target?.discard()
  }
}

/** Returns the source of the report: the link if one was given, otherwise the id. */
export function wantedOf({ preApproveId, urlInforme }: Asked): ReportSource {
  return urlInforme === undefined ? { preApproveId: preApproveId ?? '' } : { urlInforme, preApproveId }
}

/**
 * Stores the id, size and hash of a report in the history. Returns how the report compares with the report that was
 * fetched before. If the history cannot be written, the command continues with a warning, because the report is
 * already in its file or on stdout.
 */
export async function compare(context: Context, asked: Asked, fetched: FetchedPdf): Promise<ReportStatus> {
  const { preApproveId, urlInforme } = asked
  if (preApproveId === undefined) return 'new'
  try {
    const settings = await context.settings()
    const profile = historyKey(settings) || new URL(urlInforme ?? '').origin
    const before = await (await context.state()).keepReport(profile, { preApproveId, ...fetched })
    return before === undefined ? 'new' : before.sha256 === fetched.sha256 ? 'unchanged' : 'rendered'
  } catch (error) {
    context.output.warn(`the local history could not be written (${tellable(error)}); the report itself is complete`)
    return 'new'
  }
}
