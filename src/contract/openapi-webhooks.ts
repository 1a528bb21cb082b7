import type { ServiceDescription } from './description.ts'
import { INTEGRATIONS } from './integrations.ts'
import { notShown, type OpenApiPart } from './openapi-schemas.ts'

/** Returns the deliveries that a receiver gets, as the `webhooks` of an OpenAPI document. */
export function webhooksOf({ answers }: ServiceDescription): OpenApiPart {
  return Object.fromEntries(
    Object.values(INTEGRATIONS).flatMap(({ events, scheme }) => {
      const { text } = answers[scheme === 'hmac' ? 'signatureHeader' : 'tokenHeader']
      return events.map((event) => [event, { post: delivery(event, text, scheme) }])
    }),
  )
}

function delivery(event: string, header: string, scheme: string): OpenApiPart {
  const proof =
    scheme === 'hmac'
      ? { description: 'HMAC signature of the raw body', ...notShown(7) }
      : { description: 'the static token of the destination', ...notShown(8) }
  return {
    operationId: event,
    summary: `a ${event} event`,
    tags: ['webhooks'],
    security: [],
    parameters: [{ name: header, in: 'header', required: true, schema: { type: 'string' }, ...proof }],
    requestBody: {
      required: true,
      ...notShown(45),
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              eventId: { type: 'string', description: 'the same id on every retry', ...notShown(49) },
              data: { type: 'object', description: 'the fields of the event', ...notShown(11) },
            },
            required: ['eventId', 'data'],
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'received', ...notShown(47) },
      '4XX': {
        description: 'the delivery is not accepted, for example because the signature or the token is wrong',
        ...notShown(47),
      },
    },
  }
}
