/** The hosted payment page's address (specification: "Hosted payment page"): four query parameters, every value encoded. */
export interface PaymentPageParameters {
  widgetToken: string
  publicKey: string
  successReturnUrl: string
  errorReturnUrl: string
}

/** @param paymentUrl the page's address without its query, with or without a trailing slash */
export function paymentPageUrl(paymentUrl: string, parameters: PaymentPageParameters): string {
  const url = new URL(paymentUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  url.search = query.join('&')
  return url.href
}
