import { INTEGRATIONS } from './integrations.ts'

type Json = Record<string, unknown>

/** The deliveries a receiver gets, as the `webhooks` of an OpenAPI document. */
export function webhooksOf(): Json {
  return Object.fromEntries(
    Object.values(INTEGRATIONS).flatMap(({ events, header, scheme }) =>
      events.map((event) => [event, { post: delivery(event, header, scheme) }]),
    ),
  )
}

function delivery(event: string, header: string, scheme: string): Json {
  const proof =
    scheme === 'hmac'
      ? 'HMAC signature of the raw body (its algorithm and encoding are not shown)'
      : 'the static token of the destination'
  return {
    operationId: event,
    summary: `a ${event} event`,
    tags: ['webhooks'],
    security: [],
    parameters: [{ name: header, in: 'header', required: true, description: proof, schema: { type: 'string' } }],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              eventId: { type: 'string', description: 'the same on every retry' },
              data: { type: 'object', description: 'the fields of the event are not shown by the specification' },
            },
            required: ['eventId', 'data'],
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'received' },
      '4XX': { description: 'not received, for example because the proof is wrong' },
    },
  }
}
