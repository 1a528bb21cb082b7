import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { headerIn, mediaType, type PlainBody, type Unread } from '../contract/compare/exchange.ts'
import { FORM_TYPE, formEntries } from '../contract/form.ts'
import { parseJsonText } from '../text/json-text.ts'

/**
 * The maximum size of a body that is compared with the contract, in bytes. After decompression, the limit is four times as large. A larger
 * body is not compared, but the rest of its message is. With --strict, a request with a larger body is refused.
 */
export const KEPT_BYTES = 256 * 1024

const UNPACK: Readonly<Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/**
 * Returns the content of a body that is JSON, a form or text, for the comparison with the contract. For any other body, returns only its
 * size and why its content is left out, such as `pdf` or `undecodable`. Returns undefined for an empty body. Never throws.
 * @param bytes undefined when the body was too large to be kept
 * @param size the size of the body as it was sent
 */
export function readSeenBody(
  bytes: Uint8Array | undefined,
  size: number,
  headers: readonly (readonly [string, string])[],
): PlainBody | undefined {
  if (size === 0) return undefined
  const plain = unpacked(bytes, headerIn(headers, 'content-encoding'))
  if (typeof plain === 'string') return { omitted: plain, bytes: size }
  if (plain.length === 0) return undefined
  if (!isUtf8(plain)) return { omitted: 'binary', bytes: size }
  const text = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString('utf8')
  if (text.startsWith('%PDF-')) return { omitted: 'pdf', bytes: size }
  const type = mediaType(headers)
  if (type === FORM_TYPE && !/^\s*[{[]/.test(text)) return { form: [...formEntries(text)] }
  if (/^\s*[{["\dtfn-]/.test(text) || /[/+]json$/.test(type)) {
    const read = parseJsonText(plain)
    if (read.ok) return { json: read.value }
    if (/[/+]json$/.test(type)) return { omitted: 'broken-json', bytes: size }
  }
  return { text }
}

/** Returns the decompressed bytes of a body; undefined if it is empty; only its size and the reason if they cannot be read. */
export function plainBody(
  bytes: Uint8Array | undefined,
  size: number,
  headers: readonly (readonly [string, string])[],
): Uint8Array | { bytes: number; unread: Unread } | undefined {
  if (size === 0) return undefined
  const plain = unpacked(bytes, headerIn(headers, 'content-encoding'))
  return typeof plain === 'string' ? { bytes: size, unread: plain } : plain
}

/** The most codings that are removed from a body, one after the other. Node's `fetch` has the same limit. */
const MOST_CODINGS = 5

function unpacked(bytes: Uint8Array | undefined, encoding = ''): Uint8Array | Unread {
  if (bytes === undefined) return 'too-large'
  const codings = encoding
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== '' && name !== 'identity')
  if (codings.length > MOST_CODINGS) return 'undecodable'
  let plain = bytes
  try {
    for (const name of codings.reverse()) {
      const unpack = UNPACK[name]
      if (unpack === undefined) return 'undecodable'
      plain = unpack(plain, { maxOutputLength: KEPT_BYTES * 4 })
    }
    return plain
  } catch (error) {
    return error instanceof RangeError ? 'too-large' : 'undecodable'
  }
}
