import { parseReturnAddress, serviceAddressProblem } from '../domain/addresses.ts'
import * as page from '../domain/payment-page.ts'
import { readSecretText } from '../domain/secret.ts'
import { config, usage } from '../errors.ts'

/** What the address of the payment page consists of. */
export interface PaymentPage {
  /** The address of the payment page of the service, such as `process.env.BNPL_PAYMENT_URL`. */
  paymentUrl: string
  /** The `widgetToken` of `startWidget`. It is valid for 10 minutes. */
  widgetToken: string
  /** The public key of the account, never the API key, because the customer sees it. */
  publicKey: string
  /** The address to which the customer returns after the payment. It proves nothing: verify the transaction. */
  successReturnUrl: string
  /** The address to which the customer returns if the payment fails or is cancelled. */
  errorReturnUrl: string
}

/**
 * Returns the address of the payment page for one customer, to which your shop redirects the browser. Sends nothing. Throws `BnplError`
 * (`config` or `usage`) for a part that cannot be used; the error never contains the token or the key.
 */
export function paymentPageUrl(wanted: PaymentPage): string {
  const { paymentUrl, successReturnUrl, errorReturnUrl } = wanted
  const problem = serviceAddressProblem(paymentUrl)
  if (problem !== undefined) throw config(`paymentUrl cannot be used: ${problem}`, undefined, 'BAD_ADDRESS')
  for (const [name, value] of Object.entries({ successReturnUrl, errorReturnUrl })) {
    const parsed = parseReturnAddress(String(value))
    if (!parsed.ok) throw usage(`${name} cannot be used: ${parsed.reason}`, undefined, 'INVALID_RETURN_URL')
  }
  const keyOf = (name: 'widgetToken' | 'publicKey'): string => {
    const read = readSecretText(wanted[name], 'key')
    if (read.ok) return read.secret
    throw config(`${name} ${read.reason}`, undefined, 'BAD_KEY')
  }
  const [widgetToken, publicKey] = [keyOf('widgetToken'), keyOf('publicKey')]
  if (/^sk[_-]/i.test(publicKey))
    throw config('publicKey looks like the API key, but everybody can see the public key', undefined, 'BAD_PUBLIC_KEY')
  return page.paymentPageUrl(paymentUrl, { widgetToken, publicKey, successReturnUrl, errorReturnUrl })
}
