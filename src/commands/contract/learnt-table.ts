import { basename } from 'node:path'
import type { Context } from '../../context.ts'
import type { ProfileSetting } from '../../profiles/settings.ts'
import type { Fidelity } from '../../recording/learning/fidelity.ts'
import type { Learnt, Lesson, Unanswered } from '../../recording/learning/learn.ts'
import { renderTable, tableOn } from '../../terminal/table.ts'
import { wrap } from '../../terminal/wrap.ts'

export interface ShownLesson extends Omit<Lesson, 'setting'> {
  setting: { name: ProfileSetting; value: string; before: string | null } | null
}

/** Returns everything that was learnt from recordings, as text for people. */
export async function learntTable(
  context: Context,
  lessons: readonly ShownLesson[],
  { unanswered, fidelity }: Learnt,
): Promise<string> {
  const { io, output } = context
  const titled = (title: string, table: string) => `${output.style.bold(wrap(title, io.columns, ''))}\n${table}`
  const sections = [
    lessons.length === 0 ? 'The recordings answer no gap in the specification.' : await answers(context, lessons),
    titled(
      'How many details of the answers are the same in a sandbox and in the recordings, before and after the sandbox learns from them',
      await likenesses(context, fidelity),
    ),
    unanswered.length === 0
      ? ''
      : titled('Gaps in the specification that the recordings do not answer', await open(context, unanswered)),
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

function answers({ output }: Context, lessons: readonly ShownLesson[]): Promise<string> {
  const several = new Set(lessons.flatMap(({ evidence }) => evidence.map(({ file }) => file))).size > 1
  return renderTable(
    lessons,
    [
      { title: 'Gap', value: ({ gap }) => String(gap), align: 'right' },
      { title: 'Question', value: ({ question }) => question, shrinks: 'wraps' },
      { title: 'Answer', value: ({ answer }) => shortened(answer), shrinks: 'wraps' },
      {
        title: several ? 'Lines' : 'Line',
        value: ({ evidence }) => (several ? byFile(evidence) : evidence.map(({ line }) => line).join(', ')),
        shrinks: 'wraps',
      },
      {
        title: 'Setting',
        value: ({ setting }) => (setting === null ? '' : settingText(setting)),
        shrinks: 'wraps',
        look: output.style.yellow,
      },
    ],
    tableOn(output),
  )
}

const MOST_SHOWN = 200

const shortened = (text: string) => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)

function byFile(evidence: Lesson['evidence']): string {
  const files = new Map<string, number[]>()
  for (const { file, line } of evidence) files.set(file, [...(files.get(file) ?? []), line])
  return [...files].map(([file, lines]) => `${basename(file)}:${lines.join(',')}`).join(' ')
}

function settingText({ name, value, before }: NonNullable<ShownLesson['setting']>): string {
  if (before === value) return `${name} ${value} (already set)`
  return before === null ? `${name} ${value}` : `${name} ${before} → ${value}`
}

function likenesses({ output }: Context, { own, learnt }: Learnt['fidelity']): Promise<string> {
  const rows = own.map((each, i) => ({ each, like: learnt[i] ?? each }))
  return renderTable(
    rows,
    [
      { title: 'Call', value: ({ each }) => each.endpoint },
      { title: 'Before', value: ({ each }) => share(each), align: 'right' },
      { title: 'After', value: ({ like }) => share(like), align: 'right' },
    ],
    tableOn(output),
  )
}

const share = ({ same, facts }: Fidelity): string => `${same} of ${facts}`

function open({ output }: Context, unanswered: readonly Unanswered[]): Promise<string> {
  return renderTable(
    unanswered,
    [
      { title: 'Gap', value: ({ gap }) => String(gap), align: 'right' },
      { title: 'Question', value: ({ question }) => question, shrinks: 'wraps' },
      {
        title: 'How to record the answer',
        value: ({ why, command }) =>
          why === undefined
            ? (command ?? '')
            : `no recording can answer this question: ${why}${command === undefined ? '' : `: ${command}`}`,
        shrinks: 'wraps',
      },
    ],
    tableOn(output),
  )
}
