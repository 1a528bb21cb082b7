import { WIDGET_TOKEN_LIFE_MS } from '../../contract/time-limits.ts'

/**
 * Returns a signed widget token, a JWT with HS256 (gap 25). Its `jti` is the id of the session. Its `exp` is 10 minutes after `now`, in
 * whole seconds.
 * @param now ms since 1970
 */
export async function signWidgetToken(
  signingSecret: string,
  sessionId: string,
  externalTrxId: string,
  now: number,
): Promise<string> {
  const { SignJWT } = await import('jose')
  const issued = Math.floor(now / 1000)
  return new SignJWT({ externalTrxId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setJti(sessionId)
    .setIssuedAt(issued)
    .setExpirationTime(issued + WIDGET_TOKEN_LIFE_MS / 1000)
    .sign(Buffer.from(signingSecret))
}

/** Returns the session id in a token that the sandbox signed, even if the session has ended; undefined for any other token. */
export async function readWidgetToken(signingSecret: string, token: string): Promise<string | undefined> {
  const { compactVerify, decodeJwt } = await import('jose')
  try {
    // Check only the signature. The caller checks the stored `expiresAt` of the session, which is exact to the ms. `exp` has whole seconds.
    await compactVerify(token, Buffer.from(signingSecret), { algorithms: ['HS256'] })
    return decodeJwt(token).jti
  } catch {
    return undefined
  }
}
