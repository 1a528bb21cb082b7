import * as z from 'zod/mini'
import * as calls from './calls/webhook.ts'
import { endpoint } from './endpoint.ts'
import { anything, text } from './fields.ts'

/** A destination, as far as it is shown (gap 6). */
export const destination = z.looseObject({
  id: z.string(),
  url: z.string(),
  verificationScheme: z.optional(z.string()),
})

export const registerWebhook = endpoint(calls.registerWebhook, {
  // Only url has a meaning; eventTypes and filters are accepted and ignored without error.
  request: z.strictObject({
    url: text,
    eventTypes: z.optional(z.unknown()),
    filters: z.optional(z.unknown()),
  }),
  data: anything,
})

export const subscribeWebhook = endpoint(calls.subscribeWebhook, {
  // The project field's name is not shown (gap 9), so text fields beyond the named ones pass.
  request: z.catchall(
    z.object({
      url: text,
      eventTypes: z.array(z.string()),
      filters: z.optional(z.record(z.string(), z.unknown())),
    }),
    z.string(),
  ),
  data: anything,
})

export const listWebhooks = endpoint(calls.listWebhooks, {
  request: undefined,
  data: z.array(destination),
})

export const deleteWebhook = endpoint(calls.deleteWebhook, {
  request: undefined,
  data: anything,
})
