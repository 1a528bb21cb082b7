import { FORM_TYPE, formEntries } from '../../contract/form.ts'
import type { WireRequest, WireResponse } from '../../contract/wire.ts'
import { parseRut } from '../../domain/identifiers.ts'
import type { Html } from '../../text/escaping.ts'
import { baseOf, PAGE_PATHS, PAYMENT_PATH, type PagePath, WIDGET_PATH } from '../addresses.ts'
import type { Environment } from '../conventions.ts'
import type { Payments } from '../service/payments.ts'
import { type AssetName, asset, isAssetName } from './assets.ts'
import { type ComeBack, type CustomerAction, createCheckout, type Found } from './checkout.ts'
import {
  backAddress,
  badFormView,
  badRequestView,
  notFoundView,
  PROBLEM_STATUSES,
  paymentView,
  resultView,
  tokenProblemView,
} from './views.ts'
import { readVisit, returnAddress, type Visit, visitAddress } from './visit.ts'

const encoder = new TextEncoder()

/**
 * Headers of every answer of the page. The browser must not guess the content type, must not send a referrer, and must not let other sites
 * load the answer. Only `widget.js` may be loaded by other sites.
 */
const GUARDED = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * Returns the Content-Security-Policy: only the page's own files may load, and forms may only be sent to this origin.
 * @param framedBy the only origin that may frame the page, as checked by `readVisit`; undefined for none
 */
