import type { WireResponse } from '../../contract/wire.ts'
import type { Html } from '../../text/html.ts'
import type { StreamedResponse } from '../service/cut-answer.ts'
import type { WindowFile } from './files.ts'

const encoder = new TextEncoder()

/** Said with every answer: no site reads, frames or sniffs it, and nobody learns where a reader came from. */
const GUARDED = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Nothing runs or loads but the window's own files, and it speaks to its own server alone. */
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

export function pageAnswer(status: number, page: Html): WireResponse {
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

/** The address has the version of the files in it, so what is there never changes. */
export function fileAnswer({ type, content }: WindowFile): WireResponse {
  return {
    status: 200,
    headers: { ...GUARDED, 'content-type': type, 'cache-control': 'private, max-age=31536000, immutable' },
    body: encoder.encode(content),
  }
}

/** A page of a report as a picture, which by itself may load and run nothing. */
export function pictureAnswer(svg: string): WireResponse {
  return {
    status: 200,
    headers: { ...GUARDED, 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'; sandbox" },
    body: encoder.encode(svg),
  }
}

/** @param more stands beside the data */
export function dataAnswer(data: unknown, more: object = {}): WireResponse {
  return {
    status: 200,
    headers: { ...GUARDED, 'content-type': 'application/json; charset=utf-8' },
    body: encoder.encode(JSON.stringify({ data, ...more })),
  }
}

/** Server-sent events, as long as somebody listens. */
export function streamAnswer(stream: StreamedResponse['stream']): StreamedResponse {
  return { status: 200, headers: { ...GUARDED, 'content-type': 'text/event-stream' }, body: new Uint8Array(), stream }
}
