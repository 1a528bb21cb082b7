/** What the specification states of the widget and its page apart from any endpoint's schema; loads no schema library. */

/** Milliseconds a widget token lives (specification: "Limits"). */
export const WIDGET_TOKEN_LIFE_MS = 10 * 60_000

/** Milliseconds after the payment's end before the customer is sent back (specification: "Hosted payment page"). */
export const REDIRECT_DELAY_MS = 10_000
