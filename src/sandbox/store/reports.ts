import { iso } from './stamps.ts'
import type { Db } from './store.ts'
import type { ReportRow } from './tables.ts'

interface KeptReport extends Omit<ReportRow, 'pdf'> {
  pdf: Uint8Array
}

/** Returns the fingerprint of the stored report, without reading its PDF. */
export function findFingerprint(db: Db, preApproveId: string): string | undefined {
  return db.get<ReportRow>('select fingerprint from reports where id = ?', preApproveId)?.fingerprint
}

/** Returns the stored report of a pre-approval. */
export function findReport(db: Db, preApproveId: string): KeptReport | undefined {
  const row = db.get<ReportRow>('select * from reports where id = ?', preApproveId)
  return row && { ...row, pdf: Buffer.from(row.pdf, 'base64') }
}

/** Stores a rendered report in place of the earlier one. `now` is in ms since 1970. */
export function keepDrawnReport(
  db: Db,
  preApproveId: string,
  { fingerprint, pdf }: { fingerprint: string; pdf: Uint8Array },
  now: number,
): void {
  db.run(
    `insert into reports (id, fingerprint, renderedAt, pdf) values (?, ?, ?, ?)
      on conflict (id) do update set fingerprint = excluded.fingerprint, renderedAt = excluded.renderedAt, pdf = excluded.pdf`,
    preApproveId,
    fingerprint,
    iso(now),
    Buffer.from(pdf).toString('base64'),
  )
}
