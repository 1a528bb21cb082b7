import { basename, resolve } from 'node:path'
import type { BareOptions } from '../client/bare-get.ts'
import type { FetchedPdf, Spool } from '../client/fetch-pdf.ts'
import type { Context } from '../context.ts'
import { informeFileName } from '../contract/calls/reports.ts'
import { INFORME_LINK_LIFE_MS } from '../contract/time-limits.ts'
import type { TargetFile } from '../disk/target-file.ts'
import { isLoopback, parseServiceAddress } from '../domain/addresses.ts'
import { BodyBytes } from '../domain/body-bytes.ts'
import { formatDuration } from '../domain/clock.ts'
import { BnplError, tellable, usage } from '../errors.ts'
import { formatBytes } from '../terminal/numbers.ts'
import { readAll } from '../terminal/output.ts'
import { startProgress } from '../terminal/progress.ts'
import { nextCommand } from './global-options.ts'
import { historyKey } from './history-notes.ts'

type ReportSource = { preApproveId: string } | { urlInforme: string; preApproveId?: string | undefined }

const PROGRESS_MS = 100

// What downloads a report and writes its file is loaded only when a command does so.
const pdfs = () => import('../client/fetch-pdf.ts')
const targets = () => import('../disk/target-file.ts')

/** Fetches a report's bytes, and shows the progress if stderr is a terminal. */
async function fetchReport(context: Context, wanted: ReportSource, spool: Spool): Promise<FetchedPdf> {
  const { fetchPdf, followReportLink } = await pdfs()
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
    const { inCommandWords } = await import('./hints.ts')
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

interface FreshLink {
  preApproveId: string
  /** The signed link. Everybody who has it can open the report until it expires, so it is never stored and never logged. */
  url: string
  /** When the link expires, ISO 8601. */
  expiresAt: string
}

/** Asks the service for a fresh link to a report, and checks the address of the link. */
export async function freshLink(context: Context, preApproveId: string): Promise<FreshLink> {
  const { checkLink } = await pdfs()
  const api = await context.api()
  const asked = context.clock.now()
  const { data } = await api.call('getInforme', { params: { preApproveId }, body: {} })
  return {
    preApproveId,
    url: checkLink(data.url, api.baseUrl),
    expiresAt: new Date(asked + INFORME_LINK_LIFE_MS).toISOString(),
  }
}

const MAX_LINK_BYTES = 16_384

/**
 * Reads a `urlInforme` from the argument, or from stdin if the argument is `-`. Throws `usage` for a
 * link that is not valid. The message does not contain the link.
 */
export async function readReportLink(context: Context, given: string): Promise<string> {
  const text = given === '-' ? await readAll(context.io, MAX_LINK_BYTES) : given
  if (text === undefined) throw usage('the text on stdin is too long for a link', 'Write only the urlInforme to stdin.')
  const parsed = parseServiceAddress(String(text).trim())
  if (parsed.ok) return parsed.url.href
  throw usage(`--from-link is not valid: ${parsed.reason}`, 'Use the whole urlInforme, in quotes.', 'BAD_LINK')
}

/**
 * How the bytes compare with those of the previous fetch that the history knows. `unchanged`: they are the same. `rendered`: they differ, so
 * the service rendered the report again. `new`: the history knows no previous fetch.
 */
type ReportStatus = 'new' | 'unchanged' | 'rendered'

export interface SavedReport extends FetchedPdf {
  /** Null for a link without an id. */
  preApproveId: string | null
  path: string
  status: ReportStatus
}

interface Asked {
  preApproveId: string | undefined
  urlInforme: string | undefined
}

/** Fetches a report, checks it and saves it in its file. After a failure there is no incomplete file. */
export async function saveReport(
  context: Context,
  asked: Asked,
  path: string,
  place: ReportPlace,
): Promise<SavedReport> {
  let target: TargetFile | undefined
  try {
    const fetched = await fetchReport(context, wantedOf(asked), {
      async restart() {
        target ??= await openReport(context, path, place)
        target.restart()
      },
      take: (chunk) => target?.take(chunk),
    })
    await target?.commit()
    const status = await compare(context, asked, fetched)
    return { preApproveId: asked.preApproveId ?? null, path, ...fetched, status }
  } finally {
    await target?.discard()
  }
}

/** Returns the source of the report: the link if one was given, otherwise the id. */
function wantedOf({ preApproveId, urlInforme }: Asked): ReportSource {
  return urlInforme === undefined ? { preApproveId: preApproveId ?? '' } : { urlInforme, preApproveId }
}

/**
 * Stores the id, size and hash of a report in the history. Returns how the report compares with the report that was
 * fetched before. If the history cannot be written, the command continues with a warning, because the report is
 * already in its file or on stdout.
 */
async function compare(context: Context, asked: Asked, fetched: FetchedPdf): Promise<ReportStatus> {
  const { preApproveId, urlInforme } = asked
  if (preApproveId === undefined) return 'new'
  try {
    const settings = await context.settings()
    const profile = historyKey(settings) || new URL(urlInforme ?? '').origin
    const before = await (await context.history()).keepReport(profile, { preApproveId, ...fetched })
    return before === undefined ? 'new' : before.sha256 === fetched.sha256 ? 'unchanged' : 'rendered'
  } catch (error) {
    context.output.warn(`the local history could not be written (${tellable(error)}); the report itself is complete`)
    return 'new'
  }
}

/** Writes a report to stdout, but only after it is complete and checked, because bytes in a pipe cannot be taken back. */
export async function pipeReport(
  context: Context,
  preApproveId: string | undefined,
  urlInforme: string | undefined,
): Promise<void> {
  const asked = { preApproveId, urlInforme }
  const spool = new MemorySpool()
  const fetched = await fetchReport(context, wantedOf(asked), spool)
  await context.io.out(spool.bytes())
  await compare(context, asked, fetched)
  context.output.note(`${formatBytes(fetched.bytes)}, SHA-256 ${fetched.sha256}`)
}

const MAX_PIPED_BYTES = 64 * 1024 * 1024

class MemorySpool implements Spool {
  #body = new BodyBytes()

  async restart(): Promise<void> {
    this.#body = new BodyBytes()
  }

  take(chunk: Uint8Array): void {
    this.#body.add(Buffer.from(chunk))
    if (this.#body.size > MAX_PIPED_BYTES)
      throw new BnplError(
        'service',
        `the report is larger than ${MAX_PIPED_BYTES / 1024 ** 2} MiB, which is too large for a pipe`,
        {
          code: 'TOO_LARGE_FOR_PIPE',
          hint: 'Save the report to a file: --out FILE. Nothing was written.',
        },
      )
  }

  bytes(): Uint8Array {
    return this.#body.bytes()
  }
}

export interface ReportPlace {
  dir?: string | undefined
  out?: string | undefined
  force: boolean
  swept?: boolean
}

/**
 * Returns the path of a report's file: the path that the user named, otherwise the name that the specification
 * gives. The name in a response header is never used. Throws `usage` for an id that cannot be part of a file name.
 */
export function reportPath(context: Context, preApproveId: string | undefined, { dir, out }: ReportPlace): string {
  const { cwd } = context.world
  if (out !== undefined) return resolve(cwd, out)
  const name = preApproveId === undefined ? '' : informeFileName(preApproveId)
  const path = resolve(cwd, dir ?? '.', name)
  if (name !== '' && FILE_NAME.test(name) && name.length <= 200 && basename(path) === name) return path
  throw usage(
    preApproveId === undefined
      ? 'the file of the report cannot be named, because no id was given'
      : `“${preApproveId}” has characters that are not allowed in the name of a file`,
    'Name the file with: --out FILE',
    'NO_FILE_NAME',
  )
}

const OTHER_PLACE = '--dir or --out'
const FILE_NAME = /^[A-Za-z0-9._~+=@ -]+$/

/**
 * Returns, for each path, the error that says why its file must not be written, or undefined if it can be written. Never
 * throws a `BnplError`.
 */
export async function problemsOf(paths: readonly string[], { force }: ReportPlace): Promise<(BnplError | undefined)[]> {
  const { checkTarget } = await targets()
  const problems: (BnplError | undefined)[] = []
  for (const path of paths) {
    const found = await checkTarget(path, force, OTHER_PLACE).catch((error: unknown) => error)
    if (found !== undefined && !(found instanceof BnplError)) throw found
    const isFolder = found?.code === 'TARGET_IS_DIRECTORY'
    problems.push(isFolder ? found.withHint('Use --dir for a directory, --out for a file.') : found)
  }
  return problems
}

/** Opens the temporary file of a report, and removes temporary files of killed runs from its folder. */
async function openReport(context: Context, path: string, { force, swept }: ReportPlace): Promise<TargetFile> {
  const { openTarget, sweepStale } = await targets()
  const { pid, isAlive } = context.world
  if (!swept) await sweepStale(resolve(path, '..'), isAlive)
  return openTarget(path, { force, pid, otherPlace: OTHER_PLACE })
}
