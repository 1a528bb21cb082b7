import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { headerIn, mediaType, type PlainBody } from '../contract/differences/exchange.ts'
import { FORM_TYPE, formEntries } from '../contract/form.ts'
import { parseJsonText } from '../text/json-text.ts'

/**
 * The maximum size of a body that is compared with the contract, in bytes. After decompression, the limit is four times as large. A larger
 * body is not compared, but the rest of its message is.
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
 * Returns the content of a body that is JSON, a form or text, for the comparison with the contract. Returns only the kind and the size of
 * any other body, and undefined for an empty body. Never throws.
 * @param bytes undefined when the body was too large to be kept
 * @param size the size of the body as it was sent
 */
export function readSeenBody(
  bytes: Uint8Array | undefined,
  size: number,
  headers: readonly (readonly [string, string])[],
): PlainBody | undefined {
  if (size === 0) return undefined
  const plain = bytes && unpacked(bytes, headerIn(headers, 'content-encoding'))
  if (plain === undefined) return { omitted: 'too-large', bytes: size }
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

/** Returns the decompressed bytes of a body; undefined if it is empty; only its size if it is too large or cannot be decompressed. */
export function plainBody(
  bytes: Uint8Array | undefined,
  size: number,
  headers: readonly (readonly [string, string])[],
): Uint8Array | { bytes: number } | undefined {
  if (size === 0) return undefined
  return (bytes && unpacked(bytes, headerIn(headers, 'content-encoding'))) ?? { bytes: size }
}

function unpacked(bytes: Uint8Array, encoding: string | undefined): Uint8Array | undefined {
  let plain = bytes
  try {
    for (const name of (encoding ?? '')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean)
      .reverse()) {
      if (name === 'identity') continue
      const unpack = UNPACK[name]
      if (unpack === undefined) return undefined
      plain = unpack(plain, { maxOutputLength: KEPT_BYTES * 4 })
    }
    return plain
  } catch {
    return undefined
  }
}
