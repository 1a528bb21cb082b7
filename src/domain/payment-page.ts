import { isRecord } from '../text/json-text.ts'
import { presentPreApproveId } from './identifiers.ts'

/** The four query parameters of the hosted payment page (specification: "Hosted payment page"). */
interface PaymentPageParameters {
  widgetToken: string
  publicKey: string
  successReturnUrl: string
  errorReturnUrl: string
}

/** Returns the address of the hosted payment page with its encoded parameters. */
export function paymentPageUrl(paymentUrl: string, parameters: PaymentPageParameters): string {
  const url = paymentPageAddress(paymentUrl)
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  url.search = query.join('&')
  return url.href
}

/** Returns the address of the hosted payment page without parameters. */
export function paymentPageAddress(paymentUrl: string): URL {
  const url = new URL(paymentUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`
  url.search = ''
  url.hash = ''
  return url
}

export interface Landing {
  preApproveId: string | undefined
  externalTrxId: string | undefined
}

/**
 * Reads the address to which a customer returned (specification: "Hosted payment page"; gap 22). The customer can change this address,
 * so it does not prove a payment. Verify the transaction.
 */
export function readLanding(url: URL): Landing {
  return {
    preApproveId: presentPreApproveId(url.searchParams.get('preApproveId')),
    externalTrxId: presentPreApproveId(url.searchParams.get('externalTrxId')),
  }
}

/** Returns when a widget token expires, in ms since 1970; undefined if the token is not a JWT with an expiry (gap 25). */
export function widgetTokenExpiry(token: string): number | undefined {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const exp = isRecord(claims) ? claims.exp : undefined
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined
  } catch {
    return undefined
  }
}
