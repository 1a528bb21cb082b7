import type { Context } from '../context.ts'
import type { Loan } from '../contract/endpoints.ts'
import { findPreApproveId, looksLikeUuid } from '../domain/identifiers.ts'
import { BnplError } from '../errors.ts'
import { knownAnswer } from '../profiles/resolve.ts'
import type { TransactionRecord } from '../state/state.ts'
import { historyKey } from './history-notes.ts'

interface Verified {
  externalTrxId: string
  /** True if the id may be a preApproveId that the history of this machine does not contain. */
  mayBePreApproval: boolean
}

/**
 * Returns the id to verify. If the given id is a preApproveId in the history, returns the externalTrxId of the same
 * payment. Otherwise, or if the history cannot be read, returns the given id.
 */
export async function verifiedId(context: Context, given: string): Promise<Verified> {
  const { own, byPreApproval } = await inHistory(context, given)
  // Do not send the preApproveId, because the service may find a loan only by its externalTrxId (the specification is not clear).
  if (byPreApproval !== undefined) {
    const { externalTrxId } = byPreApproval
    context.output.note(
      `In the history of this machine, ${given} is the preApproveId of ${externalTrxId}. Verifying ${externalTrxId}.`,
    )
    return { externalTrxId, mayBePreApproval: false }
  }
  return { externalTrxId: given, mayBePreApproval: own === undefined && looksLikeUuid(given) }
}

/**
 * Returns a function that finds the id to verify for each row of a file, as `verifiedId` does. It prints at most one
 * note for all rows, and looks up only ids that look like a preApproveId.
 */
export function verifiedRows(context: Context): (id: string) => Promise<string> {
  let isNoted = false
  return async (id) => {
    const { byPreApproval } = looksLikeUuid(id) ? await inHistory(context, id) : {}
    if (byPreApproval === undefined) return id
    if (!isNoted)
      context.output.note(
        'Some ids are preApproveIds of transactions in the history of this machine. The service is asked about the externalTrxIds of these transactions instead.',
      )
    isNoted = true
    return byPreApproval.externalTrxId
  }
}

async function inHistory(
  context: Context,
  id: string,
): Promise<{ own?: TransactionRecord | undefined; byPreApproval?: TransactionRecord | undefined }> {
  const key = historyKey(await context.settings())
  try {
    const state = await context.state()
    const own = await state.find(key, id)
    return own === undefined ? { byPreApproval: await state.findByPreApproval(key, id) } : { own }
  } catch (error) {
    if (error instanceof BnplError) return {}
    throw error
  }
}

/** Whether `asked` is not the externalTrxId but the preApproveId of a loan. */
export async function answersPreApproval(context: Context, asked: string, loan: Loan): Promise<boolean> {
  if (loan.externalTrxId === asked) return false
  const { service } = await context.settings()
  return findPreApproveId(loan, knownAnswer(service, 'preApproveIdField')).preApproveId === asked
}
