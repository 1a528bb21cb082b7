/** The time limits that the specification states ("Limits", "Hosted payment page"), in ms. */

export const WIDGET_TOKEN_LIFE_MS = 10 * 60_000

/** How long after the payment the customer is sent back to the merchant. */
export const REDIRECT_DELAY_MS = 10_000

/** How long a receiver may take to answer a new_lead. */
export const NEW_LEAD_TIMEOUT_MS = 3000

/** For how many days after its transfer a loan can be cancelled, as banca.me publishes it. The specification has no such limit. */
export const CANCEL_DAYS = 60

export const INFORME_LINK_LIFE_MS = 1_800_000
