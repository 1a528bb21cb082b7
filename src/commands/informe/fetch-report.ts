import type { BareOptions } from '../../client/bare-get.ts'
import type { FetchedPdf, Spool } from '../../client/fetch-pdf.ts'
import type { Context } from '../../context.ts'
import { formatDuration } from '../../domain/clock.ts'
import { isLoopback } from '../../domain/origin.ts'
import { BnplError } from '../../errors.ts'
import { formatBytes } from '../../terminal/numbers.ts'
import { startProgress } from '../../terminal/progress.ts'
import { nextCommand } from '../global-options.ts'
import { freshLink } from './report-link.ts'

export type ReportSource = { preApproveId: string } | { urlInforme: string; preApproveId?: string | undefined }

const PROGRESS_MS = 100

/** Fetches a report's bytes, and shows the progress if stderr is a terminal. */
export async function fetchReport(context: Context, wanted: ReportSource, spool: Spool): Promise<FetchedPdf> {
  const { fetchPdf, followReportLink } = await import('../../client/fetch-pdf.ts')
  const { clock, world, options, output } = context
  const bare: BareOptions = {
    download: await context.download(),
    clock,
    random: world.random,
    timeoutMs: options.timeoutMs,
    userAgent: `bnpl/${world.version}`,
    signal: context.signal,
    onAttempt: context.report,
    onWait: (waitMs, why) => output.note(`${why}: trying again in ${formatDuration(waitMs)}`),
  }
  const link = async () =>
    'urlInforme' in wanted
      ? await followReportLink(wanted.urlInforme, bare)
      : (await freshLink(context, wanted.preApproveId)).url
  const progress = await startProgress(context.io, options.quiet, 'Requesting the report …')
  const started = clock.monotonic()
  let drawn = started
  try {
    return await fetchPdf(link, spool, {
      ...bare,
      onProgress(bytes, total) {
        const now = clock.monotonic()
        if (now - drawn < PROGRESS_MS) return
        drawn = now
        const share = total ? ` of ${formatBytes(total)}, ${context.numbers.share(bytes / total)}` : ''
        progress.update(`${formatBytes(bytes)}${share}, ${formatBytes((bytes / (now - started)) * 1000)}/s`)
      },
    })
  } catch (error) {
    // Set the hint here. In a run over a file this error becomes a result row, so it does not reach the code that sets
    // other hints.
    const { inCommandWords } = await import('../advice.ts')
    if ('urlInforme' in wanted) {
      if (isOfStoppedServer(error, wanted.urlInforme)) throw error.withHint(ofStoppedServer(wanted.urlInforme))
      if (isOfSignedLink(error)) throw error.withHint(ofSignedLink(context, wanted.preApproveId))
    }
    throw inCommandWords(error, options.profile)
  } finally {
    progress.stop()
  }
}

/** Whether nothing answers at a link to this machine. Such a link is usually one of a sandbox that has stopped. */
const isOfStoppedServer = (error: unknown, urlInforme: string): error is BnplError =>
  error instanceof BnplError && error.code === 'REFUSED' && isLoopback(new URL(urlInforme).hostname)

const ofStoppedServer = (urlInforme: string) =>
  `If this is a link of the sandbox, start the sandbox at the address of the link: bnpl sandbox start --port ${new URL(urlInforme).port || 80}. Or use the id of the report: bnpl informe download ID -p sandbox:real-estate`

/** Whether a link leads to the PDF itself, like a link that `informe get` prints. The urlInforme of an evaluation leads to such a link. */
const isOfSignedLink = (error: unknown): error is BnplError =>
  error instanceof BnplError && error.code === 'NOT_A_REDIRECT' && error.exchange?.status === 200

const ofSignedLink = (context: Context, preApproveId = 'ID') =>
  `Use the id of the report instead of this link: ${nextCommand(context, 'bnpl informe download', [preApproveId])}. This link leads to the PDF itself, but --from-link needs the urlInforme of an evaluation or an event.`
