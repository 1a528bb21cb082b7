import type { WireRequest, WireResponse } from '../contract/wire.ts'
import { maskTarget } from '../domain/addresses.ts'
import { parseJsonText } from '../text/json-text.ts'
import { maskEmail, maskLink, maskRut, maskWords } from '../text/masking.ts'
import { toJson, visible } from '../text/visible.ts'
import { queryPairs } from './addresses.ts'
import { readMessageBody } from './bodies.ts'
import { kindOfField } from './field-kinds.ts'
import { isAddress, isProof } from './headers.ts'

/** The longest body that is shown, in characters. */
const MOST = 2_000
/** The longest value of a header that is shown, in characters. */
const MOST_OF_HEADER = 1_000

type Shown = (text: string) => string

interface Exchange {
  headers: WireRequest['headers']
  body?: Uint8Array | undefined
}

/**
 * Returns the lines that show a request: method, address, headers and body. Secrets and personal data are masked.
 * @param hide masks the secrets that are known on this machine. It is called with whole values, before they are cut
 */
export function requestLines(request: Pick<WireRequest, 'method' | 'url'> & Exchange, hide: Shown = same): string[] {
  return marked('>', [`${request.method} ${addressShown(hide(request.url), hide)}`, ...exchangeLines(request, hide)])
}

/** Returns the lines that show an answer: status, headers and body. For `hide` and what is masked, see `requestLines`. */
export function answerLines(answer: Omit<WireResponse, 'url'>, hide: Shown = same): string[] {
  return marked('<', [String(answer.status), ...exchangeLines(answer, hide)])
}

const same = (text: string): string => text

const marked = (mark: string, lines: readonly string[]): string[] =>
  lines.map((line) => `${mark} ${visible(line)}`.trimEnd())

const exchangeLines = (exchange: Exchange, hide: Shown): string[] => [
  ...Object.entries(exchange.headers).map(([name, value]) => `${name}: ${ended(headerShown(name, hide(value)))}`),
  ...bodyLines(exchange, hide),
]

const ended = (header: string): string =>
  header.length > MOST_OF_HEADER ? `${header.slice(0, MOST_OF_HEADER)}…` : header

function addressShown(url: string, hide: Shown): string {
  const [path = '', ...query] = url.split('?')
  const shown = maskTarget(path)
  return query.length === 0 ? shown : `${shown}?${formShown(queryPairs(query.join('?')), hide)}`
}

function headerShown(name: string, value: string): string {
  if (isProof(name))
    return value.replace(/^(?:(Bearer|Basic|Digest) )?.*$/is, (_, scheme = '') => `${scheme} ••••`.trim())
  if (isAddress(name)) return linkShown(value)
  // The name of a file may contain the name of a person.
  if (name === 'content-disposition') return value.replace(/(;\s*filename).*/is, '$1=••••')
  return name === 'user-agent' ? maskWords(value) : fieldShown(value, name, same)
}

function bodyLines({ headers, body }: Exchange, hide: Shown): string[] {
  const read = readMessageBody(body, headers['content-type'] ?? '')
  if (body === undefined || read === undefined) return []
  if ('omitted' in read) return ['', `(${body.length} bytes, not shown)`]
  const text =
    'json' in read
      ? jsonShown(read.json, hide)
      : 'form' in read
        ? formShown(read.form, hide)
        : textShown(read.text, hide)
  if (text.length <= MOST) return ['', ...text.split(/\r?\n/)]
  return ['', ...text.slice(0, MOST).split(/\r?\n/), `… (${body.length} bytes in all)`]
}

/** Returns a text with its fields masked. The name of a field decides what is masked. Of a very long text, only the beginning is read. */
const textShown = (text: string, hide: Shown): string =>
  maskWords(
    fieldsOfText(hide(text).slice(0, 10 * MOST), (value, name) => fieldShown(value, name, same)),
    MOST + 1,
  )

function formShown(pairs: readonly { name: string; value: string | undefined }[], hide: Shown): string {
  const shown: string[] = []
  let length = 0
  for (const { name, value } of pairs) {
    if (length > MOST) break
    const field = value === undefined ? [] : [fieldShown(hide(value), name, hide)]
    const text = [maskWords(hide(name)), ...field].map((part) => visible(part)).join('=')
    shown.push(text)
    length += text.length + 1
  }
  return shown.join('&')
}

