import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'

/** Asks before the sandbox's state goes; --yes answers. Throws `usage` when the answer is no, or nobody can be asked. */
export async function agreeToForget(context: Context, what: string): Promise<void> {
  if (context.options.yes) return
  if (!context.options.input) {
    throw usage(`this forgets ${what}, and nobody can be asked`, 'Add --yes to agree.', 'NEEDS_YES')
  }
  const agreed = await (await context.prompts()).confirm({ message: `Forget ${what}?`, default: false })
  if (!agreed) throw usage('you said no; nothing was forgotten', undefined, 'DECLINED')
}
