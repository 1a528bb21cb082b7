import { iso } from '../service/clock.ts'
import type { Db, ReportRow } from './tables.ts'

/** A report as it is kept: the file, and the fingerprint of the data it was drawn from. */
export interface KeptReport extends Omit<ReportRow, 'pdf'> {
  pdf: Uint8Array
}

/** Without the file: for the comparison that every call makes. */
export async function findFingerprint(db: Db, preApproveId: string): Promise<string | undefined> {
  const row = await db.selectFrom('reports').select('fingerprint').where('id', '=', preApproveId).executeTakeFirst()
  return row?.fingerprint
}

export async function findReport(db: Db, preApproveId: string): Promise<KeptReport | undefined> {
  const row = await db.selectFrom('reports').selectAll().where('id', '=', preApproveId).executeTakeFirst()
  return row && { ...row, pdf: Buffer.from(row.pdf, 'base64') }
}

/** Puts a newly drawn report in the place of the one before. @param now ms */
export async function keepReport(
  db: Db,
  preApproveId: string,
  drawn: { fingerprint: string; pdf: Uint8Array },
  now: number,
): Promise<void> {
  const row = { fingerprint: drawn.fingerprint, renderedAt: iso(now), pdf: Buffer.from(drawn.pdf).toString('base64') }
  await db
    .insertInto('reports')
    .values({ id: preApproveId, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}
