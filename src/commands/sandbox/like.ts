import type { Context } from '../../context.ts'
import type { Call } from '../../contract/calls/call.ts'
import { CALLS } from '../../contract/calls/calls.ts'
import type { OwnPaths } from '../../contract/endpoints.ts'
import { GAPS } from '../../contract/gaps.ts'
import type { CallManner, Manner } from '../../contract/manner.ts'
import { usage } from '../../errors.ts'
import type { CallFidelity, Likeness } from '../../sandbox/store/likeness.ts'
import { formatTime } from '../../terminal/format.ts'
import type { Output } from '../../terminal/output.ts'
import { renderTable } from '../../terminal/table.ts'

export const LIKE_HELP =
  'give the same answers as the service in these recordings, wherever the recordings show an answer'

type ShownLikeness = Pick<Likeness, 'answers'> & Pick<Likeness['manner'], 'learnt'>

/**
 * Learns from recordings how the recorded service answers. Throws `usage` for a file that is not a recording, and if the
 * recordings contain neither an exchange nor a delivery.
 */
export async function learnLikeness(context: Context, files: readonly string[]): Promise<Likeness> {
  const { learnFiles } = await import('../contract/learn.ts')
  const { paths } = await context.settings()
  const unbound = await context.world.boundMemory()
  const { manner, lessons, fidelity } = await learnFiles(context, files).finally(unbound)
  const { exchanges, deliveries } = manner.learnt
  if (exchanges + deliveries === 0)
    throw usage(
      `${files.join(', ')} contains no recorded exchange and no recorded delivery`,
      'Record the service first, for example with: bnpl smoke --record FILE',
      'NOTHING_TO_LEARN',
    )
  const byConventions = new Map(fidelity.own.map((own) => [own.endpoint, own]))
  return {
    manner: atPaths(manner, paths),
    answers: lessons.map(({ gap, answer }) => ({ gap, answer })),
    fidelity: fidelity.learnt.map((row) => {
      const own = byConventions.get(row.endpoint) ?? { facts: 0, same: 0 }
      const seen = row.endpoint === 'delivery' ? deliveries : (manner.calls[row.endpoint]?.seen ?? 0)
      return { ...row, seen, conventions: { facts: own.facts, same: own.same } }
    }),
  }
}

/** Returns a copy of the learnt behaviour in which the calls have the paths that the profile sets (`paths.…`). */
export function atPaths(manner: Manner, paths: OwnPaths): Manner {
  const moved = Object.entries<Call>(CALLS).flatMap(([name, { pathSetting, path: own }]): [string, CallManner][] => {
    const path = pathSetting === undefined ? undefined : paths[pathSetting]
    const known = Object.entries(manner.calls).find(([each]) => each === name)?.[1]
    return path === undefined || path === own ? [] : [[name, { seen: 0, ...known, path }]]
  })
  return { ...manner, calls: { ...manner.calls, ...Object.fromEntries(moved) } }
}

/**
 * Returns a table that shows, for each recorded call, how much of the answers (status, fields, codes) is the same at
 * the sandbox and at the service.
 */
export function renderFidelity(
  rows: readonly CallFidelity[],
  { width, style }: Pick<Output, 'width' | 'style'>,
): Promise<string> {
  return renderTable(
    rows,
    [
      { title: 'Call', value: ({ endpoint }) => endpoint },
      { title: 'Recorded', value: ({ seen }) => String(seen), align: 'right' },
      { title: 'Like the service', value: percent, align: 'right' },
      { title: 'Without recordings', value: ({ conventions }) => percent(conventions), align: 'right' },
      { title: 'Unlike the service', value: ({ missing }) => missing.join(', ') || '-', shrinks: 'wraps' },
    ],
    { width, bold: style.bold },
  )
}

const percent = ({ facts, same }: Pick<CallFidelity, 'facts' | 'same'>) =>
  facts === 0 ? '-' : `${Math.floor((100 * same) / facts)} %`

/**
 * Returns in words what was recorded and when, and which gaps in the specification the recordings answer. For the
 * other gaps, the sandbox follows its own conventions.
 */
export function likenessInWords({ learnt, answers }: ShownLikeness): string {
  const { exchanges, deliveries, from, to } = learnt
  const numbers = [...new Set(answers.map(({ gap }) => gap))].sort((a, b) => a - b)
  const counted = `${count(exchanges, 'exchange', 'exchanges')} and ${count(deliveries, 'delivery', 'deliveries')}`
  const when = from === to ? `of ${formatTime(from)}` : `from ${formatTime(from)} to ${formatTime(to)}`
  const left = GAPS.length - numbers.length
  const known =
    numbers.length === 0
      ? `The recordings answer no gap in the specification. For all ${left} gaps, the sandbox follows its own conventions.`
      : `The recordings answer these gaps in the specification: ${numbers.join(', ')}. For the other ${left} gaps, the sandbox follows its own conventions. To read about the gaps, run: bnpl contract gaps`
  return `${counted} ${when}. ${known}`
}

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
