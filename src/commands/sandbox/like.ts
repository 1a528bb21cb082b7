import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { GAPS } from '../../contract/gaps.ts'
import { usage } from '../../errors.ts'
import type { Fidelity, Likeness } from '../../sandbox/store/likeness.ts'
import { formatTime } from '../../terminal/format.ts'
import type { Output } from '../../terminal/output.ts'
import { renderTable } from '../../terminal/table.ts'

/** The help of `--like`, for the commands that have it. */
export const LIKE_HELP = 'answer as the service of these recordings does, where it was recorded'

/** What is shown of the service that a sandbox is like. */
type ShownLikeness = Pick<Likeness, 'answers'> & Pick<Likeness['manner'], 'learnt'>

/**
 * Learns from recordings how their service answers. Throws `usage` for a file that is not a recording, and if there is no exchange and no
 * delivery in them.
 */
export async function learnLikeness(context: Context, files: readonly string[]): Promise<Likeness> {
  const [{ learn }, { readRecording }] = await Promise.all([
    import('../../recording/learning/learn.ts'),
    import('../../recording/lines.ts'),
  ])
  const { paths } = await context.settings()
  const { cwd } = context.world
  async function* entries() {
    for (const file of files)
      for await (const { line, entry } of readRecording(resolve(cwd, file))) yield { file, line, entry }
  }
  const { manner, lessons, fidelity } = await learn(entries(), paths)
  const { exchanges, deliveries } = manner.learnt
  if (exchanges + deliveries === 0)
    throw usage(
      `${files.join(', ')}: no exchange and no delivery is recorded there`,
      'Record the service first, such as with bnpl smoke --record FILE',
      'NOTHING_TO_LEARN',
    )
  const byConventions = new Map(fidelity.own.map((own) => [own.endpoint, own]))
  return {
    manner,
    answers: lessons.map(({ gap, answer }) => ({ gap, answer })),
    fidelity: fidelity.learnt.map((row) => {
      const own = byConventions.get(row.endpoint) ?? { facts: 0, same: 0 }
      const seen = row.endpoint === 'delivery' ? deliveries : (manner.calls[row.endpoint]?.seen ?? 0)
      return { ...row, seen, conventions: { facts: own.facts, same: own.same } }
    }),
  }
}

/** How like the service each recorded call is, as a table. */
export function renderFidelity(
  rows: readonly Fidelity[],
  { width, style }: Pick<Output, 'width' | 'style'>,
): Promise<string> {
  return renderTable(
    rows,
    [
      { title: 'Call', value: ({ endpoint }) => endpoint },
      { title: 'Recorded', value: ({ seen }) => String(seen), align: 'right' },
      { title: 'Like it', value: percent, align: 'right' },
      { title: 'By conventions', value: ({ conventions }) => percent(conventions), align: 'right' },
      { title: 'Not as there', value: ({ missing }) => missing.join(', ') || '-', shrinks: 'wraps' },
    ],
    { width, bold: style.bold },
  )
}

/** Rounded down, so that 100 % means every fact. */
const percent = ({ facts, same }: Pick<Fidelity, 'facts' | 'same'>) =>
  facts === 0 ? '-' : `${Math.floor((100 * same) / facts)} %`

/** Which gaps were learnt, from when, and which are conventions: one sentence. */
export function likenessInWords({ learnt, answers }: ShownLikeness): string {
  const { exchanges, deliveries, from, to } = learnt
  const numbers = [...new Set(answers.map(({ gap }) => gap))].sort((a, b) => a - b)
  const counted = `${count(exchanges, 'exchange', 'exchanges')} and ${count(deliveries, 'delivery', 'deliveries')}`
  const when = from === to ? `of ${formatTime(from)}` : `from ${formatTime(from)} to ${formatTime(to)}`
  const rest = `${GAPS.length - numbers.length} gaps are conventions of the sandbox.`
  const known =
    numbers.length === 0 ? `No gap was learnt: all ${rest}` : `Learnt: gaps ${numbers.join(', ')}; the other ${rest}`
  return `${counted} ${when}. ${known}`
}

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
