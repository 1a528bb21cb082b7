import type { Context } from '../../context.ts'
import type { BnplError, ErrorKind } from '../../errors.ts'
import { formatBytes, formatPath } from '../../terminal/numbers.ts'
import { measureFor } from '../../terminal/wrap.ts'
import { visible } from '../../text/visible.ts'
import type { SavedReport } from './save-report.ts'

interface FailedReport {
  preApproveId: string
  path: null
  bytes: null
  sha256: null
  status: 'failed'
  error: { kind: ErrorKind; code: string | null; message: string }
}

export type Row = SavedReport | FailedReport

/** Returns the result row of a report that was not saved. */
export function failed(preApproveId: string, { kind, code, message }: BnplError): FailedReport {
  return {
    preApproveId,
    path: null,
    bytes: null,
    sha256: null,
    status: 'failed',
    error: { kind, code: code ?? null, message },
  }
}

/** Every report that is not `failed` is saved, also one that was saved before with the same content. */
const SAID: Record<Row['status'], string> = {
  new: 'saved',
  unchanged: 'saved, same content as before',
  rendered: 'saved, rendered again since the last download',
  failed: 'failed',
}

/** Prints the results of the downloads. Paths are never cut. */
export async function showRows(context: Context, rows: readonly Row[]): Promise<void> {
  const { style } = context.output
  const { cwd } = context.world
  const lines = rows.map(({ path, bytes, preApproveId, status }) => ({
    name: visible(path === null ? String(preApproveId) : formatPath(cwd, path)),
    size: bytes === null ? '' : formatBytes(bytes),
    status,
  }))
  await context.output.result(rows, async () => {
    const measure = await measureFor(lines.map(({ name }) => name))
    const nameWidth = Math.max(...lines.map(({ name }) => measure(name)))
    const sizeWidth = Math.max(...lines.map(({ size }) => size.length))
    return lines
      .map(({ name, size, status }) => {
        const said = status === 'failed' ? style.red(SAID.failed) : SAID[status]
        return `${name}${' '.repeat(nameWidth - measure(name))}  ${size.padStart(sizeWidth)}  ${said}`
      })
      .join('\n')
  })
}
