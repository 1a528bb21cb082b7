import * as z from 'zod/mini'
import type { Endpoint, Tag } from './calls/call.ts'
import { ENDPOINT_NAMES, type EndpointName, endpointOf } from './endpoints.ts'
import { FORM_TYPE } from './form.ts'
import { webhooksOf } from './openapi-webhooks.ts'

type Json = Record<string, unknown>

const NOT_SHOWN = 'not shown by the specification; any shape is accepted'

/** The subjects of the operations, by which generated clients are grouped. */
const TAGS: Readonly<Record<Tag, string>> = {
  payment: 'Evaluate a customer, open a widget session, verify the loan',
  webhooks: 'Destinations of deliveries',
  reports: 'Evaluation reports',
  evaluations: 'Leads and evaluations of real-estate partners',
}

/** The facts of the document itself. */
interface DocumentInfo {
  /** The version of the program that makes it. */
  version: string
  summary: string
  description: string
}

/** The contract as an OpenAPI 3.1 document, made from the table of calls. */
export function toOpenApi({ version, summary, description }: DocumentInfo): Json {
  const paths: Record<string, Json> = {}
  for (const name of ENDPOINT_NAMES) {
    const endpoint = endpointOf(name)
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
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{baseUrl}',
        description: 'The base address of your account',
        variables: { baseUrl: { default: '/', description: 'Each environment (beta, production) has its own' } },
      },
    ],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksOf(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'The API key of the merchant, test or production' },
      },
      responses: {
        Refused: {
          description: 'The service refused; the status and the shape of the body are not shown by the specification',
          content: { 'application/json': { schema: { description: NOT_SHOWN } } },
        },
      },
    },
  }
}

function operation(name: EndpointName, endpoint: Endpoint): Json {
  const { tag, params, pathShown, request, auth, summary, section, repeat, reconcile } = endpoint
  const again = {
    safe: 'Safe to repeat.',
    never: 'Not safe to repeat: a second call could act a second time.',
    reconcile: 'Look before repeating it.',
  }
  return {
    operationId: name,
    summary,
    description: [`Specification: “${section}”.`, again[repeat], reconcile && `After a lost answer: ${reconcile.how}.`]
      .filter(Boolean)
      .join(' '),
    tags: [tag],
    ...(auth === 'none' ? { security: [] } : {}),
    ...(params.length === 0 ? {} : { parameters: params.map(parameter) }),
    ...(request === undefined ? {} : { requestBody: requestBody(request) }),
    responses: responses(endpoint),
    ...(pathShown ? {} : { 'x-not-shown': `the specification does not show this path; this one is the sandbox's` }),
  }
}

const parameter = (name: string): Json => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', minLength: 1 },
})

function requestBody(schema: z.ZodMiniType): Json {
  const body = jsonSchema(schema)
  const properties = (body.properties ?? {}) as Record<string, Json>
  const nested = Object.entries(properties).filter(([name]) => name === 'filters')
  return {
    required: Array.isArray(body.required) && body.required.length > 0,
    content: {
      [FORM_TYPE]: {
        schema: body,
        ...(nested.length === 0
          ? {}
          : { encoding: Object.fromEntries(nested.map(([name]) => [name, { style: 'deepObject', explode: true }])) }),
      },
    },
  }
}

function responses({ success, statuses, data, bodyShown }: Endpoint): Json {
  const schema = bodyShown
    ? { type: 'object', properties: { data: jsonSchema(data) }, required: ['data'] }
    : { description: NOT_SHOWN }
  const found: Json = {
    [success.status]:
      success.status === 302
        ? {
            description: success.meaning,
            headers: {
              Location: { description: 'The signed download link', schema: { type: 'string', format: 'uri' } },
            },
          }
        : { description: success.meaning, content: { 'application/json': { schema } } },
  }
  for (const [status, { meaning, codes }] of Object.entries(statuses)) {
    const named = Object.entries(codes ?? {}).map(([code, words]) => `\`${code}\`: ${words}`)
    found[status] = {
      description: [meaning, ...named].join('; '),
      content: { 'application/json': { schema: { description: NOT_SHOWN } } },
    }
  }
  return { ...found, default: { $ref: '#/components/responses/Refused' } }
}

/** A schema in the types that a caller uses: numbers are numbers, however they are sent. */
function jsonSchema(schema: z.ZodMiniType): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  // Leave out further fields next to named fields of another type: a generated type could not express that.
  return typeof rest.additionalProperties === 'object' && rest.properties !== undefined
    ? { ...rest, additionalProperties: true }
    : rest
}
