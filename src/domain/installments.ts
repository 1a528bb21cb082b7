import { dayOf } from './dates.ts'

/** One way to pay: the number of payments, the amount of each payment, and the sum of all payments. Amounts are in whole currency units. */
export interface InstallmentOption {
  installments: number
  amount: number
  total: number
}

/**
 * Returns the annuity plan of a loan, in whole currency units. All payments are equal except the last, which includes the rounding
 * difference.
 * @param periods number of monthly payments, at least 1
 * @param monthlyRate rate per period as a decimal fraction; 0 is allowed
 * @throws RangeError when the total is larger than 2^53 − 1
 */
export function installmentPlan(principal: number, periods: number, monthlyRate: number) {
  const total = Math.max(principal, Math.round(principal * growth(periods, monthlyRate)))
  if (!Number.isSafeInteger(total))
    throw new RangeError(`the total of ${principal} in ${periods} payments is larger than 2^53 − 1`)
  const installmentAmount = Math.floor(total / periods)
  return { periods, installmentAmount, lastInstallmentAmount: total - installmentAmount * (periods - 1), total }
}

/** Returns the sum of all installments for a principal of 1. `expm1` and `log1p` stay precise when the rate is tiny. */
function growth(periods: number, rate: number): number {
  return rate === 0 ? 1 : (rate * periods) / -Math.expm1(-periods * Math.log1p(rate))
}

/** Returns the cost of an option above the financed amount: in currency units, and as a share of the amount (0.12 = 12 %). */
export function costOfCredit(option: InstallmentOption, amount: number): { cost: number; share: number } {
  const cost = option.total - amount
  return { cost, share: amount === 0 ? 0 : cost / amount }
}

/** Adds months to a date (YYYY-MM-DD). If the new month has no such day, returns its last day: 31 January + 1 = 28 or 29 February. */
export function addMonths(date: string, months: number): string {
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(day, lastDay))
  return first.toISOString().slice(0, 10)
}

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
  const dates = loan.installments.map(({ expirationDate }) => dayOf(expirationDate))
  if (dates.some((date, i) => i > 0 && date <= (dates[i - 1] ?? ''))) doubts.push('the due dates are not in order')
  if (loan.periods > 0 && loanTotal(loan) < loan.loanAmount) doubts.push('the payments together are less than the loan')
  if (loan.interestRate < 0) doubts.push('the interest rate is negative')
  return doubts
}
