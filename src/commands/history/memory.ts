import type { Context } from '../../context.ts'
import { BnplError, usage } from '../../errors.ts'
import type { ReportRecord, TransactionRecord } from '../../state/state.ts'

/** One thing this machine remembers. */
export type Memory = ({ kind: 'transaction' } & TransactionRecord) | ({ kind: 'report' } & ReportRecord)

/** The id it goes by: the merchant's transaction id, or the pre-approval whose report it is. */
export function idOf(memory: Memory): string {
  return memory.kind === 'report' ? memory.preApproveId : memory.externalTrxId
}

/** When it was touched last, ISO 8601. */
export function whenOf(memory: Memory): string {
  return memory.kind === 'report' ? memory.fetchedAt : memory.updatedAt
}

/** What is remembered (with `--profile`: of that profile), the newest first. @param id only what goes by that id */
export async function recall(context: Context, limit: number, id?: string): Promise<Memory[]> {
  const state = await context.state()
  const { profile } = context.options
  const query = { limit, ...(profile === undefined ? {} : { profile }) }
  const transactions = await state.list({ ...query, ...(id === undefined ? {} : { externalTrxId: id }) })
  const reports = await state.listReports({ ...query, ...(id === undefined ? {} : { preApproveId: id }) })
  return [
    ...transactions.map((record) => ({ kind: 'transaction', ...record }) as const),
    ...reports.map((record) => ({ kind: 'report', ...record }) as const),
  ]
    .sort((a, b) => Date.parse(whenOf(b)) - Date.parse(whenOf(a)))
    .slice(0, limit)
}

/** The one thing of an id. Throws `not-found` when nothing goes by it, and `usage` when it is in several profiles. */
export async function recallOne(context: Context, id: string): Promise<Memory> {
  const { profile } = context.options
  const [found, ...others] = await recall(context, 10, id)
  if (found === undefined) {
    throw new BnplError(
      'not-found',
      `this machine remembers nothing of ${id}${profile ? ` in profile ${profile}` : ''}`,
      {
        code: 'NOT_REMEMBERED',
        hint: 'The service may know it: bnpl verify. What is remembered: bnpl history',
      },
    )
  }
  if (others.length === 0) return found
  const profiles = [found, ...others].map((each) => each.profile).join(', ')
  throw usage(`several profiles remember ${id}: ${profiles}`, 'Say which with -p NAME.', 'AMBIGUOUS')
}
