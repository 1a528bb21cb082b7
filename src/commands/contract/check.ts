import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { holdDelivery } from '../../contract/differences/delivery.ts'
import type { Difference } from '../../contract/differences/exchange.ts'
import { holdExchange } from '../../contract/differences/hold.ts'
import { BnplError } from '../../errors.ts'
import type { Entry } from '../../recording/entries.ts'
import type { JUnitCase } from '../../terminal/junit.ts'
import { renderTable } from '../../terminal/table.ts'
import { reportPlace, writeJUnit } from '../report-file.ts'

/** A difference that recordings show, with how often, and the first line that shows it. */
interface CountedDifference extends Difference {
  /** The call, `delivery`, or null for a path that is not in the contract. */
  endpoint: string | null
  count: number
  file: string
  line: number
}

/** What recordings hold, as far as it can be held against the contract. */
interface Findings {
  /** By all that is said of it. */
  differences: Map<string, CountedDifference>
  /** Calls and deliveries, by name, with how many there were. */
  checked: Map<string, number>
  /** Places that the specification does not show. */
  news: Set<string>
}

/** More kinds of differences than a service can have: a file that was made to have more costs no more memory. */
const MOST = 5000
const MOST_NEWS = 12

/**
 * Holds recordings against the contract, line by line, and prints each kind of difference once. Throws `check-failed` if something differs or
 * there is nothing to check, and `usage` for a file that is not a recording.
 */
export async function checkRecordings(
  context: Context,
  files: readonly string[],
  options: { junit?: string },
): Promise<void> {
  const { world, output, clock } = context
  const junit = await reportPlace(world.cwd, options.junit)
  const startedAt = new Date(clock.now()).toISOString()
  const found: Findings = { differences: new Map(), checked: new Map(), news: new Set() }
  const { paths } = await context.settings()
  const [{ readRecording }, { isMark }] = await Promise.all([
    import('../../recording/lines.ts'),
    import('../../recording/values.ts'),
  ])
  for (const file of files) {
    for await (const { line, entry } of readRecording(resolve(world.cwd, file)))
      holdEntry(found, entry, { file, line }, { paths, isHidden: isMark })
  }
  const differences = [...found.differences.values()].sort((a, b) => b.count - a.count)
  if (junit !== undefined) await writeJUnit(world, junit, 'bnpl contract check', casesOf(found, differences), startedAt)
  await output.result(differences, () => table(context, found, differences))
  if (found.news.size > 0)
    output.note(`Not in the specification, which is no difference: ${[...found.news].join(', ')}`)
  judge(found, differences)
}

function holdEntry(
  found: Findings,
  entry: Entry,
  example: { file: string; line: number },
  options: Parameters<typeof holdExchange>[1],
): void {
  if (entry.kind === 'delivery') count(found, 'delivery', holdDelivery(entry.request), example)
  // Another host's path is a whole address: the file behind a link, which is no call of the service.
  if (entry.kind !== 'exchange' || !entry.request.path.startsWith('/')) return
  const { endpoint, problems, news } = holdExchange(entry, options)
  for (const place of news) if (found.news.size < MOST_NEWS) found.news.add(place)
  count(found, endpoint, problems, example)
}

function count(
  { checked, differences }: Findings,
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

const nameOf = (endpoint: string | null) => endpoint ?? 'unknown call'

/** Each call as a test case. */
function casesOf({ checked }: Findings, differences: readonly CountedDifference[]): JUnitCase[] {
  return [...checked].map(([name, times]) => {
    const own = differences.filter(({ endpoint }) => nameOf(endpoint) === name)
    const failure = own.map(
      ({ where, expected, seen, count, line }) =>
        `${where}: ${seen}; expected ${expected} (${count} times, as in line ${line})`,
    )
    return { name: `${name} (${times})`, ms: 0, ...(own.length > 0 && { failure: failure.join('\n') }) }
  })
}

async function table({ output }: Context, { checked }: Findings, differences: readonly CountedDifference[]) {
  const sum = [...checked.values()].reduce((all, each) => all + each, 0)
  if (differences.length === 0)
    return sum === 0 ? 'Nothing to check.' : `${exchanges(sum)} as the contract has ${sum === 1 ? 'it' : 'them'}.`
  const several = new Set(differences.map(({ file }) => file)).size > 1
  return renderTable(
    differences,
    [
      { title: 'Call', value: ({ endpoint }) => nameOf(endpoint) },
      { title: 'Where', value: ({ where }) => where, shrinks: 'wraps' },
      { title: 'Expected', value: ({ expected }) => expected, shrinks: 'wraps' },
      { title: 'Seen', value: ({ seen }) => seen, shrinks: 'wraps', look: output.style.yellow },
      { title: 'Count', value: ({ count }) => String(count), align: 'right' },
      { title: 'Line', value: ({ file, line }) => (several ? `${file}:${line}` : String(line)), align: 'right' },
    ],
    { width: output.width, bold: output.style.bold },
  )
}

const exchanges = (count: number) => `${count} ${count === 1 ? 'exchange is' : 'exchanges are'}`

/** Throws `check-failed` unless there was something to check and nothing differs. */
function judge({ checked }: Findings, differences: readonly CountedDifference[]): void {
  if (checked.size > 0 && differences.length === 0) return
  const calls = new Set(differences.map(({ endpoint }) => nameOf(endpoint)))
  throw new BnplError(
    'check-failed',
    checked.size === 0
      ? 'there was nothing to check'
      : `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'} from the contract: ${[...calls].join(', ')}`,
    { code: 'CHECK_FAILED' },
  )
}
