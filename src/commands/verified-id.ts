import type { Context } from '../context.ts'
import type { Loan } from '../contract/endpoints.ts'
import { findPreApproveId, looksLikeUuid } from '../domain/identifiers.ts'
import { BnplError } from '../errors.ts'
import type { TransactionRecord } from '../state/state.ts'
import { historyKey } from './history-notes.ts'

/** The transaction that an id on the command line is about. */
interface Verified {
  externalTrxId: string
  /** True if the id may be a preApproveId that the history of this machine does not have (gap 43). */
  mayBePreApproval: boolean
}

/**
 * Finds the transaction of an id. The specification asks for a verification by preApproveId in one place, and shows externalTrxId as the
 * parameter in another (gap 43): a preApproveId of the history is verified by the externalTrxId of its transaction, and a note says so.
 * A history that cannot be read changes nothing: the id is verified as it was given.
 */
export async function verifiedId(context: Context, given: string): Promise<Verified> {
  const { own, byPreApproval } = await inHistory(context, given)
  if (byPreApproval !== undefined) {
    const { externalTrxId } = byPreApproval
    context.output.note(
      `${given} is the preApproveId of ${externalTrxId}, by the history of this machine: verifying ${externalTrxId}.`,
    )
    return { externalTrxId, mayBePreApproval: false }
  }
  return { externalTrxId: given, mayBePreApproval: own === undefined && looksLikeUuid(given) }
}

/**
 * The same for the rows of a file. Only ids in the form of a preApproveId are looked for. One note is written for all that are found.
 * @returns gives the transaction of an id
 */
export function verifiedRows(context: Context): (id: string) => Promise<string> {
  let isNoted = false
  return async (id) => {
    const { byPreApproval } = looksLikeUuid(id) ? await inHistory(context, id) : {}
    if (byPreApproval === undefined) return id
    if (!isNoted)
      context.output.note(
        'Ids that are preApproveIds in the history of this machine are verified by the ids of their transactions.',
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

/** Whether a loan of another transaction is the answer to a preApproveId: the service accepted it, and the loan names it. */
export async function answersPreApproval(context: Context, asked: string, loan: Loan): Promise<boolean> {
  if (loan.externalTrxId === asked) return false
  const { preApproveIdField } = await context.settings()
  return findPreApproveId(loan, preApproveIdField?.value).preApproveId === asked
}
