import type { WireResponse } from '../../contract/wire.ts'
import type { Html } from '../../text/escaping.ts'

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
export function pageResponse(status: number, document: Html, framedBy?: string): WireResponse {
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
export function redirectResponse(status: 303 | 308, location: string): WireResponse {
  // A header has only ASCII. For an address with other characters, encode them as a browser would.
  const sent = /^[\x21-\x7e]*$/.test(location) ? location : new URL(location).href
  return { status, headers: { ...GUARDED, location: sent, 'cache-control': 'no-store' }, body: new Uint8Array() }
}

/**
 * Returns the answer with a file of the page.
 * @param open true for `widget.js`, which other sites load
 */
export function assetResponse(type: string, content: string, cacheControl: string, open: boolean): WireResponse {
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
export function methodResponse(allowed: string): WireResponse {
  return { status: 405, headers: { ...GUARDED, allow: allowed, 'cache-control': 'no-store' }, body: new Uint8Array() }
}
