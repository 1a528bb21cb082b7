import { createHash } from 'node:crypto'
import { OPEN_STATUS } from '../contract/calls/calls.ts'
import { reportFileStep, reportLinkStep } from '../contract/calls/reports.ts'
import { guidance } from '../contract/failures/advice.ts'
import type { BodySink, DownloadHead } from '../contract/wire.ts'
import { isLoopback, parseServiceAddress } from '../domain/addresses.ts'
import { BnplError, type Exchange } from '../errors.ts'
import { type BareAnswer, type BareOptions, type Failed, withRetries } from './bare-get.ts'

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
  return { failure, attempt: { outcome: 'failure', kind: 'reset', sent: true } }
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

/**
 * Checks a link that the service sent: it must be https, or http if both the service and the link are on this machine. `from` is the
 * address whose answer contained the link. Throws `service`, with a message that never contains the link.
 */
export function checkLink(link: string, from: string): string {
  const resolved = URL.canParse(link, from) ? new URL(link, from) : undefined
  const parsed = parseServiceAddress(resolved?.href ?? link)
  const reason = !parsed.ok
    ? parsed.reason
    : parsed.url.protocol === 'http:' && !isLoopback(new URL(from).hostname)
      ? 'it is an address of this machine, but the service is on another machine'
      : undefined
  if (parsed.ok && reason === undefined) return parsed.url.href
  const message = `the link that ${new URL(from).host} sent for the report cannot be used: ${reason}; nothing was fetched from the link`
  throw new BnplError('service', message, {
    code: 'BAD_LINK',
    ...guidance({ id: 'check-base-address' }),
  })
}

/** How the end of a body is marked. With `close`, the connection just ends, so a body that was cut off may look complete. */
export type Framing = 'length' | 'chunked' | 'close'

/** A `cut` body may be complete at the next attempt. A `foreign` body is not a report. */
interface PdfProblem {
  kind: 'cut' | 'foreign'
  reason: string
}

/** How many bytes at the end of a PDF are searched for the end mark. PDF readers search as many. */
const TAIL_BYTES = 1024
const MAGIC = '%PDF-'
const END_MARK = '%%EOF'

/** Measures a body as it arrives: its size, its SHA-256, and whether it is a complete PDF. Only the first and last bytes are kept. */
export class PdfBody {
  bytes = 0
  readonly #hash = createHash('sha256')
  #start = Buffer.alloc(0)
  #tail = Buffer.alloc(0)

  take(chunk: Uint8Array): void {
    this.bytes += chunk.length
    this.#hash.update(chunk)
    if (this.#start.length < MAGIC.length)
      this.#start = Buffer.concat([this.#start, chunk.subarray(0, MAGIC.length - this.#start.length)])
    // Copy the bytes, because the caller may overwrite the chunk after this function returns.
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
  }

  /** Returns the SHA-256 in lower-case hex. Call this once, at the end. */
  sha256(): string {
    return this.#hash.digest('hex')
  }

  problem(framing: Framing, declared: number | undefined): PdfProblem | undefined {
    if (declared !== undefined && declared !== this.bytes)
      return { kind: 'cut', reason: `${this.bytes} of ${declared} bytes arrived` }
    if (this.bytes === 0) return { kind: framing === 'close' ? 'cut' : 'foreign', reason: 'the file is empty' }
    const start = this.#start.toString('latin1')
    if (!MAGIC.startsWith(start) || (start.length < MAGIC.length && framing !== 'close'))
      return { kind: 'foreign', reason: 'the file does not start like a PDF' }
    const tail = this.#tail.toString('latin1')
    // With `close`, a body that was cut off may still contain the end mark of an earlier revision of the PDF. So the mark must come last.
    const ended = framing === 'close' ? tail.trimEnd().endsWith(END_MARK) : tail.includes(END_MARK)
    if (ended) return undefined
    return { kind: framing === 'close' ? 'cut' : 'foreign', reason: `the end mark of a PDF (${END_MARK}) is missing` }
  }
}
