import { isRecord } from '../text/json-text.ts'
import { didYouMean } from '../text/similar.ts'
import {
  answerProblem,
  FIELD_NAMES,
  type FieldName,
  type GivenAnswers,
  isFieldName,
  type ServiceDescription,
  type Source,
  SPECIFICATION,
  withAnswers,
} from './description.ts'

const FILE_KIND = 'bnpl service description'

const VERSION = 1

/**
 * Returns a description as a value that can be written as JSON. It contains only the answers that are given.
 * @param service the named service that answers all other questions; undefined for the specification
 */
export function descriptionRecord(answers: GivenAnswers, service?: string): Record<string, unknown> {
  const fields = FIELD_NAMES.flatMap((name) => {
    const given = answers[name]
    if (given === undefined) return []
    const { text, source } = given
    const { lines } = typeof source === 'object' && 'lines' in source ? source : {}
    return [[name, { answer: text, ...(lines && { lines }) }]]
  })
  return { kind: FILE_KIND, version: VERSION, ...(service && { service }), fields: Object.fromEntries(fields) }
}

/** `description` has the answers of the specification for the questions that the file does not answer, also if the file names a service. */
type ReadFile =
  | { ok: true; description: ServiceDescription; service?: string }
  | { ok: false; reason: string; isRecording?: true }

/**
 * Reads the text of a file with a description.
 * @param name the name of the description: the path of the file
 */
export function readDescriptionFile(text: string, name: string): ReadFile {
  if (/^\s*\{"kind":"(session|exchange|delivery|left-out)"/.test(text))
    return { ok: false, reason: 'it is a recording', isRecording: true }
  try {
    return readDescription(JSON.parse(text), name)
  } catch {
    return { ok: false, reason: 'it is not JSON' }
  }
}

/** Reads what `descriptionRecord` returned. */
export function readDescription(file: unknown, name: string): ReadFile {
  if (!isRecord(file) || file.kind !== FILE_KIND) return { ok: false, reason: `its “kind” is not “${FILE_KIND}”` }
  if (file.version !== VERSION) return { ok: false, reason: `its “version” is not ${VERSION}` }
  const { service } = file
  if (service !== undefined && typeof service !== 'string') return { ok: false, reason: 'its “service” is not a text' }
  if (!isRecord(file.fields)) return { ok: false, reason: 'it has no “fields”' }
  const given: { -readonly [Name in FieldName]?: GivenAnswers[Name] } = {}
  for (const [field, value] of Object.entries(file.fields)) {
    if (!isFieldName(field))
      return {
        ok: false,
        reason: `“${field.slice(0, 64)}” is not a field of a description${didYouMean(field, FIELD_NAMES)}`,
      }
    const answer = isRecord(value) ? value.answer : undefined
    if (typeof answer !== 'string') return { ok: false, reason: `the field ${field} has no “answer”, as text` }
    const problem = answerProblem(field, answer)
    if (problem !== undefined) return { ok: false, reason: `the answer of ${field} is not valid: ${problem}` }
    given[field] = { text: answer, source: sourceOf(value, name) }
  }
  return { ok: true, description: withAnswers(SPECIFICATION, given, name), ...(service && { service }) }
}

function sourceOf(value: unknown, name: string): Source {
  const lines = isRecord(value) && Array.isArray(value.lines) ? value.lines.filter(Number.isSafeInteger) : []
  return lines.length > 0 ? { lines: lines.slice(0, 100) } : { setting: name }
}
