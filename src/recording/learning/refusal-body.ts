import { isRecord } from '../../contract/reading.ts'
import type { SeenCall } from './sightings.ts'

const CODE = '$code'
const MESSAGE = '$message'

interface ReadRefusal {
  code?: string
  body?: unknown
}

const CODE_NAME = /code|codigo|error|type|tipo|reason|kind/i
const MESSAGE_NAME = /message|mensaje|detail|detalle|descri|title|titulo|text|error|reason|motivo/i
const CODE_FORM = /^(?=.*[A-Za-z])[A-Za-z][\w.-]{2,80}$/

/** Returns the code in the body of a refusal, and the body with the placeholders `$code` and `$message`. */
export function readRefusal({ json, answer }: Pick<SeenCall, 'json' | 'answer'>): ReadRefusal {
  const { body } = answer
  if (body !== undefined && 'text' in body) {
    const code = /\bERR_[A-Z0-9_]{2,80}\b/.exec(body.text)?.[0]
    return code === undefined ? { body: MESSAGE } : { code, body: body.text.replace(code, CODE) }
  }
  if (json === undefined) return {}
  const found = codeIn(json)
  return { ...(found === undefined ? {} : { code: found }), body: template(json, found, '') }
}

/** Returns the code in a value: a text `ERR_…` anywhere, or a word or a number in a field whose name sounds like a code. */
function codeIn(json: unknown): string | undefined {
  const texts = textsIn(json, '')
  const plain = texts.find(({ text }) => /^ERR_[A-Z0-9_]{2,80}$/.test(text))
  if (plain !== undefined) return plain.text
  const named = texts.filter(({ name, text }) => CODE_NAME.test(name) && CODE_FORM.test(text))
  // `type` and `error` may contain a title, so a name that contains “code” is preferred.
  const best = named.find(({ name }) => /code|codigo/i.test(name)) ?? named[0]
  if (best !== undefined) return best.text
  const inside = texts.map(({ text }) => /\bERR_[A-Z0-9_]{2,80}\b/.exec(text)?.[0]).find((each) => each !== undefined)
  return inside ?? texts.find(({ name, text }) => /code|codigo/i.test(name) && /^\d{1,6}$/.test(text))?.text
}

function textsIn(value: unknown, name: string): { name: string; text: string }[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ name, text: String(value) }]
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, name))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, key))
}

function template(value: unknown, code: string | undefined, name: string): unknown {
  if (typeof value === 'string') {
    if (code !== undefined && value === code) return CODE
    if (code?.startsWith('ERR_') && value.includes(code)) return value.replaceAll(code, CODE)
    return /^\(text-\d+\)$/.test(value) || (MESSAGE_NAME.test(name) && /\s/.test(value)) ? MESSAGE : value
  }
  if (typeof value === 'number') return String(value) === code ? CODE : value
  if (Array.isArray(value)) return value.map((item) => template(item, code, name))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, template(item, code, key)]))
}
