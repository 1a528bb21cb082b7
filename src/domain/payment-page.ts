/** The four query parameters of the hosted payment page (specification: "Hosted payment page"). */
export interface PaymentPageParameters {
  widgetToken: string
  publicKey: string
  successReturnUrl: string
  errorReturnUrl: string
}

/** The hosted payment page's address, with every value encoded. @param paymentUrl without its query, with or without a trailing slash */
export function paymentPageUrl(paymentUrl: string, parameters: PaymentPageParameters): string {
  const url = new URL(paymentUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  url.search = query.join('&')
  return url.href
}
