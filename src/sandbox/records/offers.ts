import { type InstallmentOption, installmentPlan } from '../../domain/installments.ts'
import { MONTHLY_RATE, OFFERED_PERIODS } from '../conventions.ts'
import { fateOf } from './test-customers.ts'

/** The options a customer is offered for an amount. */
export function offersFor(rut: string | undefined, amount: number): InstallmentOption[] {
  const periods = rut !== undefined && fateOf(rut) === 'few-options' ? OFFERED_PERIODS.slice(0, 1) : OFFERED_PERIODS
  return periods.map((installments) => {
    const plan = installmentPlan(amount, installments, MONTHLY_RATE)
    return { installments, amount: plan.installmentAmount, total: plan.total }
  })
}
