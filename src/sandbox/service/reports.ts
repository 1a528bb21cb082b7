import { createHmac, randomBytes } from 'node:crypto'
import { informeFileName } from '../../contract/calls/reports.ts'
import { INFORME_LINK_LIFE_MS } from '../../contract/time-limits.ts'
import type { WireRequest, WireResponse } from '../../contract/wire.ts'
import { findFingerprint, findLead, findPreApproval, findReport, keepDrawnReport } from '../store/evaluations.ts'
import { findPartner } from '../store/partners.ts'
import type { Db, Store } from '../store/store.ts'
import { sameText } from './access.ts'
import { Refusal } from './refusal.ts'
import { type ReportData, reportData, reportFingerprint } from './report/data.ts'

/** The path of the object storage. The storage accepts only signed links. Any other request gets an error answer like that of S3. */
export const STORAGE_PREFIX = '/_storage/'

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
function presign(baseUrl: string, secret: string, key: string, fileName: string, now: number): string {
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
async function answerStorage(
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
  const key = requestedKey(pathname)
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

const amzDate = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

function expiryOf(query: URLSearchParams): number {
  const at = String(query.get('X-Amz-Date')).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  return Date.parse(at) + Number(query.get('X-Amz-Expires')) * 1000
}

function requestedKey(pathname: string): string | undefined {
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

export interface Reports {
  /**
   * Renders the report if it is missing or its data has changed. Then returns a new pre-signed link to it. Throws a 503 `Refusal` when the
   * report cannot be rendered.
   * @param now the sandbox's time in ms; the link is valid for `INFORME_LINK_LIFE_MS` from this time
   */
  link(preApproveId: string, now: number): Promise<string>
  /** Returns the fingerprint of the report's present data; undefined if there is no report for this id. */
  print(preApproveId: string): Promise<string | undefined>
  /** Returns each page of the report, with its present data, as an SVG picture; undefined if there is no report for this id. */
  pictures(preApproveId: string): Promise<string[] | undefined>
  /** Answers a request to the storage, which contains the reports. @param now ms since 1970 */
  answer(request: WireRequest, url: URL, now: number): Promise<WireResponse>
}

/** Returns functions that render and send reports. The drawing library is loaded when a report is first rendered. */
export function createReports({
  store,
  baseUrl,
  signingSecret,
}: {
  store: Store
  baseUrl: string
  signingSecret: string
}): Reports {
  return {
    async link(preApproveId, now) {
      await draw(store.db, preApproveId, now)
      return presign(baseUrl, signingSecret, keyOf(preApproveId), informeFileName(preApproveId), now)
    },
    async print(preApproveId) {
      const data = await dataOf(store.db, preApproveId)
      return data && reportFingerprint(data)
    },
    async pictures(preApproveId) {
      const data = await dataOf(store.db, preApproveId)
      if (data === undefined) return undefined
      const { pictureReport } = await import('./report/render.ts')
      return pictureReport(data, reportFingerprint(data))
    },
    answer: (request, url, now) =>
      answerStorage(
        request,
        url,
        signingSecret,
        async (key) => {
          const report = findReport(store.db, key.replace(/\.pdf$/, ''))
          if (report === undefined || key !== keyOf(report.id)) return undefined
          const { pdf, fingerprint: etag, renderedAt } = report
          return { body: pdf, contentType: 'application/pdf', etag: `"${etag.slice(0, 32)}"`, modifiedAt: renderedAt }
        },
        now,
      ),
  }
}

const keyOf = (preApproveId: string) => `${preApproveId}.pdf`

async function dataOf(db: Db, preApproveId: string): Promise<ReportData | undefined> {
  const evaluated = findPreApproval(db, preApproveId)
  const partner = evaluated && findPartner(db, 'id', evaluated.partnerId)
  if (evaluated === undefined || evaluated.outcome === 'limited' || partner === undefined) return undefined
  const lead = evaluated.leadId === null ? undefined : findLead(db, partner.id, evaluated.leadId)
  return reportData(evaluated, partner, lead)
}

async function draw(db: Db, preApproveId: string, now: number): Promise<void> {
  const data = await dataOf(db, preApproveId)
  if (data === undefined) throw unrendered('the data of the report no longer exists')
  const print = reportFingerprint(data)
  if (findFingerprint(db, preApproveId) === print) return
  const { renderReport } = await import('./report/render.ts')
  try {
    keepDrawnReport(db, preApproveId, { fingerprint: print, pdf: await renderReport(data, print) }, now)
  } catch (error) {
    throw unrendered(error instanceof Error ? error.message : String(error))
  }
}

const unrendered = (why: string) =>
  new Refusal(503, 'ERR_UNABLE_TO_RENDER_INFORME', `the report could not be rendered: ${why}`)
