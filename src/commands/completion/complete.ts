import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { SANDBOX_PROFILES, type SandboxTraits } from '../../domain/sandbox-accounts.ts'
import { readProfileFile } from '../../profiles/file.ts'
import { isShellWord } from '../../text/shell-word.ts'
import { type Define, examples } from '../command.ts'
import { keptSnapshots } from '../sandbox/snapshot-place.ts'
import { type Completion, candidates, linesOf, shapeOf, typedWords, type ValueKind } from './candidates.ts'

/** `bnpl __complete`: the shells run it while the user types. If anything fails, it prints nothing instead of an error. */
export const define: Define = (command, act) => {
  command
    .argument('<shell>', 'bash, zsh, fish or powershell')
    .argument(
      '[words...]',
      'the words after `bnpl`; the last is the word at the cursor. For PowerShell, one word: the lines of all words, in base64',
    )
    .action(
      act(async (context, _, shell, given) => {
        const root = command.parent
        if (root === null) return
        const { words, hidden } = typedWords(shell, given)
        const found = await complete(context, root, words).catch(() => [])
        await context.io.out(linesOf(found, hidden, context.output.inLanguage))
      }),
    )
  examples(command, [['the words that can follow `bnpl webhooks`', "bnpl __complete bash -- webhooks ''"]])
}

async function complete(context: Context, root: CommandUnknownOpts, words: readonly string[]): Promise<Completion[]> {
  const chosen = candidates(shapeOf(root), words)
  if ('found' in chosen) return chosen.found
  const values = await knownValues(context, chosen.wanted, chosen.profile)
  const fitting = values.filter(({ value }) => value.startsWith(chosen.typed))
  return fitting.map(({ value, about }) => ({ value: chosen.prefix + value, about }))
}

const OFFERED = 50

const contractCalls = async () => (await import('../../contract/calls/calls.ts')).CALLS

/**
 * Returns the values of one kind that completion offers, the newest first. They are read from this machine, without
 * a request.
 * @param profile limits transactions to one profile
 */
async function knownValues(context: Context, wanted: ValueKind, profile: string | undefined): Promise<Completion[]> {
  switch (wanted) {
    case 'profile':
      return profiles(context)
    case 'code': {
      const { everything, shortMeaning } = await import('../explanations.ts')
      const meanings = new Map<string, string>()
      for (const each of await everything()) {
        const meaning = context.output.inLanguage(each.meaning)
        meanings.set(each.about === 'exit' ? (each.kind ?? each.code) : each.code, shortMeaning({ ...each, meaning }))
      }
      return [...meanings].map(([value, about]) => ({ value, about }))
    }
    case 'method':
    case 'path': {
      const all = Object.values(await contractCalls()).map((each) => (wanted === 'method' ? each.method : each.path))
      return [...new Set(all)].map((value) => ({ value, about: '' }))
    }
    case 'endpoint': {
      const calls = Object.entries(await contractCalls()).map(([value, { summary }]) => ({ value, about: summary }))
      return [...calls, ...['download', 'any', 'delivery', 'page'].map((value) => ({ value, about: '' }))]
    }
    case 'snapshot': {
      const kept = await keptSnapshots(context.world.stateDir, () => {})
      return kept.flatMap(({ name }) => (isHarmless(name) ? [{ value: name, about: '' }] : []))
    }
    case 'loan-state': {
      const { answerOf } = await import('../../contract/description.ts')
      const { serviceWithoutKey } = await import('../../profiles/service.ts')
      const service = await serviceWithoutKey(context.world, profile)
      const [fresh, ...others] = answerOf(service, 'loanStates')
      const about = new Map([
        [fresh ?? '', 'a new loan'],
        ...others.map((state) => [state, ''] as const),
        [answerOf(service, 'paidState'), 'every installment is paid'],
        [answerOf(service, 'cancelledState'), 'the loan was cancelled'],
      ])
      return [...about].flatMap(([value, about]) => (isHarmless(value) ? [{ value, about }] : []))
    }
    case 'transaction':
    case 'pre-approval': {
      const history = await context.history()
      const known = await history.list({ profile, limit: OFFERED })
      return known.flatMap(({ externalTrxId, preApproveId, amount, loanState }) => {
        const value = wanted === 'transaction' ? externalTrxId : preApproveId
        const about = [amount, loanState].filter((each) => each !== null).join(' ')
        return value !== null && isHarmless(value) ? [{ value, about }] : []
      })
    }
  }
}

/**
 * Whether a word can be offered. The word must not contain anything that a shell runs in an unquoted word, such as `$(…)`, because some
 * shells do not quote a completed word. It must not begin with a dash, because a command would read it as an option.
 */
const isHarmless = (value: string) => !value.startsWith('-') && isShellWord(value)

async function profiles({ world }: Context): Promise<Completion[]> {
  const file = await readProfileFile(world.configDir, () => {})
  const own = Object.entries(file?.profiles ?? {}).map(([value, { environment }]) => ({ value, about: environment }))
  return [
    ...own,
    ...Object.entries(SANDBOX_PROFILES).map(([value, traits]) => ({ value, about: accountInWords(traits) })),
  ]
}

function accountInWords({ product, evaluationModule, active }: SandboxTraits): string {
  if (product === 'bnpl') return 'the whole service on this machine'
  if (!active) return 'the sandbox: an inactive real-estate account'
  return `the sandbox: a real-estate account ${evaluationModule ? 'with' : 'without'} the evaluation module`
}
