import * as z from 'zod/mini'
import type { Endpoint, PathParameter, Tag } from './calls/call.ts'
import { hasCall, isKnown, type ServiceDescription, SPECIFICATION } from './description.ts'
import { ENDPOINT_NAMES, type EndpointName, endpointOf, ofService } from './endpoints.ts'
import { FORM_TYPE } from './form.ts'
import { GAPS, type GapNumber } from './gaps.ts'
import { INTEGRATIONS } from './integrations.ts'

type OpenApiPart = Record<string, unknown>

/** Returns a mark for a part that the specification does not show. Without a gap, the mark is empty. */
function notShown(gap: GapNumber | undefined): OpenApiPart {
  const found = GAPS.find(({ number }) => number === gap)
  return found === undefined ? {} : { 'x-not-shown': `gap ${found.number}: ${found.notShown}` }
}

/** Returns the description of a body whose shape the specification does not show. */
const anyShape = (gap: GapNumber): OpenApiPart => ({ description: 'any shape is accepted', ...notShown(gap) })

/** Returns the schema of a successful answer. */
function answerSchema({ bodyShown, data, notShown: { answer, answerFields = {} } }: Endpoint): OpenApiPart {
  if (!bodyShown && answer !== undefined) return anyShape(answer)
  const schema = jsonSchema(data)
  const record = schema.type === 'array' ? (schema.items as OpenApiPart) : schema
  for (const [name, gap] of Object.entries(answerFields)) markProperty(record, name, gap)
  return { type: 'object', properties: { data: { ...schema, ...notShown(answer) } }, required: ['data'] }
}

/**
 * Returns the body of a request: a form, and also JSON if the specification leaves the encoding open. The form's fields are named as they
 * are sent (`eventTypes[]`), because few generated clients support another way to encode lists and objects.
 */
function requestBody({ notShown: places }: Pick<Endpoint, 'notShown'>, schema: z.ZodMiniType): OpenApiPart {
  const body = jsonSchema(schema)
  // Allow unknown fields, because the specification does not say how the service answers them (gap 29). A body without fields must stay
  // empty.
  if (Object.keys(propertiesOf(body)).length > 0 && body.additionalProperties === false)
    delete body.additionalProperties
  for (const [name, gap] of Object.entries(places.requestFields ?? {})) markProperty(body, name, gap)
  return {
    required: Array.isArray(body.required) && body.required.length > 0,
    content: {
      // JSON is first: some generators always send JSON if they can, but take the names of the fields from the first encoding.
      ...(places.request === undefined ? {} : { 'application/json': { schema: body } }),
      [FORM_TYPE]: asForm(body),
    },
    ...notShown(places.request),
  }
}

/** Marks a field with its gap. A field that only the sandbox has is added as an optional text. */
function markProperty(schema: OpenApiPart, name: string, gap: GapNumber): void {
  const properties = propertiesOf(schema)
  schema.properties = { ...properties, [name]: { ...(properties[name] ?? { type: 'string' }), ...notShown(gap) } }
}

function asForm(schema: OpenApiPart): OpenApiPart {
  const fields = Object.entries(propertiesOf(schema)).flatMap(([name, property]) => onWire(name, property))
  const required = Array.isArray(schema.required) ? schema.required : []
  const lists = fields.filter(({ property }) => property.type === 'array')
  return {
    schema: {
      ...schema,
      properties: Object.fromEntries(fields.map(({ name, property }) => [name, property])),
      required: fields.flatMap(({ name, of }) => (required.includes(of) ? [name] : [])),
    },
    ...(lists.length === 0
      ? {}
      : { encoding: Object.fromEntries(lists.map(({ name }) => [name, { style: 'form', explode: true }])) }),
  }
}

function onWire(of: string, property: OpenApiPart): { name: string; of: string; property: OpenApiPart }[] {
  if (property.type === 'array') return [{ name: `${of}[]`, of, property }]
  if (property.type !== 'object') return [{ name: of, of, property }]
  const mark = property['x-not-shown']
  return Object.entries(propertiesOf(property)).map(([name, inner]) => ({
    name: `${of}[${name}]`,
    of,
    property: { ...inner, ...(mark === undefined ? {} : { 'x-not-shown': mark }) },
  }))
}

const propertiesOf = (schema: OpenApiPart) => (schema.properties ?? {}) as Record<string, OpenApiPart>

/**
 * Returns the JSON schema of a shape. Fields that are numbers in the program are numbers in this schema too, although a form sends them as
 * text.
 */
function jsonSchema(schema: z.ZodMiniType): OpenApiPart {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  // Fields that the schema does not name may have any type, because few code generators support a type for such fields.
  return typeof rest.additionalProperties === 'object' && rest.properties !== undefined
    ? { ...rest, additionalProperties: true }
    : rest
}

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

/** Returns the deliveries that a receiver gets, as the `webhooks` of an OpenAPI document. */
function webhooksOf({ answers }: ServiceDescription): OpenApiPart {
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
