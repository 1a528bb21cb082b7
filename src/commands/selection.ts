import type { Context } from '../context.ts'
import type { ResponseData } from '../contract/endpoints.ts'
import { remember } from './history-notes.ts'

/** Reports the option a customer chose and keeps what the next steps need. @returns the loan request as sent */
export async function reportSelection(
  context: Context,
  choice: { externalTrxId: string; amount: number; preApproveId: string; installments: number },
): Promise<ResponseData<'select'>> {
  const { externalTrxId, amount, preApproveId, installments } = choice
  const api = await context.api()
  const { data } = await api.call('select', {
    params: {},
    body: { preApproveId, installmentOption: installments, externalTrxId, amount },
  })
  await remember(context, externalTrxId, {
    amount,
    installments,
    preApproveId: data.preApproveId,
    loanRequestId: data.loanRequestId,
  })
  return data
}
