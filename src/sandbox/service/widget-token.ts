import { WIDGET_TOKEN_LIFE_MS } from '../../contract/time-limits.ts'

/**
 * Signs a widget token: JWT, HS256 (gap 25). Its `jti` is the id of the session. Its `exp` is 10 minutes later, to the second. @param now
 * ms since 1970
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

/** The id of the session of a token that the sandbox signed, even if the session has ended; undefined for any other token. */
export async function readWidgetToken(signingSecret: string, token: string): Promise<string | undefined> {
  const { compactVerify, decodeJwt } = await import('jose')
  try {
    // Only the signature is checked here. `exp` is in seconds, but the session has its end in milliseconds.
    await compactVerify(token, Buffer.from(signingSecret), { algorithms: ['HS256'] })
    return decodeJwt(token).jti
  } catch {
    return undefined
  }
}
