/** What the specification states of the widget and its page apart from any endpoint's schema; loads no schema library. */

/** Milliseconds a widget token lives (specification: "Limits"). */
export const WIDGET_TOKEN_LIFE_MS = 10 * 60_000

/** Milliseconds after the payment's end before the customer is sent back (specification: "Hosted payment page"). */
export const REDIRECT_DELAY_MS = 10_000

/** The expiry in a widget token of JWT form, in ms since 1970; undefined for any other token (gap 25: the form is not specified). */
export function widgetTokenExpiry(token: string): number | undefined {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined
  } catch {
    return undefined
  }
}
