import type { ResponseData } from './endpoints.ts'

/** The loan of a verified transaction. Amounts are whole currency units, the rate is a decimal fraction, dates are YYYY-MM-DD. */
export type Loan = ResponseData<'verifyLoan'>
