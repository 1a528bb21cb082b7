import type { WireResponse } from '../contract/wire.ts'
import type { StreamedResponse } from '../sandbox/server/exchange.ts'
import type { Html } from '../text/escaping.ts'
import type { WindowFile } from './files.ts'

const encoder = new TextEncoder()

/** Other sites cannot read the answers. The browser does not guess the type of an answer, does not store it, and sends no referrer. */
const GUARDED = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Only the window's own files are loaded, and the window sends requests only to its own server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Returns the answer with the window's page. */
export function windowPageResponse(status: number, page: Html): WireResponse {
  return {
    status,
    headers: {
      ...GUARDED,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    },
    body: encoder.encode(page.markup),
  }
}

/** Returns the answer with a file. The content never changes, because the address contains the version of the files. */
export function windowFileResponse({ type, content }: WindowFile): WireResponse {
  return {
    status: 200,
    headers: { ...GUARDED, 'content-type': type, 'cache-control': 'private, max-age=31536000, immutable' },
    body: encoder.encode(content),
  }
}

/** Returns the answer with a page of a report as a picture. A policy keeps the picture from loading or running anything. */
export function pictureResponse(svg: string): WireResponse {
  return {
    status: 200,
    headers: { ...GUARDED, 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'; sandbox" },
    body: encoder.encode(svg),
  }
}

/** Returns the answer with data as JSON. @param more fields next to `data` */
export function dataResponse(data: unknown, more: object = {}): WireResponse {
  return {
    status: 200,
    headers: { ...GUARDED, 'content-type': 'application/json; charset=utf-8' },
    body: encoder.encode(JSON.stringify({ data, ...more })),
  }
}

/** Returns the answer with server-sent events, until the browser disconnects. */
export function streamResponse(stream: StreamedResponse['stream']): StreamedResponse {
  return { status: 200, headers: { ...GUARDED, 'content-type': 'text/event-stream' }, body: new Uint8Array(), stream }
}
