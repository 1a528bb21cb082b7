/** What the sandbox picked where the specification shows nothing (gaps 18 and 33), as the program uses it. */

/** Smallest and largest amount, in currency units. */
export const AMOUNT_BOUNDS = { min: 1_000, max: 50_000_000 } as const

/** Numbers of monthly instalments that are offered. */
export const OFFERED_PERIODS = [3, 6, 12, 24] as const

/** Interest of a month, as a decimal fraction. */
export const MONTHLY_RATE = 0.0189

/** Milliseconds from a lead's creation to the end of its evaluation, unless the one who creates it says otherwise. */
export const LEAD_EVALUATION_MS = 30_000

/** What the sandbox answers to on this machine when nobody chose another address. */
export const DEFAULT_PORT = 4555

/** Where the hosted payment page is, under the sandbox's address. */
export const PAYMENT_PATH = '/pay'

/** Calls of one partner: this many at once, and so many a second from then on. */
export const RATE_LIMIT = { burst: 2_000, perSecond: 1_000 } as const

/** Milliseconds a receiver has for a delivery other than new_lead (gap 12). */
export const DELIVERY_TIMEOUT_MS = 5_000

/** Waits before each retry of such a delivery, in ms, unless the setting says otherwise (gap 12). */
export const DELIVERY_STEPS_MS: readonly number[] = [5_000, 30_000, 300_000]

/** How far a wait is off its step, either way. */
export const DELIVERY_JITTER = 0.2

/** How long a process may hold a delivery, in ms of the machine's time: longer than any attempt takes. */
export const CLAIM_MS = 8_000

/** The longest a call or a delivery is kept waiting on purpose, in ms. */
export const DELAY_LIMIT_MS = 600_000

/** The furthest the clock moves at once, in ms: ten years. */
export const CLOCK_LIMIT_MS = 10 * 365 * 86_400_000

/** Where the parts of a sandbox are. @param baseUrl without a slash at the end */
export function addressesOf(baseUrl: string): { baseUrl: string; paymentUrl: string; dashboardUrl: string } {
  return { baseUrl, paymentUrl: `${baseUrl}${PAYMENT_PATH}`, dashboardUrl: `${baseUrl}/` }
}