function contentPolicy(framedBy: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framedBy ?? "'none'"}`,
  ].join('; ')
}

/** Returns the answer with a page. No cache may store it, because it contains a token and a person's purchase. */
function pageResponse(status: number, document: Html, framedBy?: string): WireResponse {
  return {
    status,
    headers: {
      ...GUARDED,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': contentPolicy(framedBy),
      'x-robots-tag': 'noindex',
      ...(framedBy === undefined ? { 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' } : {}),
    },
    body: encoder.encode(document.markup),
  }
}

/**
 * Returns a redirect: 303 after a form (so that a reload repeats nothing) or after a payment, 308 for another spelling of the address.
 * @param location path and query on this origin, or an address of the merchant
 */
function redirectResponse(status: 303 | 308, location: string): WireResponse {
  // A header has only ASCII. For an address with other characters, encode them as a browser would.
  const sent = /^[\x21-\x7e]*$/.test(location) ? location : new URL(location).href
  return { status, headers: { ...GUARDED, location: sent, 'cache-control': 'no-store' }, body: new Uint8Array() }
}

/**
 * Returns the answer with a file of the page.
 * @param open true for `widget.js`, which other sites load
 */
function assetResponse(type: string, content: string, cacheControl: string, open: boolean): WireResponse {
  return {
    status: 200,
    headers: {
      ...GUARDED,
      'content-type': type,
      'cache-control': cacheControl,
      ...(open ? { 'cross-origin-resource-policy': 'cross-origin' } : {}),
    },
    body: encoder.encode(content),
  }
}

/** Returns the answer to a method that an address does not support. */
function methodResponse(allowed: string): WireResponse {
  return { status: 405, headers: { ...GUARDED, allow: allowed, 'cache-control': 'no-store' }, body: new Uint8Array() }
}

interface PageOptions {
  /** Milliseconds since 1970 by the sandbox's clock. */
  now: () => number
  environment: Environment
  /** Whether the page decides instead of a customer and redirects to the merchant at once, so that a test needs no browser. */
  customer: boolean
  /** Opens an address as the customer's browser would. Never throws. */
  visitMerchant: (address: string) => Promise<void>
}

/**
 * Returns a function that answers every address for which `isPageAddress` is true (specification: "Hosted payment page"; gaps 4, 5 and 22).
 * The parameter `pathname` is the path without the prefix of the environment. `refuse` of `service/access.ts` has already refused forms of other sites.
 */
export function createPages(
  payments: Payments,
  options: PageOptions,
): (request: WireRequest, pathname: string) => Promise<WireResponse> {
  const { now, environment, customer, visitMerchant } = options
  const checkout = createCheckout(payments, now)
  const at = (path: PagePath) => ({ path, environment })

  return async (request, pathname) => {
    const url = new URL(request.url)
    const isPage = pathname === PAGE_PATHS.hosted || pathname === PAGE_PATHS.embedded
    if (request.method === 'POST' && isPage) return submit(request, pathname)
    const isHead = request.method === 'HEAD'
    if (request.method !== 'GET' && !isHead) return methodResponse(isPage ? 'GET, HEAD, POST' : 'GET, HEAD')
    if (pathname === PAYMENT_PATH)
      return redirectResponse(308, `${baseOf('', environment)}${PAGE_PATHS.hosted}${url.search}`)
    if (pathname === WIDGET_PATH) return fileAnswer(url, 'widget.js')
    const name = pathname.slice(PAGE_PATHS.hosted.length)
    if (isAssetName(name) && name !== 'widget.js') return fileAnswer(url, name)
    const language = request.headers['accept-language'] ?? ''
    if (!isPage)
      return pageResponse(404, notFoundView(readVisit(at(PAGE_PATHS.hosted), new URLSearchParams(), language)))
    return show(readVisit(at(pathname), url.searchParams, language), isHead)
  }

  /** HEAD requests come from link previews and proxies. So they never pay, and do not count as a visit in which the customer saw the result. */
  async function show(visit: Visit, isHead: boolean): Promise<WireResponse> {
    if (visit.bad.length > 0) return answer(visit, 400, badRequestView(visit))
    const { widgetToken, publicKey } = visit
    const look = isHead ? checkout.peek : checkout.open
    const found = customer && !isHead ? await decide(visit) : await look(widgetToken, publicKey)
    const leave = customer ? leaveAddress(visit, found) : undefined
    if (leave !== undefined) return redirectResponse(303, leave)
    if (found.kind === 'payment') return answer(visit, 200, paymentView(visit, found.session))
    if (found.kind === 'ended') return answer(visit, 200, resultView(visit, found.ended, found.sinceShownMs))
    const { problem, closed, sinceShownMs } = found
    return answer(visit, PROBLEM_STATUSES[problem], tokenProblemView(visit, problem, closed, sinceShownMs))
  }

  /** Decides as the customer would. A test customer who leaves the page at a step ends nothing. */
  async function decide(visit: Visit): Promise<Found> {
    const { publicKey } = visit
    let { widgetToken } = visit
    let found = await checkout.open(widgetToken, publicKey)
    if (found.kind === 'payment' && found.session.asks === 'id-number') {
      const done = await checkout.act(widgetToken, publicKey, { kind: 'identify' })
      if (done.kind === 'refreshed') widgetToken = done.widgetToken
      found = await checkout.open(widgetToken, publicKey)
    }
    if (found.kind !== 'payment' || found.session.leaves) return found
    const { selected, options } = found.session
    const installments = (selected ?? options[0])?.installments
    const action: CustomerAction =
      installments === undefined ? { kind: 'cancel' } : { kind: 'confirm', installments, isAutomatic: true }
    await checkout.act(widgetToken, publicKey, action, comeBackFrom(visit))
    return checkout.open(widgetToken, publicKey)
  }

  function comeBackFrom({ place }: Visit): ComeBack {
    return async (to, { preApproveId, externalTrxId }) => {
      if (place?.kind === 'hosted') await visitMerchant(returnAddress(place[to], preApproveId, externalTrxId))
    }
  }

  async function submit(request: WireRequest, path: Visit['path']): Promise<WireResponse> {
    const isForm = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() === FORM_TYPE
    const fields = formEntries(isForm ? new TextDecoder().decode(request.body) : '')
    const visit = readVisit(at(path), fields, request.headers['accept-language'] ?? '')
    if (visit.bad.length > 0) return answer(visit, 400, badRequestView(visit))
    const action = actionIn(fields)
    if (action === undefined) return answer(visit, 400, badFormView(visit))
    const { widgetToken, publicKey } = visit
    if (action === 'bad-id') {
      const found = await checkout.open(widgetToken, publicKey)
      return found.kind === 'payment'
        ? answer(
            visit,
            422,
            paymentView(visit, found.session, { problem: action, typed: fields.get('idNumber') ?? '' }),
          )
        : redirectResponse(303, visitAddress(visit))
    }
    const done = await checkout.act(widgetToken, publicKey, action, comeBackFrom(visit))
    if (done.kind === 'refreshed') return redirectResponse(303, visitAddress(visit, { widgetToken: done.widgetToken }))
    if (done.kind !== 'done') {
      const status = done.kind === 'unavailable' ? 503 : 422
      return answer(visit, status, paymentView(visit, done.session, { problem: done.kind }))
    }
    // Redirect to a page with the result, so that a reload does not send the form again.
    return redirectResponse(303, visitAddress(visit))
  }
}

/** Returns what the customer did; undefined for a form that the page does not have. */
function actionIn(fields: URLSearchParams): CustomerAction | 'bad-id' | undefined {
  switch (fields.get('action')) {
    case 'confirm':
      return { kind: 'confirm', installments: countIn(fields.get('installments')) }
    case 'cancel':
      return { kind: 'cancel' }
    case 'identify': {
      const parsed = parseRut(fields.get('idNumber') ?? '')
      return parsed.ok ? { kind: 'identify', idNumber: parsed.rut } : 'bad-id'
    }
    case 'subscribe':
      return { kind: 'subscribe' }
    case 'sign':
      return { kind: 'sign' }
    case 'code':
      return { kind: 'code', code: (fields.get('code') ?? '').replace(/\s/g, '') }
    default:
      return undefined
  }
}

/** Returns the number of installments. Returns NaN, which matches no plan, for a text such as `3.0` or `abc`. */
const countIn = (text: string | null): number => (/^[1-9]\d*$/.test(text ?? '') ? Number(text) : Number.NaN)

function leaveAddress(visit: Visit, found: Found): string | undefined {
  if (found.kind === 'ended') return backAddress(visit, found.ended)
  if (found.kind !== 'problem' || found.problem !== 'expired' || visit.wayBack === undefined) return undefined
  return returnAddress(visit.wayBack, found.closed?.preApproveId, found.closed?.externalTrxId)
}

/** Returns the answer with a page. Only the origin for which an embedded page was opened may frame it. No site may frame a hosted page. */
function answer(visit: Visit, status: number, document: Html): WireResponse {
  return pageResponse(status, document, visit.place?.kind === 'embedded' ? visit.place.parentOrigin : undefined)
}

function fileAnswer(url: URL, name: AssetName): WireResponse {
  const { type, content, version } = asset(name)
  const kept = url.searchParams.get('v') === version ? 'public, max-age=31536000, immutable' : 'no-cache'
  return assetResponse(type, content, kept, name === 'widget.js')
}
