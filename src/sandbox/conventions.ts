/** Values of the sandbox that the specification does not give. The gaps are listed in docs/contract.md. */

/** Monthly interest, as a decimal fraction (gap 33). */
export const MONTHLY_RATE = 0.0189

/** The time from the creation of a lead to the end of its evaluation, in ms, unless the command or the window sets another time. */
export const LEAD_EVALUATION_MS = 30_000

export const DEFAULT_PORT = 4555

/** The default `Retry-After` of a simulated fault with status 429, in seconds. */
export const FAULT_RETRY_AFTER_S = 1

/** How much a wait before a retry varies by chance, as a fraction of the wait. */
export const DELIVERY_JITTER = 0.2

/**
 * How long a process's claim keeps other processes from sending a delivery, in ms of real time. An attempt ends before the claim: it begins
 * only if the claim lasts longer than its time limit, and it is not extended beyond the claim, unless the process itself was held up
 * longer.
 */
export const CLAIM_MS = 8_000

/** How many new_lead deliveries one process sends at the same time. */
export const LEADS_AT_ONCE = 100

/** The longest delay of a call or of a delivery. */
export const DELAY_LIMIT = { ms: 600_000, words: 'ten minutes' } as const

/**
 * The longest time by which one command can move the clock ahead, and the longest wait in the sandbox's time. The waits are limited because
 * times are compared as text: a time after the year 9999 would sort before all other times, so a longer wait could end at once.
 */
export const CLOCK_LIMIT = { ms: 10 * 365 * 86_400_000, words: 'ten years' } as const

/** How many retries a schedule of deliveries can have. */
export const RETRY_LIMIT = 20

/** The environments of the service, each with its own key pair, address and data. */
export const ENVIRONMENTS = ['beta', 'production'] as const

export type Environment = (typeof ENVIRONMENTS)[number]
