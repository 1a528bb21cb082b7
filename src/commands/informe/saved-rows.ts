import type { Context } from '../../context.ts'
import type { BnplError, ErrorKind } from '../../errors.ts'
import { formatBytes, formatPath } from '../../terminal/format.ts'
import { visible } from '../../terminal/text.ts'
import { measureFor } from '../../terminal/width.ts'
import type { SavedReport } from './save-report.ts'

/** A report that was not saved, in the same columns. */
export interface FailedReport {
  preApproveId: string
  path: null
  bytes: null
  sha256: null
  status: 'failed'
  error: { kind: ErrorKind; code: string | null; message: string }
}

/** What became of one report. */
export type Row = SavedReport | FailedReport

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

const SAID: Record<Row['status'], string> = {
  new: 'new here',
  unchanged: 'unchanged',
  rendered: 'newly rendered',
  failed: 'failed',
}

/** Writes what became of the reports: the rows as data, or lines for people, in which no path is ever cut short. */
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
