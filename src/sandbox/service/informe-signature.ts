import { createHmac, timingSafeEqual } from 'node:crypto'

/** `urlInforme`: opens a report without a key, for good (its path: gap 13). The signature is what vouches for the id. */
export function informeUrl(baseUrl: string, signingSecret: string, preApproveId: string): string {
  return `${baseUrl}/partner/informe/${preApproveId}.${sign(signingSecret, preApproveId)}`
}

/** The pre-approval a signature stands for; undefined when the sandbox did not sign it. */
export function readInformeSignature(signingSecret: string, signature: string): string | undefined {
  const dot = signature.lastIndexOf('.')
  if (dot < 1) return undefined
  const id = signature.slice(0, dot)
  const given = Buffer.from(signature.slice(dot + 1))
  const right = Buffer.from(sign(signingSecret, id))
  return given.length === right.length && timingSafeEqual(given, right) ? id : undefined
}

const sign = (secret: string, id: string) => createHmac('sha256', secret).update(`informe:${id}`).digest('base64url')
