import type { Context } from '../context.ts'
import { usage } from '../errors.ts'

/**
 * Asks before something is done that cannot be undone; `--yes` agrees beforehand.
 * Throws `usage` when nobody can be asked, and when the answer is no: nothing was done then.
 */
export async function agree(context: Context, question: string): Promise<void> {
  if (context.options.yes) return
  if (!context.options.input) {
    throw usage(
      `this would ask first (“${question}”), and nobody can be asked`,
      'Add --yes to agree beforehand.',
      'NEEDS_YES',
    )
  }
  const prompts = await context.prompts()
  if (await prompts.confirm({ message: question, default: false })) return
  throw usage('you said no; nothing was done', undefined, 'DECLINED')
}
