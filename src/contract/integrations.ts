/** How many active destinations an account may have, counted over both registration endpoints (specification: "Limits"). */
export const DESTINATION_LIMIT = 10

/** How many bytes of a receiver's answer are read. A longer answer is still accepted, because the specification does not limit it. */
export const RECEIVER_ANSWER_BYTES = 20_000

/**
 * The events that an account may subscribe to, and how their deliveries are verified (specification: "Authentication"). `written` is the
 * scheme as the service writes it in `verificationScheme` (specification: "Webhook destination").
 */
export const INTEGRATIONS = {
  bnpl: { events: ['loan_approved'], scheme: 'hmac', written: 'HMAC', header: 'service-signature' },
  'real-estate': {
    events: ['new_lead', 'pre_approve'],
    scheme: 'token',
    written: 'token',
    header: 'service-webhook-secret',
  },
} as const

type Product = keyof typeof INTEGRATIONS
export type EventType = (typeof INTEGRATIONS)[Product]['events'][number]
export type VerificationScheme = (typeof INTEGRATIONS)[Product]['scheme']

/** Returns the events of an integration as the object of a sentence: `new_lead and pre_approve`. */
export function eventsInWords(product: Product): string {
  const events: readonly string[] = INTEGRATIONS[product].events
  return [events.slice(0, -1).join(', '), ...events.slice(-1)].filter((part) => part !== '').join(' and ')
}

/** Whether an integration has this event and no other. */
export const isOnlyEvent = (event: string | null): boolean =>
  Object.values<{ events: readonly string[] }>(INTEGRATIONS).some(
    ({ events }) => events.length === 1 && events[0] === event,
  )

/** Returns the integration whose deliveries are verified with a scheme. */
export const integrationOf = (scheme: VerificationScheme) => INTEGRATIONS[scheme === 'hmac' ? 'bnpl' : 'real-estate']

/**
 * The headers under which a signature or a token may arrive, the specified name first. The service banca.me publishes the second names,
 * from which the specification seems to have removed the name of the service.
 */
export const SCHEME_HEADERS: Readonly<Record<VerificationScheme, readonly [string, string]>> = {
  hmac: [INTEGRATIONS.bnpl.header, 'bancame-signature'],
  token: [INTEGRATIONS['real-estate'].header, 'bancame-webhook-secret'],
}

/**
 * Returns the signature or the token of a delivery; undefined if no header has one. If two headers differ, the values are joined to one
 * text, which matches no signature and no token.
 * @param sentAs returns the value of a header; undefined if it was not sent
 * @param only the one header that counts, if it is known
 */
export function proofOf(
  sentAs: (name: string) => string | undefined,
  scheme: VerificationScheme,
  only?: Partial<Record<VerificationScheme, string>>,
): string | undefined {
  const own = only?.[scheme]
  if (own !== undefined) return sentAs(own)
  const [specified, published] = SCHEME_HEADERS[scheme]
  const [first, second] = [sentAs(specified), sentAs(published)]
  if (first === undefined || first === second) return second
  return second === undefined ? first : `${first}, ${second}`
}
