import type { RowResult } from '../../bulk/operation.ts'
import type { DoneRow } from '../../bulk/send-rows.ts'
import type { Context } from '../../context.ts'
import { tellable } from '../../errors.ts'
import type { VerifiedLoan } from '../../state/state.ts'
import { historyKey } from '../history-notes.ts'

const BATCH = 512

/**
 * Returns a function that updates the loans of known transactions in the history. If the history cannot be written,
 * the run continues after one warning, because the results contain all data.
 */
export async function loanNotes(context: Context): Promise<(rows: readonly DoneRow[]) => Promise<void>> {
  let isOff = false
  let loans: VerifiedLoan[] = []
  const guarded = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      isOff = true
      context.output.warn(`the local history could not be written (${tellable(error)})`)
      return undefined
    }
  }
  const profile = historyKey(await context.settings())
  const known = await guarded(async () => (await context.state()).latest(profile))
  if (known === undefined) return async () => {}
  const flush = async () => {
    const batch = loans
    loans = []
    if (batch.length > 0 && !isOff) await guarded(async () => (await context.state()).noteLoans(profile, batch))
  }
  context.onClose(flush)
  return async (rows) => {
    const verifiedAt = new Date(context.clock.now()).toISOString()
    for (const { id, result } of rows) {
      if (typeof result.state !== 'string' || isOfAnother(result)) continue
      const externalTrxId = typeof result.answeredExternalTrxId === 'string' ? result.answeredExternalTrxId : id
      loans.push({ externalTrxId, loanState: result.state, verifiedAt })
    }
    if (loans.length >= BATCH) await flush()
  }
}

const isOfAnother = ({ differences }: RowResult): boolean =>
  Array.isArray(differences) && differences.includes('externalTrxId')