/** Returns JSON with its values masked. The name of a field may contain personal data too, so the whole text is masked again. */
const jsonShown = (json: unknown, hide: Shown): string =>
  toJson(valueShown(json, '', { hide, left: MOST }), 2)
    .split('\n')
    .map((line) => maskWords(line, MOST + 1))
    .join('\n')

interface Budget {
  hide: Shown
  /** How many characters may still be shown. Values after them are not processed. */
  left: number
}

function valueShown(value: unknown, name: string, budget: Budget): unknown {
  budget.left--
  if (typeof value === 'string' || typeof value === 'number' || JSON.isRawJSON(value)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const shown = fieldShown(budget.hide(text), name, budget.hide)
    budget.left -= shown.length
    return shown === text ? value : shown
  }
  if (typeof value !== 'object' || value === null) return value
  const made: [string, unknown][] = []
  for (const [key, item] of Object.entries(value)) {
    if (budget.left < 0) break
    budget.left -= key.length
    made.push([budget.hide(key), valueShown(item, Array.isArray(value) ? name : nameWithin(name, key), budget)])
  }
  return Array.isArray(value) ? made.map(([, item]) => item) : Object.fromEntries(made)
}

/**
 * Returns the name that decides how the field `key` of the object `name` is masked. Returns `name` if it is the name of a secret, or if it
 * is the name of personal data and `key` is an unknown name. Otherwise, returns `key`.
 */
function nameWithin(name: string, key: string): string {
  if (kindOfField(name) === 'secret') return name
  return isMaskedName(name) && kindOfField(key) === 'unknown' ? name : key
}

const isMaskedName = (name: string): boolean =>
  ['rut', 'email', 'digits', 'words', 'birth', 'person'].includes(kindOfField(name))

/** Returns the value of a field as it is shown. The name of the field decides what is masked. */
function fieldShown(value: string, name: string, hide: Shown): string {
  if (value === '') return ''
  const kind = kindOfField(name)
  const nested = kind === 'secret' ? undefined : nestedJson(value)
  if (nested !== undefined) return maskWords(JSON.stringify(valueShown(nested, name, { hide, left: MOST })), MOST + 1)
  switch (kind) {
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
      return maskWords(value, MOST + 1)
  }
}

/** The text of a field can itself be JSON. Returns its value, or undefined for any other text. */
function nestedJson(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined
  const read = parseJsonText(Buffer.from(text))
  return read.ok ? read.value : undefined
}

/**
 * Masks an address. If it has a query, a fragment or `/informe/`, it may be a signed link, whose path and query give access to a report.
 * Then only the origin of an absolute address is shown.
 */
function linkShown(value: string): string {
  if (!/[?#]|\/informe\//.test(value)) return maskTarget(value)
  // Many redirects have an address without an origin. Only its path is shown.
  return URL.canParse(value) ? maskLink(value) : maskTarget(value.replace(/[?#].*$/s, '?••••'))
}

type ValueShown = (value: string, name: string) => string

const ELEMENT = /(<([\w.:-]{1,64})(?:\s[^<>]{0,1000})?>)([^<>]+)/g
/** An element such as `<input name="widgetToken" value="…">`. */
const INPUT =
  /(\sname\s{0,9}=\s{0,9}["']?([\w.[\]-]{1,64})["']?[^<>]{0,300}?\s(?:value|content)\s{0,9}=\s{0,9})("[^"<>]*"|'[^'<>]*'|[^\s<>"']+)/gi
/** A line such as `apiKey: …`, or one field of a text such as `rut=…&monto=1`. */
const PAIR = /((?<![\w.:-])["']?([\p{L}\d_][\p{L}\d_.-]{0,63})["']?[ \t]{0,9}[:=][ \t]{0,9})([^\s&;,][^\r\n&;,]*)/gu

/**
 * Returns a text in which the values of named fields are replaced: elements and inputs of XML and HTML, or lines such as `apiKey: …`.
 * @param shown returns what replaces a value. It is called only for a name that `kindOfField` knows, and gets this name as its second
 * argument
 */
function fieldsOfText(text: string, shown: ValueShown): string {
  const field = (whole: string, before: string, name: string, value: string) =>
    kindOfField(name) === 'unknown' ? whole : `${before}${shown(value, name)}`
  if (/^\s*</.test(text)) return text.replace(ELEMENT, field).replace(INPUT, field)
  return text.replace(PAIR, field)
}
