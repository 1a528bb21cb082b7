/** The name of the unchanged form of a body, secret or signature. */
export const AS_GIVEN = 'as given'

/** The form of the body of a signature with a timestamp. */
export const WITH_TIME = 'with its timestamp and a dot before it'

/** Returns the body unchanged, and in each form into which an editor, a shell or a JSON library may change it. Equal forms occur once. */
export function bodyForms(body: Uint8Array): [form: string, bytes: Uint8Array][] {
  const raw = Buffer.from(body)
  const forms = new Map<string, [string, Buffer]>()
  const add = (form: string, bytes: Buffer) => {
    const key = bytes.toString('latin1')
    if (!forms.has(key)) forms.set(key, [form, bytes])
  }
  add(AS_GIVEN, raw)
  const text = raw.toString('utf8')
  const change = (form: string, changed: string) => add(form, Buffer.from(changed))
  change('without the byte order mark', text.replace(/^\ufeff/, ''))
  change('with a byte order mark', `\ufeff${text}`)
  change('without the line break at its end', text.replace(/\r?\n$/, ''))
  change('with a line feed at its end', `${text}\n`)
  change('with a CRLF at its end', `${text}\r\n`)
  change('with CRLF line ends changed to LF', text.replaceAll('\r\n', '\n'))
  change('with LF line ends changed to CRLF', text.replace(/\r?\n/g, '\r\n'))
  change('without the white space around it', text.replace(/^\ufeff/, '').trim())
  add('re-encoded from Latin-1', Buffer.from(raw.toString('latin1')))
  for (const [form, changed] of serialisations(text)) change(form, changed)
  return [...forms.values()]
}

function serialisations(text: string): [form: string, text: string][] {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
    const compact = JSON.stringify(value)
    return [
      ['parsed and written again without spaces, as JSON.stringify does', compact],
      ['parsed and written again, indented by 2', JSON.stringify(value, null, 2)],
      ['parsed and written again, indented by 4', JSON.stringify(value, null, 4)],
      ['parsed and written again without spaces, with \\u escapes', asciiOnly(compact)],
      ['parsed and written again, as Python does (", " and ": ")', spaced(compact)],
      ['parsed and written again, as Python does, with \\u escapes', asciiOnly(spaced(compact))],
      ['parsed and written again, as PHP does (\\/ and \\u escapes)', asciiOnly(compact).replaceAll('/', '\\/')],
      ['parsed, and written again with the unusual spaces and escapes of the sandbox', deliveryText(compact)],
      ['parsed and written again without spaces, with sorted keys', JSON.stringify(sorted(value))],
    ]
  } catch {
    return []
  }
}

const spaced = (text: string) =>
  text.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part.length === 1 ? `${part} ` : part))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}

/**
 * Returns a JSON text as the sandbox sends it: with spaces, escapes and zeros that no library produces. A receiver that computes the HMAC
 * over parsed and rewritten JSON therefore fails with the sandbox, and not only with the real service.
 * @param compact a JSON text that `JSON.stringify` wrote
 */
export function deliveryText(compact: string): string {
  return compact.replace(/"(?:[^"\\]|\\.)*"|\{\}|[{},:]|-?\d+\.\d+/g, (part) => {
    if (part.startsWith('"')) return asciiOnly(part).replaceAll('/', '\\/')
    return AROUND[part] ?? (part === '{}' ? part : `${part}0`)
  })
}

const AROUND: Readonly<Record<string, string>> = { '{': '{ ', '}': ' }', ',': ', ', ':': ': ' }

const asciiOnly = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
