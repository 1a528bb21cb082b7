import type { Context } from '../../context.ts'
import { formatTime, type Numbers } from '../../terminal/numbers.ts'
import { renderFields } from '../../terminal/table.ts'
import { type Memory, recallOne } from './memory.ts'

/** Prints the record of one transaction or report. Throws `not-found` if the history has no such record. */
export async function showRecord(context: Context, id: string): Promise<void> {
  const memory = await recallOne(context, id)
  await context.output.result(memory, () =>
    renderFields(
      fieldsOf(memory, context.numbers).map(([name, value]) => [name, value ?? '–'] as const),
      context.output,
    ),
  )
}

function fieldsOf(memory: Memory, numbers: Numbers): [name: string, value: string | null][] {
  if (memory.kind === 'report') {
    return [
      ['Report of', memory.preApproveId],
      ['Profile', memory.profile],
      ['Bytes', String(memory.bytes)],
      ['SHA-256', memory.sha256],
      ['Unchanged since', formatTime(memory.renderedAt)],
      ['Last fetched', formatTime(memory.fetchedAt)],
    ]
  }
  return [
    ['Transaction', memory.externalTrxId],
    ['Profile', memory.profile],
    ['Amount', memory.amount === null ? null : numbers.amount(memory.amount)],
    ['Entity id', memory.entityId],
    ['Pre-approval', memory.preApproveId],
    ['Installments', memory.installments === null ? null : String(memory.installments)],
    ['Loan request', memory.loanRequestId],
    ['Token valid until', time(memory.tokenExpiresAt)],
    ['Loan', memory.loanState],
    ['Verified', time(memory.verifiedAt)],
    ['First seen', time(memory.createdAt)],
    ['Last changed', time(memory.updatedAt)],
  ]
}

const time = (iso: string | null) => (iso === null ? null : formatTime(iso))
