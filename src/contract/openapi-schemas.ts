import * as z from 'zod/mini'
import type { Endpoint } from './calls/call.ts'
import { FORM_TYPE } from './form.ts'
import { GAPS, type GapNumber } from './gaps.ts'

export type OpenApiPart = Record<string, unknown>

/** Returns a mark for a part that the specification does not show. Without a gap, the mark is empty. */
export function notShown(gap: GapNumber | undefined): OpenApiPart {
  const found = GAPS.find(({ number }) => number === gap)
  return found === undefined ? {} : { 'x-not-shown': `gap ${found.number}: ${found.notShown}` }
}

/** Returns the description of a body whose shape the specification does not show. */
export const anyShape = (gap: GapNumber): OpenApiPart => ({ description: 'any shape is accepted', ...notShown(gap) })

/** Returns the schema of a successful answer. */
export function answerSchema({ bodyShown, data, notShown: { answer, answerFields = {} } }: Endpoint): OpenApiPart {
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
export function requestBody({ notShown: places }: Pick<Endpoint, 'notShown'>, schema: z.ZodMiniType): OpenApiPart {
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
