import type { Operation } from '../../bulk/operation.ts'
import type { RowFile } from '../../bulk/row.ts'
import type { Context } from '../../context.ts'
import { DryRun } from '../../errors.ts'
import { toJson } from '../../text/visible.ts'

/** Prints the request of every row as a curl command, in the order of the file. With `--json`, prints one array. */
export async function printRequests(context: Context, file: RowFile, operation: Operation): Promise<void> {
  let isFirst = true
  for await (const batch of file.batches) {
    const lines: string[] = []
    for (const row of batch) {
      const values = file.values(row)
      if (typeof values === 'string') continue
      const call = operation.read(values)
      if ('problems' in call) continue
      try {
        await call.send()
      } catch (error) {
        if (!(error instanceof DryRun)) throw error
        lines.push(...error.lines)
      }
    }
    if (lines.length === 0) continue
    if (context.options.output !== 'json') await context.output.requests(lines)
    else {
      await context.io.out(`${isFirst ? '[' : ','}\n${lines.map((curl) => toJson({ curl })).join(',\n')}`)
      isFirst = false
    }
  }
  if (context.options.output === 'json') await context.io.out(isFirst ? '[]\n' : '\n]\n')
}
