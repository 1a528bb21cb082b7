/** The sandbox's choices where the specification shows nothing (gaps 18 and 33). */

/** Smallest and largest amount, in currency units. */
export const AMOUNT_BOUNDS = { min: 1_000, max: 50_000_000 } as const

/** Numbers of monthly installments that are offered. */
export const OFFERED_PERIODS = [3, 6, 12, 24] as const

/** Monthly interest, as a decimal fraction. */
export const MONTHLY_RATE = 0.0189

/** Milliseconds from the creation of a lead to the end of its evaluation, unless the caller sets another time. */
export const LEAD_EVALUATION_MS = 30_000

/** The port of the sandbox unless another is chosen. */
export const DEFAULT_PORT = 4555

/** The path of the hosted payment page, under the sandbox's address. */
export const PAYMENT_PATH = '/pay'

/** Requests of one partner: `burst` at once, then `perSecond`. */
export const RATE_LIMIT = { burst: 2_000, perSecond: 1_000 } as const

/** Milliseconds in which a receiver must answer a delivery other than new_lead (gap 12). */
export const DELIVERY_TIMEOUT_MS = 5_000

/** Waits before each retry of such a delivery, in ms, unless they are changed (gap 12). */
export const DELIVERY_STEPS_MS: readonly number[] = [5_000, 30_000, 300_000]

/** How far a wait may differ from its step, as a fraction of the step. */
export const DELIVERY_JITTER = 0.2

/** How long a process holds a claim on a delivery, in ms of the machine's time: longer than any attempt takes. */
export const CLAIM_MS = 8_000

/** The longest delay of a request or a delivery, in ms. */
export const DELAY_LIMIT_MS = 600_000

/** The longest move of the clock at once, in ms: ten years. */
export const CLOCK_LIMIT_MS = 10 * 365 * 86_400_000

/** The addresses of a sandbox: the service, the hosted payment page and the window. */
export interface SandboxAddresses {
  /** Without a slash at the end. */
  baseUrl: string
  paymentUrl: string
  windowUrl: string
}

/** The addresses of the sandbox at `baseUrl`, which has no slash at the end. */
export function addressesOf(baseUrl: string): SandboxAddresses {
  return { baseUrl, paymentUrl: `${baseUrl}${PAYMENT_PATH}`, windowUrl: `${baseUrl}/` }
}
