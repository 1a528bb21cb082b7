/** Amounts are whole currency units, dates YYYY-MM-DD. */
interface LoanFigures {
  loanAmount: number
  interestRate: number
  periods: number
  installmentAmount: number
  lastInstallmentAmount: number
  installments: readonly { period: number; expirationDate: string }[]
}

/** Returns the sum of all payments of a loan. */
export function loanTotal(loan: Pick<LoanFigures, 'periods' | 'installmentAmount' | 'lastInstallmentAmount'>): number {
  return loan.installmentAmount * (loan.periods - 1) + loan.lastInstallmentAmount
}

/**
 * Returns the amount of one payment of the schedule.
 * @param period starts at 1
 */
export function paymentOf(loan: LoanFigures, period: number): number {
  return period === loan.periods ? loan.lastInstallmentAmount : loan.installmentAmount
}

/** Returns the contradictions in the figures of a loan, one clause for each; empty when the figures agree. */
export function loanDoubts(loan: LoanFigures): string[] {
  const doubts: string[] = []
  const periods = loan.installments.map(({ period }) => period)
  if (periods.length !== loan.periods)
    doubts.push(`the loan has ${loan.periods} periods, but its schedule has ${periods.length}`)
  if (periods.some((period, i) => period !== i + 1))
    doubts.push('the periods of the schedule are not numbered 1, 2, 3 …')
  const dates = loan.installments.map(({ expirationDate }) => expirationDate)
  if (dates.some((date, i) => i > 0 && date <= (dates[i - 1] ?? ''))) doubts.push('the due dates are not in order')
  if (loan.periods > 0 && loanTotal(loan) < loan.loanAmount) doubts.push('the payments together are less than the loan')
  if (loan.interestRate < 0) doubts.push('the interest rate is negative')
  return doubts
}
