/** What happens to a customer of the sandbox. */
export type Fate =
  | 'approved'
  | 'rejected'
  | 'few-options'
  | 'slow'
  | 'service-error'
  | 'rate-limited'
  | 'payment-rejected'

export interface TestCustomer {
  rut: string
  title: string
  /** One sentence for help, docs and pages. */
  does: string
  fate: Fate
}

/** Customers whose national id decides, like test cards. Any other valid id is approved. */
export const TEST_CUSTOMERS: readonly TestCustomer[] = [
  { rut: '11111111-1', title: 'Approved', does: 'is offered every option and pays', fate: 'approved' },
  {
    rut: '22222222-2',
    title: 'Not approved',
    does: 'is refused at evaluation: 422 ERR_CUSTOMER_NOT_APPROVED',
    fate: 'rejected',
  },
  { rut: '33333333-3', title: 'Few options', does: 'is offered 3 instalments and nothing else', fate: 'few-options' },
  { rut: '44444444-4', title: 'Slow', does: 'is approved, after 5 seconds', fate: 'slow' },
  { rut: '55555555-5', title: 'Service error', does: 'cannot be evaluated: 503, every time', fate: 'service-error' },
  {
    rut: '66666666-6',
    title: 'Rate limited',
    does: 'gets 429 with Retry-After: 2 once a transaction, then is approved',
    fate: 'rate-limited',
  },
  {
    rut: '77777777-7',
    title: 'Payment rejected',
    does: 'is approved, but the payment on the page is rejected',
    fate: 'payment-rejected',
  },
]

/** How long the slow customer takes, in ms. */
export const SLOW_MS = 5_000

/** Seconds the rate-limited customer is told to wait. */
export const RETRY_AFTER_SECONDS = 2

export function fateOf(rut: string): Fate {
  return TEST_CUSTOMERS.find((customer) => customer.rut === rut)?.fate ?? 'approved'
}
