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
