import type { Endpoint, PathParameter, Tag } from './calls/call.ts'
import { hasCall, isKnown, type ServiceDescription, SPECIFICATION } from './description.ts'
import { ENDPOINT_NAMES, type EndpointName, endpointOf, ofService } from './endpoints.ts'
import { answerSchema, anyShape, notShown, type OpenApiPart, requestBody } from './openapi-schemas.ts'
import { webhooksOf } from './openapi-webhooks.ts'

const JSON_TYPE = 'application/json'

/** Client generators make one class for each of these groups. */
const TAGS: Readonly<Record<Tag, string>> = {
  payment: 'Evaluate a customer, open a widget session, verify the loan',
  webhooks: 'Destinations of deliveries',
  reports: 'Evaluation reports',
  evaluations: 'Leads and evaluations of real-estate accounts',
}

interface DocumentInfo {
  version: string
  summary: string
  description: string
}

/** Returns the contract as an OpenAPI 3.1 document, with the paths and fields that a service knows. */
export function toOpenApi(
  { version, summary, description }: DocumentInfo,
  service: ServiceDescription = SPECIFICATION,
): OpenApiPart {
  const paths: Record<string, OpenApiPart> = {}
  for (const name of ENDPOINT_NAMES) {
    const endpoint = atOwnPath(ofService(endpointOf(name), service), service)
    if (!hasCall(endpoint, service)) continue
    paths[endpoint.path] ??= {}
    Object.assign(paths[endpoint.path] ?? {}, { [endpoint.method.toLowerCase()]: operation(name, endpoint) })
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'BNPL partner service',
      version,
      summary,
      description,
      contact: { name: 'Your partner service' },
      license: { name: 'MIT', identifier: 'MIT' },
      ...notShown(48),
    },
    servers: [
      {
        url: '{baseUrl}',
        description: 'The base address of your account',
        variables: {
          baseUrl: {
            default: 'https://api.example.com',
            description: 'An example. Use the address of your account, which you get with your account.',
          },
        },
      },
    ],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksOf(service),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'The API key of the merchant, test or production' },
      },
      responses: {
        Refused: {
          description: 'The service refused the call, for example because the API key is missing or wrong',
          content: { [JSON_TYPE]: { schema: anyShape(15) } },
          ...notShown(16),
        },
      },
    },
  }
}

/** Returns a call with the path that a service is known to have. */
function atOwnPath(endpoint: Endpoint, { answers }: ServiceDescription): Endpoint {
  const known = endpoint.pathSetting === undefined ? undefined : answers[endpoint.pathSetting]
  if (known === undefined || !isKnown(known)) return endpoint
  const { path: _, ...notShown } = endpoint.notShown
  return { ...endpoint, path: known.text, notShown }
}

function operation(name: EndpointName, endpoint: Endpoint): OpenApiPart {
  const { tag, params, notShown: places, request, auth, summary, section, repeat, reconcile, describedBy } = endpoint
  const again = {
    safe: 'Safe to repeat.',
    never: 'Not safe to repeat, because the service could carry out a second call too.',
    reconcile: 'Before you repeat the call, check whether it was carried out.',
  }
  return {
    operationId: name,
    summary,
    description: [
      describedBy === undefined ? `Specification: “${section}”.` : `Not in the specification. ${section}.`,
      again[repeat],
      reconcile && `If the answer was lost: ${reconcile.how}.`,
    ]
      .filter(Boolean)
      .join(' '),
    tags: [tag],
    ...(auth === 'none' ? { security: [] } : {}),
    ...(params.length === 0 ? {} : { parameters: params.map(parameter) }),
    ...(request === undefined ? {} : { requestBody: requestBody(endpoint, request) }),
    responses: responses(endpoint),
    ...notShown(places.path),
  }
}

const parameter = ({ name, meaning }: PathParameter): OpenApiPart => ({
  name,
  in: 'path',
  required: true,
  description: meaning,
  schema: { type: 'string', minLength: 1 },
})

function responses(endpoint: Endpoint): OpenApiPart {
  const { success, statuses, notShown: places } = endpoint
  const redirect = {
    headers: { Location: { description: 'The signed download link', schema: { type: 'string', format: 'uri' } } },
  }
  const found: OpenApiPart = {
    [success.status]: {
      description: success.meaning,
      ...(success.status === 302 ? redirect : { content: { [JSON_TYPE]: { schema: answerSchema(endpoint) } } }),
      ...notShown(places.status),
    },
  }
  for (const [status, { meaning, codes }] of Object.entries(statuses)) {
    const named = Object.entries(codes ?? {}).map(([code, words]) => `\`${code}\`: ${words}`)
    found[status] = {
      description: [meaning, ...named].join('; '),
      content: { [JSON_TYPE]: { schema: anyShape(15) } },
      ...notShown(places.statuses?.[Number(status)]),
    }
  }
  return { ...found, default: { $ref: '#/components/responses/Refused' } }
}
