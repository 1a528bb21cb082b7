/** The specification's facts about the widget and its page that belong to no endpoint's schema. This file loads no schema library. */

/** Milliseconds for which a widget token is valid (specification: "Limits"). */
export const WIDGET_TOKEN_LIFE_MS = 10 * 60_000

/** Milliseconds after the payment's end before the customer is sent back (specification: "Hosted payment page"). */
export const REDIRECT_DELAY_MS = 10_000
