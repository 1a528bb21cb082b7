import * as z from 'zod/mini'
import type { Endpoint } from './calls/call.ts'
import { FORM_TYPE } from './form.ts'
import { GAPS, type GapNumber } from './gaps.ts'

export type OpenApiPart = Record<string, unknown>

/** The mark of a part in which the document says more than the specification, with the number of its gap; nothing without a gap. */
export function notShown(gap: GapNumber | undefined): OpenApiPart {
  const found = GAPS.find(({ number }) => number === gap)
  return found === undefined ? {} : { 'x-not-shown': `gap ${found.number}: ${found.notShown}` }
}

/** A body whose shape the specification does not show. */
export const anyShape = (gap: GapNumber): OpenApiPart => ({ description: 'any shape is accepted', ...notShown(gap) })

/** The schema of a successful answer. */
export function answerSchema({ bodyShown, data, notShown: { answer, answerFields = {} } }: Endpoint): OpenApiPart {
  if (!bodyShown && answer !== undefined) return anyShape(answer)
  const schema = jsonSchema(data)
  const record = schema.type === 'array' ? (schema.items as OpenApiPart) : schema
  for (const [name, gap] of Object.entries(answerFields)) markProperty(record, name, gap)
  return { type: 'object', properties: { data: { ...schema, ...notShown(answer) } }, required: ['data'] }
}

/**
 * The body of a request: a form, and also JSON if the specification leaves the encoding open. A form names its fields as they are on the
 * wire (`eventTypes[]`, `filters[outcome]`), because few generated clients follow another encoding.
 */
export function requestBody({ notShown: places }: Pick<Endpoint, 'notShown'>, schema: z.ZodMiniType): OpenApiPart {
  const body = jsonSchema(schema)
  // The effect of a field that is not named is not shown (gap 29), only that an empty object is empty.
  if (Object.keys(propertiesOf(body)).length > 0 && body.additionalProperties === false)
    delete body.additionalProperties
  for (const [name, gap] of Object.entries(places.requestFields ?? {})) markProperty(body, name, gap)
  return {
    required: Array.isArray(body.required) && body.required.length > 0,
    content: {
      // The form is first, because some generators take the fields of the first one, and send JSON wherever it is offered.
      ...(places.request === undefined ? {} : { 'application/json': { schema: body } }),
      [FORM_TYPE]: asForm(body),
    },
    ...notShown(places.request),
  }
}

/** A field that the schema does not have is one of the sandbox's: a text that may be left out. */
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

/**
 * A field as a form writes it, with the name of the list or object that contains it: `eventTypes[]` for a list, `filters[outcome]` for an
 * object.
 */
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

/** A schema as what a caller writes and reads: numbers are numbers, whatever they are on the wire. */
function jsonSchema(schema: z.ZodMiniType): OpenApiPart {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  // Other fields beside named ones of another type: a generated type could not say that.
  return typeof rest.additionalProperties === 'object' && rest.properties !== undefined
    ? { ...rest, additionalProperties: true }
    : rest
}
