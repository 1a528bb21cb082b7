/** The expiry in a token of JWT form, in ms since 1970; undefined for any other token (gap 25: the form is not specified). */
export function jwtExpiry(token: string): number | undefined {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined
  } catch {
    return undefined
  }
}
