import type { Context } from '../context.ts'
import { BnplError } from '../errors.ts'
import { codeMeant } from '../language/typed-words.ts'
import { wrapWords } from '../terminal/wrap.ts'
import { didYouMean } from '../text/similar.ts'
import { visible } from '../text/visible.ts'
import { type Define, examples } from './command.ts'
import { type Explanation, everything, explanationsOf, knownWords, shortMeaning } from './explanations.ts'

export const define: Define = (command, act) => {
  command
    .argument('[code]', 'ERR_… or INVALID_…, a status such as 403, an exit code, or a kind such as outcome-unknown')
    .action(
      act(async (context, _, code) => {
        if (code === undefined) {
          const all = await everything()
          await context.output.result(all, () => renderAll(context, all))
          return context.output.note(
            'bnpl explain CODE also knows the codes of bnpl’s own errors, such as INVALID_RUT.',
          )
        }
        const found = await explanationsOf(code).then((own) =>
          own.length > 0 ? own : explanationsOf(codeMeant(code) ?? code),
        )
        if (found.length === 0) throw unknown(code, await knownWords())
        const { keep } = context.output.inLanguage
        await context.output.result(found, () => keep(found.map((each) => render(context, each)).join('\n\n')))
      }),
    )
  examples(command, [
    ['a code of the service', 'bnpl explain ERR_UNABLE_TO_RENDER_INFORME'],
    ['a status, on every endpoint that documents it', 'bnpl explain 401'],
    ['an exit code: how a command ended', 'bnpl explain 12'],
    ['a code of bnpl, not of the service, as --json prints it', 'bnpl explain INVALID_RUT'],
    ['every code and every kind of error', 'bnpl explain'],
  ])
}

function unknown(code: string, known: readonly string[]): BnplError {
  return new BnplError('not-found', `“${code}” is not a known code${didYouMean(code, known)}`, {
    code: 'UNKNOWN_CODE',
    hint: hintFor(code),
  })
}

function hintFor(code: string): string {
  if (code.startsWith('ERR_'))
    return 'See every known code: bnpl explain. The specification shows few codes, so the service may have others. The message of the service says what happened.'
  if (/^[A-Z]+_[A-Z0-9_]+$/.test(code))
    return 'Check the spelling. If an error has this code, read its message and its hint, or explain its kind, for example: bnpl explain usage'
  return 'Give a code that begins with ERR_, a status such as 403, an exit code, or a kind of error. See all of them: bnpl explain'
}

const NAME_WIDTH = 8

function render(
  { io, output }: Context,
  { about, code, endpoint, meaning, hint, note, exit, kind }: Explanation,
): string {
  const { inLanguage } = output
  const { bold, dim } = output.style
  const title = about === 'exit' ? `exit ${code} (${kind})` : code
  const lines = [
    `${bold(about === 'exit' ? inLanguage(title) : visible(title))}${endpoint === null ? '' : `  ${wrapWords(inLanguage(endpoint), io.columns - title.length - 2, '  ')}`}`,
  ]
  const line = (name: string, text: string) =>
    lines.push(
      `  ${dim(inLanguage(name).padEnd(NAME_WIDTH))}${wrapWords(inLanguage(visible(text)), io.columns - NAME_WIDTH - 2, ' '.repeat(NAME_WIDTH + 2))}`,
    )
  line('Means', meaning)
  if (hint !== null) line('Do', hint)
  if (note !== undefined) line('Sandbox', note)
  if (about !== 'exit' && exit !== null) line('Exit', kind === null ? String(exit) : `${exit} (${kind})`)
  return lines.join('\n')
}

async function renderAll({ output }: Context, all: readonly Explanation[]): Promise<string> {
  const { renderTable, tableOn } = await import('../terminal/table.ts')
  const rows = all.map((each) => ({
    ...each,
    meaning: shortMeaning({ ...each, meaning: output.inLanguage(each.meaning) }),
  }))
  return renderTable(
    rows.filter(({ about, code }, i) => about !== 'sandbox' || rows[i - 1]?.code !== code),
    [
      {
        title: 'Code',
        value: ({ about, code, kind }) => (about === 'exit' ? output.inLanguage(`exit ${code} ${kind}`) : code),
      },
      { title: 'Means', isText: true, value: ({ meaning }) => meaning, shrinks: 'wraps' },
    ],
    tableOn(output),
  )
}
