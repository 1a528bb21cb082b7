import type { Operation } from '../../bulk/operation.ts'
import type { RowFile } from '../../bulk/row.ts'
import type { Context } from '../../context.ts'
import { DryRun } from '../../errors.ts'

/** Prints the request of every row as a curl line, in order; nothing is sent and no ledger is made. */
export async function printRequests(context: Context, file: RowFile, operation: Operation): Promise<void> {
  for await (const batch of file.batches) {
    const lines: string[] = []
    for (const row of batch) {
      const values = file.values(row)
      if (typeof values === 'string') continue
      try {
        await operation.send(values)
      } catch (error) {
        if (!(error instanceof DryRun)) throw error
        lines.push(error.curl)
      }
    }
    await context.output.raw(lines.join('\n'))
  }
}
