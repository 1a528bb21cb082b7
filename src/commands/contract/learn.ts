import { basename, resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { FIELD_NAMES, FIELDS, type GivenAnswers } from '../../contract/description.ts'
import { BnplError } from '../../errors.ts'
import type { Learnt, LearntAnswer } from '../../recording/learn.ts'
import type { RecordedLine } from '../../recording/lines.ts'
import { renderTable, tableOn } from '../../terminal/table.ts'
import { commandLine } from '../../text/shell-word.ts'
import { toJson } from '../../text/visible.ts'
import { refuseDryRun } from '../global-options.ts'

interface LearnOptions {
  write?: string | undefined
  force?: boolean | undefined
}

/**
 * Learns from recordings which open questions about a service they answer, and prints the answers. `--write` stores them as the
 * description of a service. Throws `check-failed` if there is nothing to learn from, `usage` for a file that is not a
 * recording, and `usage` or `output` for a file that cannot be written.
 */
export async function learnFromRecordings(
  context: Context,
  files: readonly string[],
  { write, force = false }: LearnOptions,
): Promise<void> {
  const { world, output } = context
  const path = write === undefined ? undefined : resolve(world.cwd, write)
  if (path !== undefined) {
    refuseDryRun(context)
    const { checkTarget } = await import('../../disk/target-file.ts')
    await checkTarget(path, force, '--write')
  }
  const unbound = await world.boundMemory()
  const learnt = await learnFiles(context, files).finally(unbound)
  if (learnt.exchanges + learnt.deliveries === 0)
    throw new BnplError('check-failed', 'the recordings contain no call or delivery to learn from', {
      code: 'CHECK_FAILED',
    })
  const { answers } = learnt
  if (path !== undefined) await writeDescription(context, path, answers, force)
  await output.result(answers, () => table(context, answers))
  const open = FIELD_NAMES.filter((name) => !answers.some(({ field }) => field === name))
  if (open.length > 0)
    output.note(`The recordings do not answer: ${open.join(', ')}. To see the questions, run: bnpl contract gaps`)
  if (write === undefined) {
    if (answers.length > 0) output.note('To store the answers as the description of a service, add: --write FILE')
    return
  }
  output.note(
    `The description is in ${write}. Use it with: ${commandLine('bnpl profiles set service', [write])}, or: ${commandLine('bnpl sandbox start --service', [write])}`,
  )
}

async function learnFiles(context: Context, files: readonly string[]): Promise<Learnt> {
  const [{ readRecording }, { learn }] = await Promise.all([
    import('../../recording/lines.ts'),
    import('../../recording/learn.ts'),
  ])
  async function* lines(): AsyncGenerator<RecordedLine> {
    for (const file of files)
      for await (const { line, entry } of readRecording(resolve(context.world.cwd, file))) yield { file, line, entry }
  }
  return learn(lines())
}

async function writeDescription(
  { world }: Context,
  path: string,
  answers: readonly LearntAnswer[],
  force: boolean,
): Promise<void> {
  const { openTarget } = await import('../../disk/target-file.ts')
  const { descriptionRecord } = await import('../../contract/description-file.ts')
  const given: GivenAnswers = Object.fromEntries(
    answers.map(({ field, answer, evidence }) => [
      field,
      { text: answer, source: { lines: evidence.map(({ line }) => line) } },
    ]),
  )
  const target = openTarget(path, { force, pid: world.pid, mode: 0o600, otherPlace: '--write' })
  try {
    target.take(Buffer.from(`${toJson(descriptionRecord(given), 2)}\n`))
    await target.commit()
  } finally {
    await target.discard()
  }
}

function table({ output }: Context, answers: readonly LearntAnswer[]): Promise<string> | string {
  if (answers.length === 0) return 'The recordings answer no open question.'
  const several = new Set(answers.flatMap(({ evidence }) => evidence.map(({ file }) => file))).size > 1
  return renderTable(
    answers,
    [
      { title: 'Gap', value: ({ gap }) => String(gap ?? '–'), align: 'right' },
      { title: 'Field', value: ({ field }) => field },
      { title: 'Question', value: ({ field }) => FIELDS[field].question, shrinks: 'wraps' },
      { title: 'Answer', value: ({ answer }) => answer, shrinks: 'wraps', look: output.style.yellow },
      {
        title: several ? 'Lines' : 'Line',
        value: ({ evidence }) =>
          evidence.map(({ file, line }) => (several ? `${basename(file)}:${line}` : line)).join(', '),
        shrinks: 'wraps',
      },
    ],
    tableOn(output),
  )
}
