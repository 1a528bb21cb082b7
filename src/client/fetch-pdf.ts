import { OPEN_STATUS, reportFileStep, reportLinkStep } from '../contract/calls/reports.ts'
import type { BodySink, DownloadHead } from '../contract/wire.ts'
import { BnplError, type Exchange } from '../errors.ts'
import { type BareAnswer, type BareOptions, type Failed, withRetries } from './bare-get.ts'
import { checkLink } from './link.ts'
import { type Framing, PdfBody, type PdfProblem } from './pdf-body.ts'

export const MAX_REPORT_BYTES = 1024 ** 3

/** Stores the bytes of a report. Each attempt begins with `restart`, which removes the stored bytes. */
export interface Spool extends BodySink {
  restart(): Promise<void> | void
}

export interface FetchedPdf {
  bytes: number
  sha256: string
}

export interface FetchOptions extends BareOptions {
  onProgress?: (bytes: number, total: number | undefined) => void
}

/**
 * Fetches a report's PDF without a key, and checks that it is complete. After a broken connection the download starts again from the
 * beginning, so that a file never contains parts of two answers. Throws the errors of `link` and of the spool, and errors of the kinds
 * `refused`, `not-found`, `rate-limited`, `service` and `network`.
 * @param link requests a new link and checks it with `checkLink`
 */
export async function fetchPdf(link: () => Promise<string>, spool: Spool, options: FetchOptions): Promise<FetchedPdf> {
  let url = await link()
  let refreshed = false
  return withRetries(reportFileStep, options, async (tries) => {
    for (;;) {
      await spool.restart()
      const body = new PdfBody()
      const answer = await tries.get(url, (head) =>
        head.status === 200 ? through(head, url, body, spool, options.onProgress) : undefined,
      )
      if ('failure' in answer) return answer
      if (answer.head.status === 200) {
        const problem = body.problem(framingOf(answer.head), declaredLength(answer.head))
        if (problem === undefined) return { done: { bytes: body.bytes, sha256: body.sha256() } }
        if (problem.kind === 'cut') return cut(problem, answer.exchange)
        throw foreign(problem.reason, url)
      }
      // The storage answers 400 or 403 to an expired link, so request a new link, once.
      if (refreshed || (answer.head.status !== 400 && answer.head.status !== 403)) return tries.unwanted(answer)
      refreshed = true
      url = await link()
    }
  })
}

/**
 * Requests a report's `urlInforme` without a key, and returns the address to which the answer redirects. Throws errors of the kinds
 * `refused`, `not-found`, `rate-limited`, `service` and `network`.
 */
export async function followReportLink(urlInforme: string, options: BareOptions): Promise<string> {
  return withRetries(reportLinkStep, options, async (tries) => {
    const answer = await tries.get(urlInforme, () => undefined)
    if ('failure' in answer) return answer
    const { status, headers } = answer.head
    if (status === OPEN_STATUS && headers.location !== undefined)
      return { done: checkLink(headers.location, urlInforme) }
    if (status >= 400) return tries.unwanted(answer)
    throw notARedirect(answer, urlInforme)
  })
}

function through(
  head: DownloadHead,
  url: string,
  body: PdfBody,
  spool: Spool,
  onProgress: FetchOptions['onProgress'],
): BodySink {
  const total = declaredLength(head)
  const encoding = head.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw foreign('the answer has an encoding that was not requested', url)
  const type = head.headers['content-type']
  if (type !== undefined && !PDF_TYPES.has(type.split(';')[0]?.trim().toLowerCase() ?? ''))
    throw foreign('the content type of the answer is not PDF', url)
  if ((total ?? 0) > MAX_REPORT_BYTES) throw foreign('the answer is larger than a report can be', url)
  return {
    take(chunk) {
      body.take(chunk)
      if (body.bytes > MAX_REPORT_BYTES) throw foreign('the answer is larger than a report can be', url)
      onProgress?.(body.bytes, total)
      spool.take(chunk)
    },
  }
}

/** The last two types only mean “bytes”, and are the defaults of storage services. */
const PDF_TYPES = new Set(['application/pdf', 'application/x-pdf', 'application/octet-stream', 'binary/octet-stream'])

function framingOf({ headers }: DownloadHead): Framing {
  if (headers['content-length'] !== undefined) return 'length'
  return headers['transfer-encoding'] === undefined ? 'close' : 'chunked'
}

function declaredLength({ headers }: DownloadHead): number | undefined {
  const declared = headers['content-length']
  return declared !== undefined && /^\d{1,16}$/.test(declared) ? Number(declared) : undefined
}

function cut(problem: PdfProblem, exchange: Exchange): Failed {
  const failure = new BnplError(
    'network',
    `could not download the report: ${new URL(exchange.url).host}: the connection was cut off (${problem.reason})`,
    { code: 'CUT', hint: 'Run the command again, which is safe. Nothing was saved.', exchange },
  )
  return { failure, attempt: { outcome: 'fault', kind: 'reset', sent: true } }
}

function foreign(reason: string, url: string): BnplError {
  return new BnplError('service', `the answer of ${new URL(url).host} is not the report: ${reason}`, {
    code: 'NOT_A_PDF',
    hint: 'Try again in a minute. If it fails again, ask the operator of the service. Nothing was saved.',
  })
}

function notARedirect({ head, exchange }: BareAnswer, urlInforme: string): BnplError {
  return new BnplError(
    'service',
    `${new URL(urlInforme).host} answered ${head.status} to the report's link, instead of a redirect to the download`,
    {
      code: 'NOT_A_REDIRECT',
      hint:
        head.status === 200
          ? 'This may be a signed link, which leads to the PDF itself. Use the urlInforme of the evaluation instead, or the id of the report.'
          : 'Use the complete urlInforme of an evaluation, as received (in quotes, because it may contain a &).',
      exchange,
    },
  )
}
