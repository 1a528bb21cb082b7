import type { Context } from '../context.ts'
import { costOfCredit, type InstallmentOption } from '../domain/installments.ts'
import { renderFields, renderTable, tableOn } from '../terminal/table.ts'

interface Evaluation {
  externalTrxId: string
  amount: number
  preApproveId: string | null
  idNumber: string
  installmentOptions: readonly InstallmentOption[]
}

/** Returns an evaluation as text for people, with a table of its installment options. */
export async function renderEvaluation(context: Context, evaluation: Evaluation): Promise<string> {
  const currency = (await context.settings()).currency?.value
  const money = (amount: number) => context.numbers.amount(amount, currency)
  const about = await renderFields(
    [
      ['Transaction', evaluation.externalTrxId],
      ['Pre-approval', evaluation.preApproveId ?? 'not found in the answer'],
      ['Customer', evaluation.idNumber],
      ['Amount', money(evaluation.amount)],
    ],
    context.output,
  )
  if (evaluation.installmentOptions.length === 0) return `${about}\n\nNo installment options were offered.`
  const table = await renderTable(
    evaluation.installmentOptions,
    [
      { title: 'Installments', value: (o) => String(o.installments), align: 'right' },
      { title: 'Each', value: (o) => money(o.amount), align: 'right' },
      { title: 'Total', value: (o) => money(o.total), align: 'right' },
      {
        title: 'Cost of credit',
        value: (o) => money(costOfCredit(o, evaluation.amount).cost),
        align: 'right',
      },
      {
        title: 'Cost %',
        value: (o) => context.numbers.share(costOfCredit(o, evaluation.amount).share),
        align: 'right',
      },
    ],
    tableOn(context.output),
  )
  return `${about}\n\n${table}`
}
