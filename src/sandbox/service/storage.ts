import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { INFORME_LINK_LIFE_MS } from '../../contract/time-limits.ts'
import type { WireRequest, WireResponse } from '../../contract/wire.ts'

/** The path of the object storage. The storage accepts only signed links. Any other request gets an error answer like that of S3. */
export const STORAGE_PREFIX = '/_storage/'

/** Returns whether an address is in the storage. */
export const isStorageAddress = (pathname: string): boolean => pathname.startsWith(STORAGE_PREFIX)

const BUCKET = 'informes'
const ALGORITHM = 'AWS4-HMAC-SHA256'
const SIGNATURE = 'X-Amz-Signature'

interface StoredObject {
  body: Uint8Array
  contentType: string
  etag: string
  /** When the object was changed, ISO 8601. */
  modifiedAt: string
}

/**
 * Returns a link to an object, valid for `INFORME_LINK_LIFE_MS` from `now`. A browser saves the object under `fileName`.
 * @param key the key of the object in its bucket
 * @param now ms since 1970
 */
export function presign(baseUrl: string, secret: string, key: string, fileName: string, now: number): string {
  const at = amzDate(now)
  const path = `${STORAGE_PREFIX}${BUCKET}/${key.split('/').map(encodeURIComponent).join('/')}`
  const query = new URLSearchParams({
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `AKIASANDBOX/${at.slice(0, 8)}/sandbox/s3/aws4_request`,
    'X-Amz-Date': at,
    'X-Amz-Expires': String(INFORME_LINK_LIFE_MS / 1000),
    // Makes each link different, even within the same second (specification: "Time rules").
    'X-Amz-Security-Token': randomBytes(16).toString('base64url'),
    'X-Amz-SignedHeaders': 'host',
    'response-content-disposition': `attachment; filename="${fileName}"`,
    'response-content-type': 'application/pdf',
  })
  query.set(SIGNATURE, sign(secret, 'GET', path, query))
  return `${baseUrl}${path}?${query}`
}

/**
 * Answers a request to the storage.
 * @param find returns the object with the given key
 * @param now ms since 1970
 */
export async function answerStorage(
  request: Pick<WireRequest, 'method' | 'headers'>,
  { pathname, searchParams: query }: URL,
  secret: string,
  find: (key: string) => Promise<StoredObject | undefined>,
  now: number,
): Promise<WireResponse> {
  if (request.headers.authorization !== undefined) return refuseLikeS3(400, 'InvalidArgument', TWO_CREDENTIALS)
  const given = query.get(SIGNATURE)
  if (given === null || query.get('X-Amz-Algorithm') !== ALGORITHM)
    return refuseLikeS3(403, 'AccessDenied', 'Access Denied')
  if (!sameText(given, sign(secret, request.method, pathname, query)))
    return refuseLikeS3(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
    )
  if (now > expiryOf(query)) return refuseLikeS3(403, 'AccessDenied', 'Request has expired')
  const key = keyOf(pathname)
  const found = key === undefined ? undefined : await find(key)
  if (found === undefined) return refuseLikeS3(404, 'NoSuchKey', 'The specified key does not exist.')
  return {
    status: 200,
    headers: {
      'content-type': query.get('response-content-type') ?? found.contentType,
      'content-disposition': query.get('response-content-disposition') ?? 'attachment',
      'content-length': String(found.body.length),
      etag: found.etag,
      'last-modified': new Date(found.modifiedAt).toUTCString(),
    },
    body: found.body,
  }
}

const TWO_CREDENTIALS =
  'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified'

function sign(secret: string, method: string, path: string, query: URLSearchParams): string {
  const rest = [...query].filter(([name]) => name !== SIGNATURE).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHmac('sha256', secret)
    .update(['storage', method, path, new URLSearchParams(rest)].join('\n'))
    .digest('hex')
}

function sameText(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const amzDate = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

function expiryOf(query: URLSearchParams): number {
  const at = String(query.get('X-Amz-Date')).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  return Date.parse(at) + Number(query.get('X-Amz-Expires')) * 1000
}

function keyOf(pathname: string): string | undefined {
  const [bucket, ...key] = pathname.slice(STORAGE_PREFIX.length).split('/')
  if (bucket !== BUCKET) return undefined
  try {
    return key.map(decodeURIComponent).join('/')
  } catch {
    return undefined
  }
}

function refuseLikeS3(status: number, code: string, message: string): WireResponse {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`
  return { status, headers: { 'content-type': 'application/xml' }, body: Buffer.from(body) }
}
