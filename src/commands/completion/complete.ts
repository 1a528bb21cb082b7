import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { type Define, examples } from '../command.ts'
import { type Completion, candidates, shapeOf } from './candidates.ts'
import { linesOf, typedWords } from './typed-words.ts'

/** `bnpl __complete`: the shells run it while the user types. If anything fails, it prints nothing instead of an error. */
export const define: Define = (command, act) => {
  command
    .argument('<shell>', 'bash, zsh or fish')
    .argument('[words...]', 'the words after `bnpl`; the last is the word at the cursor')
    .action(
      act(async (context, _, shell, given) => {
        const root = command.parent
        if (root === null) return
        const { words, hidden } = typedWords(shell, given)
        const found = await complete(context, root, words).catch(() => [])
        await context.io.out(linesOf(found, hidden))
      }),
    )
  examples(command, [['the words that can follow `bnpl webhooks`', "bnpl __complete bash -- webhooks ''"]])
}

async function complete(context: Context, root: CommandUnknownOpts, words: readonly string[]): Promise<Completion[]> {
  const chosen = candidates(shapeOf(root), words)
  if ('found' in chosen) return chosen.found
  const { knownValues } = await import('./known-values.ts')
  const values = await knownValues(context, chosen.wanted, chosen.profile)
  const fitting = values.filter(({ value }) => value.startsWith(chosen.typed))
  return fitting.map(({ value, about }) => ({ value: chosen.prefix + value, about }))
}
