import type { Context } from '../../context.ts'
import { formatBytes } from '../../terminal/format.ts'
import { fetchReport } from './fetch-report.ts'
import { MemorySpool } from './memory-spool.ts'
import { compare, wantedOf } from './save-report.ts'

/** Writes a report to stdout, after it was checked: not one byte of a broken one goes down a pipe. */
export async function pipeReport(
  context: Context,
  preApproveId: string | undefined,
  urlInforme: string | undefined,
): Promise<void> {
  const asked = { preApproveId, urlInforme }
  const spool = new MemorySpool()
  const fetched = await fetchReport(context, wantedOf(asked), spool)
  await context.io.out(spool.bytes())
  await compare(context, asked, fetched)
  context.output.note(`${formatBytes(fetched.bytes)}, SHA-256 ${fetched.sha256}`)
}
