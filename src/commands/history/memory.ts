import type { Context } from '../../context.ts'
import { BnplError, usage } from '../../errors.ts'
import type { ReportRecord, TransactionRecord } from '../../state/state.ts'
import { trimmed } from '../../text/visible.ts'
import { nextCommand } from '../global-options.ts'

export type Memory = ({ kind: 'transaction' } & TransactionRecord) | ({ kind: 'report' } & ReportRecord)

/** Returns the id of a record: the merchant's transaction id, or the pre-approval id of a report. */
export function memoryId(memory: Memory): string {
  return memory.kind === 'report' ? memory.preApproveId : memory.externalTrxId
}

/** Returns the time when a record was last changed, ISO 8601. */
export function whenOf(memory: Memory): string {
  return memory.kind === 'report' ? memory.fetchedAt : memory.updatedAt
}

/** A query for records. A field that is left out does not limit the result. */
export interface Wanted {
  limit: number
  id?: string
  contains?: string | undefined
  since?: string | undefined
  /** The loan's state; an empty text finds transactions without a loan. A query with this field finds no reports. */
  loanState?: string | undefined
}

/** Reads records, the newest first. With `--profile`, reads only the records of that profile. */
export async function recall(context: Context, { id, loanState, ...wanted }: Wanted): Promise<Memory[]> {
  const { limit } = wanted
  const state = await context.state()
  const query = { ...wanted, profile: context.options.profile }
  const transactions = await state.list({ ...query, externalTrxId: id, loanState })
  const reports = loanState === undefined ? await state.listReports({ ...query, preApproveId: id }) : []
  return [
    ...transactions.map((record) => ({ kind: 'transaction', ...record }) as const),
    ...reports.map((record) => ({ kind: 'report', ...record }) as const),
  ]
    .sort((a, b) => Date.parse(whenOf(b)) - Date.parse(whenOf(a)))
    .slice(0, limit)
}

/** Reads the record of an id. Throws `not-found` for an unknown id, and `usage` when several profiles have it. */
export async function recallOne(context: Context, id: string): Promise<Memory> {
  const { profile } = context.options
  const exact = await recall(context, { limit: 10, id })
  // An earlier version stored an id with the blanks at its ends.
  const [found, ...others] = exact.length > 0 ? exact : await recall(context, { limit: 10, id: trimmed(id) })
  if (found === undefined) {
    throw new BnplError(
      'not-found',
      `${id} is not in the history of this machine${profile ? ` under profile ${profile}` : ''}`,
      {
        code: 'NOT_REMEMBERED',
        hint: `See the history: ${nextCommand(context, 'bnpl history')}. Or ask the service: ${nextCommand(context, 'bnpl verify', [id])}`,
      },
    )
  }
  if (others.length === 0) return found
  const profiles = [found, ...others].map((each) => each.profile).join(', ')
  throw usage(`${id} is in the history of several profiles: ${profiles}`, 'Choose a profile with -p NAME.', 'AMBIGUOUS')
}
