import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { visible } from '../../text/visible.ts'
import { type Define, examples } from '../command.ts'
import { type Completion, candidates } from './candidates.ts'

/** `bnpl __complete`: the shells run it while the user types a command line. If anything fails, it prints nothing instead of an error. */
export const define: Define = (command, act) => {
  command
    .argument('<shell>', 'bash, zsh or fish')
    .argument('[words...]', 'the words after `bnpl`, the last one under the cursor')
    .action(
      act(async (context, _, shell, given) => {
        const root = command.parent
        if (root === null) return
        const { words, hidden } = shell === 'bash' ? joinWords(given) : { words: given, hidden: 0 }
        const found = await complete(context, root, words).catch(() => [])
        await context.io.out(found.map((each) => `${line(each, hidden)}\n`).join(''))
      }),
    )
  examples(command, [['the words that can follow `bnpl webhooks`', "bnpl __complete bash -- webhooks ''"]])
}

const line = ({ value, about }: Completion, hidden: number) =>
  visible(value.slice(hidden)) + (about === '' ? '' : `\t${visible(about)}`)

async function complete(context: Context, root: CommandUnknownOpts, words: readonly string[]): Promise<Completion[]> {
  const chosen = candidates(root, words)
  if ('found' in chosen) return chosen.found
  const { knownValues } = await import('./known-values.ts')
  const values = await knownValues(context, chosen.wanted, chosen.profile)
  const fitting = values.filter(({ value }) => value.startsWith(chosen.typed))
  return fitting.map(({ value, about }) => ({ value: chosen.prefix + value, about }))
}

/**
 * Joins words that bash split at `=` and `:` (its COMP_WORDBREAKS): `--profile = ac` becomes `--profile=ac`.
 * @returns the words, and how many characters at the start of the last word bash keeps; they must not be printed again
 */
function joinWords(given: readonly string[]): { words: string[]; hidden: number } {
  const words: string[] = []
  let kept = 0
  let glue = false
  for (const word of given) {
    const isBreak = word === '=' || word === ':'
    const last = words.at(-1)
    if ((isBreak || glue) && last !== undefined) {
      words[words.length - 1] = last + word
      kept = isBreak ? last.length + 1 : kept
    } else {
      words.push(word)
      kept = 0
    }
    glue = isBreak
  }
  return { words, hidden: kept }
}
