import type { WireResponse } from '../../contract/wire.ts'
import type { Html } from '../../text/html.ts'
import type { StreamedResponse } from './event-stream.ts'
import type { WindowFile } from './files.ts'

const encoder = new TextEncoder()

/**
 * Headers of every answer. Other sites cannot read the answer. The browser does not guess its type, does not store it, and does not send
 * its address as the referrer.
 */
const GUARDED = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** The content policy: only the window's own files are loaded and run, and the window sends requests only to its own server. */
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

/** The window's page. */
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

/** A file of the window. Its address contains the version of the files, so its content never changes. */
export function windowFileResponse({ type, content }: WindowFile): WireResponse {
  return {
    status: 200,
    headers: { ...GUARDED, 'content-type': type, 'cache-control': 'private, max-age=31536000, immutable' },
    body: encoder.encode(content),
  }
}

/** A page of a report as a picture. The picture may not load or run anything. */
export function pictureResponse(svg: string): WireResponse {
  return {
    status: 200,
    headers: { ...GUARDED, 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'; sandbox" },
    body: encoder.encode(svg),
  }
}

/** The answer with data as JSON. @param more fields next to `data` */
export function dataResponse(data: unknown, more: object = {}): WireResponse {
  return {
    status: 200,
    headers: { ...GUARDED, 'content-type': 'application/json; charset=utf-8' },
    body: encoder.encode(JSON.stringify({ data, ...more })),
  }
}

/** The answer with server-sent events, until the browser disconnects. */
export function streamResponse(stream: StreamedResponse['stream']): StreamedResponse {
  return { status: 200, headers: { ...GUARDED, 'content-type': 'text/event-stream' }, body: new Uint8Array(), stream }
}
