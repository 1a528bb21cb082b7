import type { Context } from '../../context.ts'
import { BnplError } from '../../errors.ts'
import type { JUnitCase } from '../../terminal/junit.ts'
import { renderTable, tableOn } from '../../terminal/table.ts'
import { wrap } from '../../terminal/wrap.ts'
import { reportPlace, writeJUnit } from '../report-file.ts'
import { type CountedDifference, holdRecordings, MOST_NEWS, nameOf, type RecordedFindings } from './held-recordings.ts'

/**
 * Compares recordings with the contract, and prints each kind of difference one time. Throws `check-failed` if
 * something differs or there is nothing to check, and `usage` for a file that is not a recording.
 */
export async function checkRecordings(
  context: Context,
  files: readonly string[],
  options: { junit?: string },
): Promise<void> {
  const { world, output, clock } = context
  const junit = await reportPlace(world.cwd, options.junit)
  const startedAt = new Date(clock.now()).toISOString()
  const unbound = await world.boundMemory()
  const found = await holdRecordings(context, files).finally(unbound)
  const differences = [...found.differences.values()].sort((a, b) => b.count - a.count)
  if (junit !== undefined) await writeJUnit(world, junit, 'bnpl contract check', casesOf(found, differences), startedAt)
  await output.result(differences, () => table(context, found, differences))
  if (found.news.size > 0)
    output.note(
      `These fields and codes do not count as differences, because the specification does not show them: ${inWords([...found.news])}`,
    )
  judge(found, differences)
}

const inWords = (fields: readonly string[]): string =>
  fields.slice(0, MOST_NEWS).join(', ') + (fields.length > MOST_NEWS ? ' and more' : '')

function casesOf({ checked }: RecordedFindings, differences: readonly CountedDifference[]): JUnitCase[] {
  return [...checked].map(([name, times]) => {
    const own = differences.filter(({ endpoint }) => nameOf(endpoint) === name)
    const failure = own.map(
      ({ where, expected, seen, count, line }) =>
        `${where}: ${seen}; expected ${expected} (${count} times, first in line ${line})`,
    )
    return { name: `${name} (${times})`, ms: 0, ...(own.length > 0 && { failure: failure.join('\n') }) }
  })
}

async function table(
  { io, output }: Context,
  { checked }: RecordedFindings,
  differences: readonly CountedDifference[],
) {
  const sum = [...checked.values()].reduce((all, each) => all + each, 0)
  if (differences.length === 0)
    return sum === 0
      ? 'The recordings contain no call or delivery to check.'
      : wrap(`${exchanges(sum)} as the contract describes ${sum === 1 ? 'it' : 'them'}.`, io.columns, '')
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
    tableOn(output),
  )
}

const exchanges = (count: number) => `${count} ${count === 1 ? 'exchange is' : 'exchanges are'}`

function judge({ checked }: RecordedFindings, differences: readonly CountedDifference[]): void {
  if (checked.size > 0 && differences.length === 0) return
  const calls = new Set(differences.map(({ endpoint }) => nameOf(endpoint)))
  throw new BnplError(
    'check-failed',
    checked.size === 0
      ? 'the recordings contain no call or delivery to check'
      : `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'} from the contract: ${[...calls].join(', ')}`,
    { code: 'CHECK_FAILED' },
  )
}
