import type { WireRequest, WireResponse } from '../contract/wire.ts'
import { maskEmail, maskLink, maskRut, maskText, maskWords } from '../text/masking.ts'
import { toJson, visible } from '../text/visible.ts'
import { type ReadBody, readMessageBody } from './bodies.ts'
import { kindOfField } from './field-kinds.ts'
import { isProof } from './headers.ts'

/** The longest body that is shown, in characters. */
const MOST = 2_000

/** Returns the lines that show a request: method, address, headers and body. Secrets and personal data are masked. */
export function requestLines({ method, url, headers, body }: Omit<WireRequest, 'timeoutMs' | 'maxBytes'>): string[] {
  return marked('>', [`${method} ${maskText(url)}`, ...headerLines(headers), ...bodyLines(body, headers)])
}

/** Returns the lines that show an answer: status, headers and body. Secrets and personal data are masked. */
export function answerLines({ status, headers, body }: WireResponse): string[] {
  return marked('<', [String(status), ...headerLines(headers), ...bodyLines(body, headers)])
}

const marked = (mark: string, lines: readonly string[]): string[] =>
  lines.map((line) => `${mark} ${visible(line)}`.trimEnd())

function headerLines(headers: WireRequest['headers']): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${headerShown(name, value)}`)
}

function headerShown(name: string, value: string): string {
  if (isProof(name))
    return value.replace(/^(?:(Bearer|Basic|Digest) )?.*$/is, (_, scheme = '') => `${scheme} ••••`.trim())
  if (name === 'location' || name === 'content-location') return linkShown(value)
  return maskWords(value)
}

function bodyLines(body: Uint8Array | undefined, headers: WireRequest['headers']): string[] {
  const read = readMessageBody(body, headers['content-type'] ?? '')
  if (body === undefined || read === undefined) return []
  if ('omitted' in read) return ['', `(${body.length} bytes, not shown)`]
  const text = bodyText(read)
  if (text.length <= MOST) return ['', ...text.split('\n')]
  return ['', ...text.slice(0, MOST).split('\n'), `… (${body.length} bytes in all)`]
}

function bodyText(body: Exclude<ReadBody, { omitted: string }>): string {
  if ('json' in body) return maskedJson(body.json)
  if ('form' in body)
    return body.form.map(({ name, value }) => `${maskWords(name)}=${fieldShown(value, name)}`).join('&')
  return maskWords(body.text, MOST + 1)
}

/** A name of a field may contain personal data too, so the whole text is masked again. */
const maskedJson = (json: unknown): string =>
  toJson(valueShown(json, ''), 2)
    .split('\n')
    .map((line) => maskWords(line, MOST))
    .join('\n')

function valueShown(value: unknown, name: string): unknown {
  if (typeof value === 'string') return fieldShown(value, name)
  if (typeof value === 'number' || JSON.isRawJSON(value)) {
    const text = JSON.stringify(value)
    const shown = fieldShown(text, name)
    return shown === text ? value : shown
  }
  if (Array.isArray(value)) return value.map((item) => valueShown(item, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, valueShown(item, key)]))
}

/** Returns the value of a field as it is shown. The name of the field decides what is masked. */
function fieldShown(value: string, name: string): string {
  if (value === '') return ''
  switch (kindOfField(name)) {
    case 'rut':
      return maskRut(value)
    case 'email':
      return maskEmail(value)
    case 'secret':
    case 'digits':
    case 'words':
    case 'birth':
    case 'person':
      return '••••'
    case 'url':
      return linkShown(value)
    default:
      return maskWords(value)
  }
}

/** The path and the query of a signed link give access to a report. Of an address with a query, only the origin is shown. */
function linkShown(value: string): string {
  if (!/[?#]|\/informe\//.test(value) || !URL.canParse(value)) return maskWords(value)
  return maskLink(value)
}
