import type { HttpVisit } from '../../http/door.ts'
import { singleHeader } from '../../http/headers.ts'
import { environmentOf, isPageAddress, WINDOW_PREFIX } from '../addresses.ts'
import { CONTROL_PREFIX } from '../service/control-access.ts'
import { Refusal } from '../service/refusal.ts'

/**
 * Checks the headers of a request, and returns the refusal; undefined when the request is accepted.
 * A foreign `Host` means that the name of another site points at this machine (DNS rebinding). A foreign `Origin` means that a page of
 * another site sends the request through a visitor's browser.
 */
export function refuse(visit: HttpVisit): Refusal | undefined {
  const { request, hostRefusal } = visit
  if (!request.url?.startsWith('/')) return new Refusal(400, 'ERR_BAD_REQUEST', 'the request target must be a path')
  if (hostRefusal === 400 || request.headers.host === undefined)
    return new Refusal(400, 'ERR_BAD_REQUEST', 'exactly one Host header is needed')
  if (hostRefusal === 421) {
    return new Refusal(
      421,
      'ERR_MISDIRECTED_REQUEST',
      'this Host is not a name of this sandbox; `bnpl sandbox start --allow-host NAME` adds a name',
    )
  }
  if (isGuarded(request.method, request.url) && isForeign(visit, request.url)) {
    return new Refusal(
      403,
      'ERR_FOREIGN_ORIGIN',
      'a page of another site must not call this address; call the service from your backend',
    )
  }
  return undefined
}

/**
 * Returns whether a request is refused if it comes from a page of another site. Links to the payment page and to reports are accepted,
 * because customers follow such links.
 */
function isGuarded(method: string | undefined, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return true
  return [CONTROL_PREFIX, WINDOW_PREFIX].some((prefix) => `${path}/`.startsWith(`${prefix}/`))
}

function isForeign({ request: { headers }, isOwnHost }: HttpVisit, path: string): boolean {
  // A page cannot change `sec-fetch-site`. `Origin` is not enough: for a form of the sandbox's pages, browsers send `Origin: null`, because
  // these pages have the policy `no-referrer`.
  const fetchSite = singleHeader(headers, 'sec-fetch-site')
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  // Browsers do not send `sec-fetch-site` over plain http to another machine, for example when a phone opens the payment page. So the
  // payment page accepts requests with `Origin: null`. The page itself checks the token in the form.
  if (origin === 'null' && isPageAddress(environmentOf(path).inside)) return false
  return !origin.startsWith('http://') || !isOwnHost(origin.slice('http://'.length))
}
