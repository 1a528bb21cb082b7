import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { compareDelivery } from '../../contract/compare/answer.ts'
import { compareExchange } from '../../contract/compare/compare.ts'
import type { Difference } from '../../contract/compare/exchange.ts'
import { knownAnswers, PATH_SETTINGS } from '../../profiles/resolve.ts'
import type { Entry } from '../../recording/lines.ts'

export interface CountedDifference extends Difference {
  /** The name of the call, or `delivery`; null for a path that is not in the contract. */
  endpoint: string | null
  count: number
  file: string
  line: number
}

export interface RecordedFindings {
  differences: Map<string, CountedDifference>
  /** The number of checked exchanges, by the name of the call. Deliveries are counted under `delivery`. */
  checked: Map<string, number>
  news: Set<string>
}

/** The maximum number of stored differences, so that a malicious file cannot fill the memory. A real service causes far fewer. */
const MOST = 5000
/** The maximum number of names in the output's list of fields that the specification does not show. */
export const MOST_NEWS = 12

/**
 * Compares recordings with the contract, line by line, in constant memory. Throws `usage` for a file that is not a
 * recording.
 * @param since entries that were recorded before this time (ISO 8601, UTC) are ignored
 */
export async function holdRecordings(
  context: Context,
  files: readonly string[],
  since = '',
): Promise<RecordedFindings> {
  const found: RecordedFindings = { differences: new Map(), checked: new Map(), news: new Set() }
  const { service: description } = await context.settings()
  const paths = knownAnswers(description, PATH_SETTINGS)
  const [{ readRecording }, { isMark }] = await Promise.all([
    import('../../recording/lines.ts'),
    import('../../recording/values.ts'),
  ])
  for (const file of files) {
    for await (const { line, entry } of readRecording(resolve(context.world.cwd, file)))
      if (entry.at >= since) holdEntry(found, entry, { file, line }, { paths, description, isHidden: isMark })
  }
  return found
}

function holdEntry(
  found: RecordedFindings,
  entry: Entry,
  example: { file: string; line: number },
  options: Parameters<typeof compareExchange>[1],
): void {
  if (entry.kind === 'delivery') count(found, 'delivery', compareDelivery(entry.request), example)
  // The contract does not cover the download of a report. The path of such a download is a whole address with the host.
  if (entry.kind !== 'exchange' || !entry.request.path.startsWith('/')) return
  const { endpoint, problems, news } = compareExchange(entry, options)
  for (const place of news) if (found.news.size <= MOST_NEWS) found.news.add(place)
  count(found, endpoint, problems, example)
}

function count(
  { checked, differences }: RecordedFindings,
  endpoint: string | null,
  problems: readonly Difference[],
  example: { file: string; line: number },
): void {
  const name = nameOf(endpoint)
  checked.set(name, (checked.get(name) ?? 0) + 1)
  for (const problem of problems) {
    const key = JSON.stringify([endpoint, problem.where, problem.expected, problem.seen])
    const known = differences.get(key)
    if (known) known.count++
    else if (differences.size < MOST) differences.set(key, { endpoint, ...problem, count: 1, ...example })
  }
}

/** Returns the name of a call for the output. */
export const nameOf = (endpoint: string | null): string => endpoint ?? 'unknown call'
