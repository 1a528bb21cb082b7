import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { holdDelivery } from '../../contract/differences/delivery.ts'
import type { Difference } from '../../contract/differences/exchange.ts'
import { holdExchange } from '../../contract/differences/hold.ts'
import type { OwnPaths } from '../../contract/endpoints.ts'
import { BnplError } from '../../errors.ts'
import type { NumberedEntry } from '../../recording/lines.ts'
import { renderTable } from '../../terminal/table.ts'
import { reportPlace, writeJUnit } from '../report-file.ts'

/** A difference that recordings show, with how often, and the first line that shows it. */
interface CountedDifference extends Difference {
  /** The call, `delivery`, or null for a path that is not in the contract. */
  endpoint: string | null
  count: number
  /** The file as it was named, if there are several, and the number of the line. */
  example: string
}

/** What recordings hold, as far as it can be held against the contract. */
interface Findings {
  differences: CountedDifference[]
  /** Calls and deliveries, by name, with how many there were. */
  checked: Map<string, number>
  /** Places that the specification does not show. */
  news: Set<string>
}

/** More kinds of differences than a service can have; a file that was made to have more stops growing the memory here. */
const MOST = 5000

/** Holds recordings against the contract. Throws `check-failed` if something differs or there is nothing to check, and `usage` for another file. */
export async function checkRecordings(
  context: Context,
  files: readonly string[],
  options: { junit?: string },
): Promise<void> {
  const { world, output, clock } = context
  const junit = await reportPlace(world.cwd, options.junit)
  const startedAt = new Date(clock.now()).toISOString()
  const { paths } = await context.settings()
  const found: Findings = { differences: [], checked: new Map(), news: new Set() }
  const add = await adder(found, paths)
  const { readRecording } = await import('../../recording/lines.ts')
  for (const file of files) {
    const name = files.length > 1 ? `${file}:` : ''
    for await (const each of readRecording(resolve(world.cwd, file))) add(each, name)
  }
  if (junit !== undefined) await writeJUnit(world, junit, 'bnpl contract check', casesOf(found), startedAt)
  await show(context, found)
  if (found.news.size > 0)
    output.note(`Not in the specification, and no difference: ${[...found.news].slice(0, MOST_SHOWN).join(', ')}`)
  judge(found)
}

const MOST_SHOWN = 12

async function adder(found: Findings, paths: OwnPaths): Promise<(each: NumberedEntry, file: string) => void> {
  const { isMark: isHidden } = await import('../../recording/values.ts')
  const byKey = new Map<string, CountedDifference>()
  const count = (endpoint: string | null, problems: readonly Difference[], example: string) => {
    const name = endpoint ?? 'unknown'
    found.checked.set(name, (found.checked.get(name) ?? 0) + 1)
    for (const problem of problems) {
      const key = JSON.stringify([endpoint, problem.where, problem.expected, problem.seen])
      const known = byKey.get(key)
      if (known) known.count++
      else if (byKey.size < MOST) byKey.set(key, { endpoint, ...problem, count: 1, example })
    }
  }
  found.differences = []
  return ({ line, entry }, file) => {
    const example = `${file}${line}`
    if (entry.kind === 'delivery') count('delivery', holdDelivery(entry.request), example)
    // Another host's: the file behind a link, which is no call of the service.
    if (entry.kind !== 'exchange' || !entry.request.path.startsWith('/')) return
    const { endpoint, problems, news } = holdExchange(entry, { paths, isHidden })
    count(endpoint, problems, example)
    for (const place of news) if (found.news.size < MOST_SHOWN) found.news.add(place)
    found.differences = [...byKey.values()]
  }
}
