import { iso } from './stamps.ts'
import type { Db, ReportRow } from './tables.ts'

interface KeptReport extends Omit<ReportRow, 'pdf'> {
  pdf: Uint8Array
}

/** Returns the fingerprint of the stored report, without reading its PDF. */
export async function findFingerprint(db: Db, preApproveId: string): Promise<string | undefined> {
  const row = await db.selectFrom('reports').select('fingerprint').where('id', '=', preApproveId).executeTakeFirst()
  return row?.fingerprint
}

/** Returns the stored report of a pre-approval. */
export async function findReport(db: Db, preApproveId: string): Promise<KeptReport | undefined> {
  const row = await db.selectFrom('reports').selectAll().where('id', '=', preApproveId).executeTakeFirst()
  return row && { ...row, pdf: Buffer.from(row.pdf, 'base64') }
}

/** Stores a rendered report in place of the earlier one. `now` is in ms since 1970. */
export async function keepDrawnReport(
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
