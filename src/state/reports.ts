import type { DatabaseSync } from 'node:sqlite'
import type { FetchedReport, ReportQuery, ReportRecord } from './state.ts'
import { whereAll } from './tables.ts'

const SELECT = `SELECT profile, pre_approve_id AS preApproveId, bytes, sha256, rendered_at AS renderedAt, fetched_at AS fetchedAt FROM reports`

type Query = { profile?: string; preApproveId?: string }

/**
 * Stores the record of a report. Reads and replaces the old record in one transaction, so that no other process can write in between.
 * @param now ISO 8601
 * @returns the record that was replaced, if there was one
 */
export function keepReportRecord(
  db: DatabaseSync,
  profile: string,
  report: FetchedReport,
  now: string,
): ReportRecord | undefined {
  db.exec('BEGIN IMMEDIATE')
  try {
    const [before] = listReports(db, { profile, preApproveId: report.preApproveId, limit: 1 })
    const renderedAt = before?.sha256 === report.sha256 ? before.renderedAt : now
    db.prepare(
      `INSERT OR REPLACE INTO reports (profile, pre_approve_id, bytes, sha256, rendered_at, fetched_at, touched)
       VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(touched), 0) + 1 FROM reports))`,
    ).run(profile, report.preApproveId, report.bytes, report.sha256, renderedAt, now)
    db.exec('COMMIT')
    return before
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Returns the matching reports, most recently fetched first. */
export function listReports(
  db: DatabaseSync,
  { profile, preApproveId, contains, since, limit }: ReportQuery,
): ReportRecord[] {
  const { where, values } = whereAll({
    'profile = ?': profile,
    'pre_approve_id = ?': preApproveId,
    'instr(lower(pre_approve_id), lower(?)) > 0': contains,
    'fetched_at >= ?': since,
  })
  const found = db.prepare(`${SELECT} ${where} ORDER BY touched DESC LIMIT ?`).all(...values, limit)
  return found.map((row) => ({
    profile: String(row.profile),
    preApproveId: String(row.preApproveId),
    bytes: Number(row.bytes),
    sha256: String(row.sha256),
    renderedAt: String(row.renderedAt),
    fetchedAt: String(row.fetchedAt),
  }))
}

/** Removes the reports with this profile and this id, and returns their number. A profile or an id that is left out matches every report. */
export function forgetReports(db: DatabaseSync, { profile, preApproveId }: Query): number {
  const { where, values } = whereAll({ 'profile = ?': profile, 'pre_approve_id = ?': preApproveId })
  return Number(db.prepare(`DELETE FROM reports ${where}`).run(...values).changes)
}
