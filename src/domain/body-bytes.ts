/** How many pieces of any size a body may have. Only a body of more pieces is checked for their size. */
const FREE_PIECES = 4096

/** The same number for a body that nobody needs. */
const FREE_SKIPPED = 256

/** The smallest average size of a piece, in bytes. Programs that write each word of a JSON text separately stay above it. */
const LEAST_AVERAGE = 8

const NOTHING = Buffer.alloc(0)

/**
 * The bytes of a body that arrives in pieces. A sender may cut a body into millions of pieces of one byte, and an object for each of them
 * would take a hundred times the memory of the bytes. Therefore the pieces are copied into one buffer as they arrive.
 */
export class BodyBytes {
  /** How many bytes have arrived, including those that were skipped. */
  size = 0
  #pieces = 0
  #held: Uint8Array = NOTHING
  #used = 0

  /** Adds a piece. The first piece is kept as it is, so its memory must not be used for other bytes until a second piece is added. */
  add(piece: Uint8Array): void {
    this.skip(piece)
    if (this.#used === 0) this.#held = piece
    else this.#copy(piece)
    this.#used += piece.length
  }

  /** Counts a piece whose bytes are not needed. */
  skip(piece: Uint8Array): void {
    this.size += piece.length
    this.#pieces++
  }

  /**
   * Whether the sender cuts the body into so many small pieces that reading the rest would cost far more than its bytes. No program sends
   * a body in this way by intent.
   */
  get isShredded(): boolean {
    return this.#pieces > FREE_PIECES && this.size < this.#pieces * LEAST_AVERAGE
  }

  /** The same for a body that nobody needs, after fewer pieces. */
  get isWaste(): boolean {
    return this.#pieces > FREE_SKIPPED && this.size < this.#pieces * LEAST_AVERAGE
  }

  /** Returns the bytes that were added. */
  bytes(): Buffer {
    const { buffer, byteOffset } = this.#held
    return Buffer.from(buffer, byteOffset, this.#used)
  }

  /** Forgets the bytes that were added, but not how many there were. */
  drop(): void {
    this.#held = NOTHING
    this.#used = 0
  }

  #copy(piece: Uint8Array): void {
    const size = this.#used + piece.length
    if (size > this.#held.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * size, 512))
      larger.set(this.#held.subarray(0, this.#used))
      this.#held = larger
    }
    this.#held.set(piece, this.#used)
  }
}

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
