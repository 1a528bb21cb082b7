/** Throws `TypeError` if a body is text or was parsed, also without type checking, because the signature is computed over the raw bytes. */
export function requireRawBytes(body: unknown): asserts body is Uint8Array {
  if (ArrayBuffer.isView(body)) return
  throw new TypeError(
    `the body is ${kindOf(body)}, not a Uint8Array. Pass the raw bytes that the server received, because the signature is computed over them`,
  )
}

function kindOf(body: unknown): string {
  if (body === undefined || body === null) return 'missing'
  if (body instanceof ArrayBuffer) return 'an ArrayBuffer'
  if (typeof body === 'object') return 'an object'
  return typeof body === 'string' ? 'text' : `a ${typeof body}`
}
