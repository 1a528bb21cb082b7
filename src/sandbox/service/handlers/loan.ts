import { loanRecord } from '../../records/records.ts'
import { findLoan } from '../../store/payments.ts'
import { Refusal } from '../refusal.ts'
import type { Handler } from './handler.ts'

export const verifyLoan: Handler<'verifyLoan'> = async ({ params, partner }, { store }) => {
  const loan = await findLoan(store.db, partner.id, params.externalTrxId)
  if (loan === undefined) throw new Refusal(404, 'ERR_LOAN_NOT_FOUND', 'no loan for this transaction')
  return loanRecord(loan)
}
