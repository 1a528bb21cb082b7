import type { Context } from '../context.ts'
import type { Loan } from '../contract/endpoints.ts'
import { dayOf } from '../domain/dates.ts'
import { costOfCredit, type InstallmentOption, loanTotal, paymentOf } from '../domain/installments.ts'
import { countOf } from '../terminal/numbers.ts'
import { renderFields, renderTable, tableOn } from '../terminal/table.ts'
import type { Verification } from './verification.ts'

interface Evaluation {
  externalTrxId: string
  amount: number
  preApproveId: string | null
  idNumber: string
  installmentOptions: readonly InstallmentOption[]
}

/** Returns the function that writes an amount with the currency of the settings. */
export async function moneyOf({ settings, numbers }: Context): Promise<(amount: number) => string> {
  const currency = (await settings()).currency?.value
  return (amount) => numbers.amount(amount, currency)
}

/** Returns an evaluation as text for people, with a table of its installment options. */
export async function renderEvaluation(context: Context, evaluation: Evaluation): Promise<string> {
  const money = await moneyOf(context)
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

/** Returns a loan as text for people: its terms, then its payment schedule. */
export async function renderLoan(context: Context, loan: Loan): Promise<string> {
  const { style } = context.output
  const money = await moneyOf(context)
  const about = await renderFields(
    [
      ['Transaction', loan.externalTrxId],
      ['State', loan.state],
      ['Loan', money(loan.loanAmount)],
      ['To pay', `${money(loanTotal(loan))} in ${countOf(loan.periods, 'installment')}`],
      ['Interest rate', context.numbers.rate(loan.interestRate)],
      ['Transfer', dayOf(loan.transferDate)],
    ],
    context.output,
  )
  const schedule = await renderTable(
    loan.installments,
    [
      { title: 'No.', value: (each) => String(each.period), align: 'right' },
      { title: 'Due', value: (each) => dayOf(each.expirationDate) },
      { title: 'Amount', value: (each) => money(paymentOf(loan, each.period)), align: 'right' },
      { title: 'State', value: (each) => each.state, look: (text) => (text === 'ACTIVE' ? style.green(text) : text) },
    ],
    tableOn(context.output),
  )
  return `${about}\n\n${schedule}`
}

/** Returns several verifications as text for people, one line each. */
export async function renderVerifications(context: Context, verifications: readonly Verification[]): Promise<string> {
  const { style } = context.output
  const money = await moneyOf(context)
  return renderTable(
    verifications,
    [
      { title: 'Transaction', value: (each) => each.externalTrxId, shrinks: true },
      {
        title: 'State',
        value: (each) => ('loan' in each ? each.loan.state : context.output.inLanguage(each.error.kind)),
        look: (text, each) => ('loan' in each && each.differences.length === 0 ? style.green(text) : style.red(text)),
      },
      { title: 'Loan', value: (each) => ('loan' in each ? money(each.loan.loanAmount) : ''), align: 'right' },
      { title: 'Installments', value: (each) => ('loan' in each ? String(each.loan.periods) : ''), align: 'right' },
      { title: 'Transfer', value: (each) => ('loan' in each ? dayOf(each.loan.transferDate) : '') },
      {
        title: 'Remark',
        isText: true,
        value: (each) =>
          'loan' in each ? each.differences.join('; ') : each.error.message.replace(/^could not [^:]*: /, ''),
        shrinks: 'wraps',
      },
    ],
    tableOn(context.output),
  )
}
